package policy_test

import (
	"testing"
	"time"

	"example.com/ckpt/internal/core/policy"
)

func TestList(t *testing.T) {
	cfg := policy.DefaultDue()
	cfg.Files = 0
	a := policy.Remind("chk-a", policy.Traces{Since: since, Edits: after(4, 8, 12), Files: 3}, cfg, after(20)[0])
	last := map[policy.Trigger]time.Time{policy.OnWork: after(-60)[0], "lunch": since}
	got := map[policy.Trigger]policy.TriggerState{}
	for _, e := range a.List(last) {
		if _, twice := got[e.Name]; twice {
			t.Errorf("%s stands there twice", e.Name)
		}
		got[e.Name] = e
	}
	for _, name := range policy.TriggerNames() {
		if e := got[policy.Trigger(name)]; e.Means == "" {
			t.Errorf("%s has no meaning", name)
		}
	}
	if e := got[policy.OnWork]; !e.Due || e.Limit != 600 || e.So != 720 || e.SoFar != "12 minutes" || !e.LastAt.Equal(last[policy.OnWork]) {
		t.Errorf("work: %+v", e)
	}
	if e := got[policy.OnFiles]; e.Due || !e.Off || e.So != 3 {
		t.Errorf("files: %+v", e)
	}
	if e := got["lunch"]; e.Seen || e.Means != "" || !e.LastAt.Equal(since) {
		t.Errorf("lunch: %+v", e)
	}
	if e := got["pre-compact"]; e.Seen || !e.LastAt.IsZero() {
		t.Errorf("pre-compact: %+v", e)
	}
}
