package policy

import (
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/text"
)

func TestParse(t *testing.T) {
	for name, tc := range map[string]struct {
		src     string
		commit  Commit
		subject string
	}{
		"nothing is the default":  {"", "", Default().Subject},
		"the starter is, too":     {Starter(), "", Default().Subject},
		"a mode":                  {"commit: off\n", Off, Default().Subject},
		"ref mode":                {"commit: ref\n", Ref, Default().Subject},
		"a template":              {"subject: 'chore(ckpt): {op} {id}'\n", "", "chore(ckpt): {op} {id}"},
		"keys of another version": {"archive:\n  months: [x]\ncommit: off\n", Off, Default().Subject},
		"CRLF":                    {"commit: off\r\n", Off, Default().Subject},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := Parse([]byte(tc.src))
			if err != nil || c.Commit != tc.commit || c.Subject != tc.subject {
				t.Errorf("got %+v, %v", c, err)
			}
		})
	}
}

func TestWithCommit(t *testing.T) {
	for src, want := range map[string]string{
		"":                                     "commit: ref\n",
		"nudge: true":                          "nudge: true\ncommit: ref\n",
		"# a\ncommit: own  # b\nnudge: true\n": "# a\ncommit: ref\nnudge: true\n",
		"# commit: own            # own: x\n":  "commit: ref\n",
	} {
		got := WithCommit(src, Ref)
		if string(got) != want {
			t.Errorf("%q: %q, want %q", src, got, want)
		}
	}
	c, err := Parse(WithCommit(Starter(), Ref))
	if err != nil || c.Commit != Ref {
		t.Errorf("the starter: %+v, %v", c, err)
	}
}

func TestParseRecorder(t *testing.T) {
	for src, want := range map[string]Recorder{"": RecordAll, "recorder: on\n": RecordAll, "recorder: true\n": RecordAll, "recorder: work\n": RecordWork, "recorder: off\n": RecordNothing, "recorder: false\n": RecordNothing, "recorder:\n": RecordAll} {
		if c, err := Parse([]byte(src)); err != nil || c.Recorder != want || len(c.Unknown) > 0 {
			t.Errorf("%q: %d, %v, %v", src, c.Recorder, c.Unknown, err)
		}
	}
	if _, err := Parse([]byte("recorder: sometimes\n")); err == nil {
		t.Error("taken")
	}
}

func TestParseDue(t *testing.T) {
	c, err := Parse([]byte("due:\n  work: 20m\n  limit: 45\n  files: off\n"))
	want := Due{Work: 20 * time.Minute, Limit: 45 * time.Minute, Pause: DefaultDue().Pause}
	if err != nil || c.Due != want {
		t.Errorf("got %+v, %v", c.Due, err)
	}
}

func TestParseRetention(t *testing.T) {
	for src, want := range map[string]Retention{
		"":                             {},
		"retention:\n  max_age: 30d\n": {Limits: Limits{MaxAge: 30 * text.Day}},
		"retention: {max_age: 7, max_per_workflow: 10, max_per_session: off, schedule: daily}\n": {Limits: Limits{MaxAge: 7 * text.Day, MaxPerWorkflow: 10}, Schedule: ScheduleDaily},
		"retention: {max_age: 30d, apply: true}\n":                                               {Limits: Limits{MaxAge: 30 * text.Day}, Apply: true},
		"checkpoint_retention:\n  hot_storage: {max_age: 24h}\n  warm_storage: {max_age: 7d, max_per_workflow: 10}\n  pruning_schedule: daily\n  preserve_always: [named_checkpoints]\n": {Limits: Limits{MaxAge: 7 * text.Day, MaxPerWorkflow: 10}, Schedule: ScheduleDaily},
		"agent:\n  checkpoints: {enabled: true, maxCheckpointsPerSession: 10, pruneAfterDays: 30}\nretention: {max_age: 7d}\n":                                                           {Limits: Limits{MaxAge: 7 * text.Day, MaxPerSession: 10}},
		"retention: {pruneAfterDays: 30, maxCheckpointsPerSession: 10, schedule: off}\n":                                                                                                 {Limits: Limits{MaxAge: 30 * text.Day, MaxPerSession: 10}},
		"retention: {pruneAfterDays: 30, maxCheckpointsPerSession: 10, max_age: 2w, max_per_session: 5}\n":                                                                               {Limits: Limits{MaxAge: 14 * text.Day, MaxPerSession: 5}},
	} {
		c, err := Parse([]byte(src))
		if err != nil || c.Retention != want || len(c.Unknown) > 0 {
			t.Errorf("%q: got %+v, %v", src, c.Retention, err)
		}
	}
}

func TestParsePhases(t *testing.T) {
	c, err := Parse([]byte("due:\n  work: 20m\n  phases:\n    Drafting: {tasks: 1, limit: off}\n"))
	want := Due{Work: 20 * time.Minute, Pause: DefaultDue().Pause, Files: DefaultDue().Files, Tasks: 1}
	if err != nil || c.DueIn("drafting ") != want || c.DueIn("review") != c.Due || c.DueIn("") != c.Due || len(c.Unknown) > 0 {
		t.Errorf("got %+v and %+v, %v", c.DueIn("drafting"), c.Due, err)
	}
}

func TestKeysWithoutEffect(t *testing.T) {
	c, err := Parse([]byte("agent:\n  checkpoints: {enabled: false, autoCheckpoint: yes, pruneAfterDays: 30}\n"))
	want := []string{"agent.checkpoints.enabled has no effect; checkpoint.enabled and ckpt unsetup have",
		"agent.checkpoints.autoCheckpoint has no effect; nudge and due have"}
	if err != nil || !slices.Equal(c.Idle, want) || len(c.Unknown) > 0 || c.NoExploring {
		t.Errorf("%q, %v", c.Idle, err)
	}
}

func TestMisspeltThresholds(t *testing.T) {
	c, err := Parse([]byte("due:\n  wrok: 20m\n  phases:\n    build: {task: 1, work: 5m}\nretention:\n  max_ages: 30d\n  max_per_session: 3\nsecrets:\n  allows: []\n"))
	if want := []string{"due.phases.build.task", "due.wrok", "retention.max_ages", "secrets.allows"}; err != nil || !slices.Equal(c.Unknown, want) {
		t.Errorf("unknown %q, %v", c.Unknown, err)
	}
}

func TestParseRefuses(t *testing.T) {
	for src, want := range map[string]string{
		"commit: later\n":                                 `config.yaml: line 1: commit: invalid value "later" (want own, ref or off)`,
		"recover: always\n":                               `config.yaml: line 1: recover: invalid value "always" (want suggest or write)`,
		"commit: [own\n":                                  "config.yaml: line 1: ",
		"# a\n\ncommit: [own]\n":                          "config.yaml: line 3: a list has no place there",
		"due:\n  phases:\n    build: 3\n":                 "config.yaml: line 3: a number has no place there",
		"due:\n  phases:\n    build: {}\n    BUILD: {}\n": "due: phases: build: the phase is there twice, apart from capitals",
		"subject: nothing in it\n":                        "{op}",
		"due:\n  work: often\n":                           `"often"`,
		"due:\n  files: -1\n":                             `"-1"`,
		"retention:\n  max_age: long\n":                   `"long"`,
		"retention:\n  max_per_session: -1\n":             `"-1"`,
		"retention:\n  schedule: at noon\n":               `"at noon"`,
		"retention: 30d\n":                                "config.yaml",
		"due:\n  phases:\n    draft: {tasks: many}\n":     `line 3: due: phases: draft: tasks: invalid number "many"`,
		"due:\n  phases:\n    draft: {work: a while}\n":   `due: phases: draft: work: invalid time "a while"`,
		"due:\n  phases: [draft]\n":                       "config.yaml",
		"due: 10m\n":                                      "config.yaml: line 1: a text has no place there",
		"subject: \"{op}\\nmore\"\n":                      "one line",
		"secrets:\n  allow: [a, '(']\n":                   "item 2",
		"secrets:\n  allow: ['']\n":                       "item 1",
		"secrets: yes please\n":                           "config.yaml",
	} {
		_, err := Parse([]byte(src))
		if err == nil || fault.KindOf(err) != fault.Invalid || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", src, err, want)
		}
	}
}

func TestRecover(t *testing.T) {
	for src, want := range map[string]bool{"": false, "recover: suggest\n": false, "recover: write\n": true} {
		if c, err := Parse([]byte(src)); err != nil || c.Recover != want || len(c.Unknown) > 0 {
			t.Errorf("%q: got %+v, %v", src, c, err)
		}
	}
}

func TestSubjectFor(t *testing.T) {
	for want, in := range map[string][3]string{
		"ckpt: delta chk-a: login works": {"delta", "chk-a", "login works"},
		"ckpt: init: keep checkpoints":   {"init", "", "keep checkpoints"},
		"ckpt: use chk-a":                {"use", "chk-a", ""},
	} {
		if got := Default().SubjectFor(in[0], in[1], in[2]); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestSecrets(t *testing.T) {
	c, err := Parse([]byte("secrets:\n  allow_rules: [jwt]\n  allow: ['^demo-', EXAMPLE]\n"))
	if err != nil || !slices.Equal(c.Secrets.AllowRules, []string{"jwt"}) || !slices.Equal(c.Secrets.Allow, []string{"^demo-", "EXAMPLE"}) || len(c.Unknown) > 0 {
		t.Errorf("got %+v, %v", c, err)
	}
}

// FuzzParse: whatever the file, it is read or refused.
func FuzzParse(f *testing.F) {
	f.Add(Starter())
	f.Add("commit: ref\ndelta: {files: 3, phases: {build: {tasks: 1}}}\n")
	f.Add("{[a], <<: {z: 1}}\n")
	f.Fuzz(func(t *testing.T, src string) {
		if _, err := Parse([]byte(src)); err != nil && fault.KindOf(err) != fault.Invalid {
			t.Errorf("kind %v: %v", fault.KindOf(err), err)
		}
	})
}
