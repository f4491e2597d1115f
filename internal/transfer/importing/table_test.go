package importing

import (
	"testing"
)

func TestHeadings(t *testing.T) {
	const none = "-"
	for title, want := range map[string]string{
		"Goal":                                  "Session Intent",
		"Goal (incl. success criteria)":         "Session Intent",
		"🎯 Objective":                           "Session Intent",
		"3. Done":                               "Play-By-Play",
		"✅ Completed this session":              "Play-By-Play",
		"Done: the parser":                      "Play-By-Play",
		"**Next Steps**":                        "Next Actions",
		"Next steps for whoever goes on":        "Next Actions",
		"What’s next?":                          "Next Actions",
		"TODO":                                  "Next Actions",
		"What is left":                          "Next Actions",
		"What's left (phase 2)":                 "Next Actions",
		"Still to do":                           "Next Actions",
		"7) To-Do":                              "Next Actions",
		"Now":                                   "Current State",
		"Status — green":                        "Current State",
		"Blockers/Concerns":                     "Current State",
		"Key Decisions":                         "Decisions",
		"Active Decisions & Considerations":     "Decisions",
		"Decisions made (locked)":               "Decisions",
		"Constraints/Assumptions":               "User Rules",
		"10. Hard rules the user has set":       "User Rules",
		"Architecture in 60 seconds":            "Technical Context",
		"Lessons & don'ts":                      "Technical Context",
		"Working set (files/ids/test commands)": "Breadcrumbs",
		"Files modified in this session":        "Artifact Trail",
		"Problem":                               "Problem",
		"próximos pasos":                        "Next Actions",

		"What to do next (Session 3)":       "Next Actions",
		"Immediate Recommended Next Steps":  "Next Actions",
		"Do these first (highest leverage)": "Next Actions",
		"Current execution order":           "Next Actions",
		"To Resume":                         "Next Actions",
		"How to Resume Next Session":        "Next Actions",
		"Next session should":               "Next Actions",
		"Remaining":                         "Next Actions",
		"Not done yet":                      "Next Actions",
		"Shop v2 - Next Steps":              "Next Actions",
		"Decisions Already Made":            "Decisions",
		"Key technical decisions (made)":    "Decisions",
		"Current Repo State":                "Current State",
		"Where we are right now":            "Current State",
		"What shipped (commit abc)":         "Play-By-Play",
		"What has been built":               "Play-By-Play",
		"Today's Accomplishments":           "Play-By-Play",
		"Don't Touch":                       "User Rules",

		"Next Session Implementation Plan":          "Next Actions",
		"Next Session Notes":                        "Next Actions",
		"Notes for Next Session":                    "Next Actions",
		"When we continue":                          "Next Actions",
		"Priority Tasks":                            "Next Actions",
		"Priorities":                                "Next Actions",
		"Tasks":                                     "Next Actions",
		"High Priority":                             "Next Actions",
		"Remaining Priority Tasks":                  "Next Actions",
		"Follow-ups discovered during this task":    "Next Actions",
		"Specific TODOs the next agent can pick up": "Next Actions",
		"Key Decisions This Session":                "Decisions",
		"Task":                                      "Session Intent",
		"Current tasks":                             "Next Actions",
		"What I was about to do":                    "Next Actions",
		"Left undone":                               "Next Actions",
		"Order of implementation":                   "Next Actions",
		"Short-Term Goals":                          "Next Actions",
		"Instructions for the next agent":           "Next Actions",
		"Plan for tomorrow":                         "Next Actions",
		"Actions Required":                          "Next Actions",
		"P0 — must fix":                             "Next Actions",

		"Done when all tests pass":     none,
		"Decisions to make":            none,
		"Files to change":              none,
		"Purpose of this file":         none,
		"State machine":                none,
		"Next.js":                      none,
		"Decisions needed":             none,
		"Open decisions":               none,
		"Pending decisions":            none,
		"Shop - Decisions of others":   none,
		"Backlog":                      none,
		"Non-goals":                    none,
		"Done-ness":                    none,
		"What state would mean ready":  none,
		"Goalkeeper":                   none,
		"Summary":                      none,
		"Overview":                     none,
		"Open Questions (UNCONFIRMED)": none,
		"Completion":                   none,
		"":                             none,
		"🎉":                            none,
	} {
		got := none
		if k, sure := meaning(title); sure >= clear {
			got = k.String()
		}
		if got != want {
			t.Errorf("%q opens %s, want %s", title, got, want)
		}
	}
}
