package schema_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/checkpoint/value"
	"example.com/ckpt/internal/edit/fold"
	"example.com/ckpt/internal/transfer/schema"
)

// saved records an import on top of a checkpoint, as ckpt delta and checkpoint_save do.
func saved(t *testing.T, c *checkpoint.Checkpoint, o value.Object, at time.Time) *checkpoint.Checkpoint {
	t.Helper()
	im, err := schema.Of(o)
	if err != nil {
		t.Fatal(err)
	}
	r := revise.Begin(c).Drop("trigger")
	if _, err := im.Record(c, r, revise.Progress{}, at); err != nil {
		t.Fatal(err)
	}
	next, err := r.Apply()
	if err != nil {
		src, _ := value.JSON(o)
		t.Fatalf("%v\n%s\n%s", err, src, c.Doc.Bytes())
	}
	return next
}

// TestWhatIsSavedIsLoaded saves unrelated states one after the other: each comes back as
// it was saved, and a fold changes nothing of it.
func TestWhatIsSavedIsLoaded(t *testing.T) {
	for _, odd := range []bool{false, true} {
		r := rand.New(rand.NewPCG(5, 6))
		for i := range 150 {
			name, o := generated(r, odd)
			src, _ := value.JSON(o)
			c := taken(t, string(src))
			for n := range 5 {
				another, o := generated(r, odd)
				for another != name {
					another, o = generated(r, odd)
				}
				c = saved(t, c, o, now.Add(time.Duration(n)*time.Hour))
				load := given(t, c, name)
				src, _ := value.JSON(o)
				if lost := holds(load, o, string(name)); lost != "" {
					t.Fatalf("%d, save %d: %s\n%s\n%s", i, n, lost, src, c.Doc.Bytes())
				}
				if stale := ofAnotherSave(load, o); stale != "" {
					t.Fatalf("%d, save %d: %s is of an older save\n%s\n%s", i, n, stale, src, c.Doc.Bytes())
				}
				if blocks := strings.Count("\n"+string(c.Doc.Bytes()), "\n## Further Fields\n") + strings.Count(string(c.Doc.Bytes()), "\n### Further Fields\n"); blocks > 1 {
					t.Fatalf("%d, save %d: %d times Further Fields\n%s", i, n, blocks, c.Doc.Bytes())
				}
				folded, _, err := fold.Fold(c)
				if err != nil {
					continue
				}
				if after := given(t, folded, name); !value.Equal(after, load) {
					t.Fatalf("%d, save %d: folded it loads as\n%s\nand was\n%s\n%s\n%s", i, n, text(after), text(load), c.Doc.Bytes(), folded.Doc.Bytes())
				}
				if r.IntN(3) == 0 {
					c = folded
				}
			}
		}
	}
}

// TestWithoutDigests removes the comment with the digests by hand: an export gives what was
// saved, and the next save is complete again.
func TestWithoutDigests(t *testing.T) {
	const src = `{"sessionId":"s","state":{"query":"q","currentStepIndex":1,"context":{"a":1},` +
		`"plan":[{"id":"1","description":"Find them","parameters":{"to":"all"},"status":"pending"}]}}`
	c := taken(t, src)
	text, _, _ := strings.Cut(string(c.Doc.Bytes()), "\n<!-- saved as ")
	c, err := checkpoint.Parse(c.Path, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if lost := holds(given(t, c, schema.State), must(t, src), ""); lost != "" {
		t.Error(lost)
	}
	c = saved(t, c, must(t, `{"sessionId":"s","state":{"query":"q","plan":[],"currentStepIndex":0}}`).(value.Object), now)
	plan, _ := value.Get(given(t, c, schema.State), "state", "plan")
	if all, ok := plan.([]any); !ok || len(all) > 0 || strings.Count(string(c.Doc.Bytes()), "<!-- saved as ") != 1 {
		t.Errorf("the plan is %v\n%s", plan, c.Doc.Bytes())
	}
}

func must(t *testing.T, src string) any {
	t.Helper()
	v, err := value.Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// ofAnotherSave returns the path of a member that tells of one save, and that the save
// does not have; "" for none.
func ofAnotherSave(load, o value.Object) string {
	for _, path := range []string{"metadata.description", "metadata.tokenUsage", "metadata.trigger", "metadata.branch", "metadata.estimated_completion", "resumePointer.currentContext", "resumePointer.phase", "tokensUsed"} {
		keys := strings.Split(path, ".")
		if _, given := value.Get(o, keys...); !given {
			if _, there := value.Get(load, keys...); there {
				return path
			}
		}
	}
	if _, failed := value.Get(o, "state", "lastError"); !failed {
		if _, planned := value.Get(o, "state", "plan"); planned {
			if _, there := value.Get(load, "state", "lastError"); there {
				return "state.lastError"
			}
		}
	}
	return ""
}

func text(v any) string {
	src, _ := value.JSON(v)
	return string(src)
}
