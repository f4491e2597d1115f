package due_test

import (
	"testing"
	"time"

	"example.com/ckpt/internal/core/due"
)

func TestList(t *testing.T) {
	policy := due.Default()
	policy.Files = 0
	a := due.Decide("chk-a", due.Traces{Since: since, Edits: after(4, 8, 12), Files: 3}, policy, after(20)[0])
	last := map[due.Trigger]time.Time{due.Work: after(-60)[0], "lunch": since}
	got := map[due.Trigger]due.Entry{}
	for _, e := range a.List(last) {
		if _, twice := got[e.Name]; twice {
			t.Errorf("%s stands there twice", e.Name)
		}
		got[e.Name] = e
	}
	for _, name := range due.Names() {
		if e := got[due.Trigger(name)]; e.Means == "" {
			t.Errorf("%s has no meaning", name)
		}
	}
	if e := got[due.Work]; !e.Due || e.Limit != 600 || e.So != 720 || e.SoFar != "12 minutes" || !e.LastAt.Equal(last[due.Work]) {
		t.Errorf("work: %+v", e)
	}
	if e := got[due.Files]; e.Due || !e.Off || e.So != 3 {
		t.Errorf("files: %+v", e)
	}
	if e := got["lunch"]; e.Seen || e.Means != "" || !e.LastAt.Equal(since) {
		t.Errorf("lunch: %+v", e)
	}
	if e := got["pre-compact"]; e.Seen || !e.LastAt.IsZero() {
		t.Errorf("pre-compact: %+v", e)
	}
}
