package output

import (
	"path"
	"slices"
	"time"

	"example.com/ckpt/internal/agents/record"
	"example.com/ckpt/internal/brief"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/history/decisions"
	"example.com/ckpt/internal/history/revisions"
	"example.com/ckpt/internal/learnings"
	"example.com/ckpt/internal/lineage"
	"example.com/ckpt/internal/plan"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/progress/inspect"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
)

// Folder is the checkpoints folder of a repository, relative to its root.
type Folder struct {
	Files string // the path in the worktree
	Tree  string // the path in commits
}

// JSON returns the value to encode for an answer: the answer itself, or a struct of this package
// with the documented members.
func JSON(answer any, folder Folder) any {
	switch a := answer.(type) {
	case *brief.Rendering:
		return briefOf(a)
	case Shown:
		return checkpointOf(a, folder)
	case Entries:
		return entriesOf(a, folder)
	case *inspect.Details:
		return detailsOf(a, folder)
	case *lineage.Forest:
		return forestJSON{Roots: nodesOf(a.Roots, folder), Unreadable: unreadableIn(a.Broken, folder), Warnings: a.Warnings}
	case *revisions.Log:
		return logOf(a, folder)
	case *revisions.Comparison:
		return comparisonJSON{ID: a.ID, From: versionOf(&a.From, folder), To: versionOf(a.To, folder),
			Words: a.Diff.Words(), Changed: a.Diff}
	case *record.Log:
		return sessionOf(a)
	case *decisions.Record:
		return decisionsOf(a, folder)
	case Verified:
		return verifiedOf(a, folder)
	case Found:
		return foundOf(a)
	case policy.Reminder:
		return reminderOf(a)
	case Pruned:
		return prunedOf(a, folder)
	case []learnings.Learning:
		return learningsJSON{a}
	case plan.News:
		return newsOf(a)
	case *plan.Upcoming:
		return upcomingOf(a)
	}
	return answer
}

// learningsJSON is the answer of `ckpt learnings`.
type learningsJSON struct {
	Learnings result.List[learnings.Learning] `json:"learnings"` // the learnings, newest first
}

// forestJSON is the answer of `ckpt tree`.
type forestJSON struct {
	Roots      []nodeJSON       `json:"roots"`                // the checkpoints without a parent
	Unreadable []unreadableJSON `json:"unreadable,omitempty"` // the files that cannot be read
	Warnings   []string         `json:"warnings,omitempty"`
}

// nodeJSON is a checkpoint of the forest. Its children are not a [result.List], which would encode each level of the
// forest again.
type nodeJSON struct {
	ID       string        `json:"id"`
	Path     string        `json:"path"`
	Status   string        `json:"status"`
	Created  result.Time   `json:"created,omitzero"`
	Skipped  bool          `json:"skipped,omitempty"`  // filtered out, but some of its descendants are not
	Problems []problemJSON `json:"problems,omitempty"` // what is wrong with its place in the lineage
	Children []nodeJSON    `json:"children"`           // its forks, the oldest first
}

type problemJSON struct {
	Kind    string   `json:"kind"`    // missing-parent, self-parent, cycle or duplicate-id
	Names   []string `json:"names"`   // the ids or files concerned
	Message string   `json:"message"` // the problem in words
}

type unreadableJSON struct {
	Path   string `json:"path"`
	Reason string `json:"reason"` // why it cannot be read
}

func nodesOf(all []*lineage.Node, folder Folder) []nodeJSON {
	list := []nodeJSON{}
	for _, n := range all {
		c := n.Checkpoint
		node := nodeJSON{
			ID: c.ID, Path: path.Join(folder.Files, c.Path), Status: string(c.Status()), Created: result.At(c.Created()),
			Skipped: n.Skipped, Children: nodesOf(n.Children, folder),
		}
		for _, p := range n.Problems {
			node.Problems = append(node.Problems, problemJSON{Kind: p.Kind.String(), Names: p.Names, Message: p.String()})
		}
		list = append(list, node)
	}
	return list
}

func unreadableIn(broken []checkpoint.Broken, folder Folder) []unreadableJSON {
	var all []unreadableJSON
	for _, b := range broken {
		all = append(all, unreadableJSON{Path: path.Join(folder.Files, b.Path), Reason: b.Err.Error()})
	}
	return all
}

// reminderJSON is the answer of `ckpt status --due`. Durations are in seconds.
type reminderJSON struct {
	policy.Reminder
	Due     bool           `json:"due"`               // a delta is due
	Trigger policy.Trigger `json:"trigger,omitempty"` // the most urgent trigger
	Since   result.Time    `json:"since,omitzero"`    // the time of the last delta, or of the creation
	Worked  int            `json:"worked"`            // the seconds of work, as far as edits and commits show it
	Reach   int            `json:"reach"`             // the seconds from the last delta to the last edit
	Limits  limitsJSON     `json:"limits"`            // the limits at which triggers fire; 0 means that a trigger is off
}

// limitsJSON has the limits at which triggers fire; 0 means that a trigger is off.
type limitsJSON struct {
	Work  int `json:"work"`  // seconds of work
	Limit int `json:"limit"` // seconds from the last delta to the last edit
	Pause int `json:"pause"` // the longest gap between two edits, in seconds, that counts as work
	Files int `json:"files"` // changed files
	Tasks int `json:"tasks"` // finished tasks
}

func reminderOf(a policy.Reminder) reminderJSON {
	seconds := func(d time.Duration) int { return int(d.Seconds()) }
	w := reminderJSON{
		Reminder: a, Due: a.Due(), Since: result.At(a.Since), Worked: seconds(a.Worked), Reach: seconds(a.Reach),
	}
	w.Limits = limitsJSON{
		Work: seconds(a.Policy.Work), Limit: seconds(a.Policy.Limit), Pause: seconds(a.Policy.Pause),
		Files: a.Policy.Files, Tasks: a.Policy.Tasks,
	}
	if a.Due() {
		w.Trigger = a.Triggers[0]
	}
	return w
}

// prunedJSON is the answer of `ckpt prune`.
type prunedJSON struct {
	Policy      retentionJSON            `json:"policy"`               // the policy; a limit that is not set is absent
	Pruned      int                      `json:"pruned"`               // how many checkpoints the policy would delete
	Kept        int                      `json:"kept"`                 // how many checkpoints the policy keeps
	Checkpoints result.List[verdictJSON] `json:"checkpoints"`          // the verdicts, the newest checkpoint first
	Unreadable  []unreadableJSON         `json:"unreadable,omitempty"` // the files that cannot be read
}

// retentionJSON is the policy. A limit that is not set is absent.
type retentionJSON struct {
	MaxAge         string `json:"max_age,omitempty"`          // the maximum age: "30d"
	MaxPerWorkflow int    `json:"max_per_workflow,omitempty"` // how many of a workflow are kept
	MaxPerSession  int    `json:"max_per_session,omitempty"`  // how many of a session are kept
}

type verdictJSON struct {
	policy.Verdict
	Path    string      `json:"path"`
	Changed result.Time `json:"changed,omitzero"` // when it was last changed
	Action  string      `json:"action"`           // keep or prune
}

func prunedOf(a Pruned, folder Folder) prunedJSON {
	l := a.Limits
	w := prunedJSON{
		Policy:     retentionJSON{MaxPerWorkflow: l.MaxPerWorkflow, MaxPerSession: l.MaxPerSession},
		Unreadable: unreadableIn(a.Unread, folder),
	}
	if a.Limits.MaxAge > 0 {
		w.Policy.MaxAge = text.FormatAge(a.Limits.MaxAge)
	}
	for _, v := range a.Verdicts {
		action := "keep"
		if v.Keep {
			w.Kept++
		} else {
			action = "prune"
			w.Pruned++
		}
		w.Checkpoints = append(w.Checkpoints, verdictJSON{
			Verdict: v, Path: path.Join(folder.Files, v.Path), Changed: result.At(v.Changed), Action: action,
		})
	}
	return w
}

// sessionJSON is the answer of `ckpt log --session`, the newest entry first.
type sessionJSON struct {
	sessionHead
	Older    int                       `json:"older"`    // the number of entries that --limit left out
	Entries  result.List[record.Entry] `json:"entries"`  // what the session did, the newest entry first
	Sessions result.List[sessionHead]  `json:"sessions"` // the other recorded sessions, the most recently active first
}

type sessionHead struct {
	ID    string      `json:"id"` // the session's id as the agent gives it
	Agent string      `json:"agent,omitempty"`
	First result.Time `json:"first"` // the time of the oldest entry that is still recorded
	Last  result.Time `json:"last"`  // the time of the newest entry
}

func sessionOf(l *record.Log) sessionJSON {
	head := func(s record.Session) sessionHead {
		return sessionHead{ID: s.ID, Agent: s.Agent, First: result.At(s.First()), Last: result.At(s.Last())}
	}
	w := sessionJSON{sessionHead: head(l.Session), Older: l.Older}
	for _, e := range slices.Backward(l.Entries) {
		e.Agent, e.Session = "", "" // sessionHead has them
		w.Entries = append(w.Entries, e)
	}
	for _, s := range l.Others {
		w.Sessions = append(w.Sessions, head(s))
	}
	return w
}
