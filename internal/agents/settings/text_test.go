package settings

import (
	"errors"
	"strings"
	"testing"

	"example.com/ckpt/internal/agents/protocol"
)

func blockOf() block {
	return block{place{"", "AGENTS.md", "instructions"}, instructions("checkpoints", true), markdownMarks}
}

func FuzzBlock(f *testing.F) {
	for _, text := range []string{"", "x", "x\n", "x\n\n", "x\r\n", "x\r\ny", "a\r", "\n", "\r\n", "\xef\xbb\xbf", "<!-- ckpt:end -->", "# A\n\n```\n<!-- ckpt:begin --> \n```\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		b := blockOf()
		if state, _, err := b.State(src); err != nil || state != Absent {
			return
		}
		added, err := b.Add(src)
		if err != nil {
			t.Fatal(err)
		}
		if state, said, err := b.State(added); state != Present || err != nil {
			t.Errorf("%q: %s %s %v", src, state, said, err)
		}
		if again, err := b.Add(added); err != nil || string(again) != string(added) {
			t.Errorf("a second Add of %q: %v", src, err)
		}
		if back, err := b.Drop(added); err != nil || string(back) != string(src) || back == nil {
			t.Errorf("Drop(Add(%q)) = %q, %v", src, back, err)
		}
	})
}

func TestBlock(t *testing.T) {
	b := blockOf()
	made, _ := b.Add(nil)
	if back, err := b.Drop(made); back != nil || err != nil {
		t.Errorf("a file that Add made: %q, %v", back, err)
	}
	old := strings.Replace(b.text, "## Checkpoints", "## Checkpoints of old", 1)
	old = strings.Replace(old, hash(unsealed(b.text)), hash(unsealed(old)), 1)
	if state, _, _ := b.State([]byte("# A\n\n" + old + "\n")); state != Stale {
		t.Errorf("another version's block is %s", state)
	}
	if now, err := b.Add([]byte("# A\n\n" + old + "\n# B\n")); err != nil || string(now) != "# A\n\n"+b.text+"\n# B\n" {
		t.Errorf("%v\n%s", err, now)
	}
	if now, err := b.Drop([]byte("# A\n\n" + old + "\n# B\n")); err != nil || string(now) != "# A\n# B\n" {
		t.Errorf("%v\n%s", err, now)
	}
	edited := "# A\n\n" + strings.Replace(b.text, "small", "big", 1) + "\n"
	for _, do := range []func([]byte) ([]byte, error){b.Add, b.Drop} {
		if now, err := do([]byte(edited)); err != nil || string(now) != edited {
			t.Errorf("an edited block: %v\n%s", err, now)
		}
	}
	for text, line := range map[string]int{
		"a\n" + markdownMarks.begin + "\n":                                 2,
		markdownMarks.begin + "\n" + blockEnd + "\n\n" + blockEnd:          4,
		markdownMarks.begin + "\n" + markdownMarks.begin + "\n" + blockEnd: 2,
		b.text + "\n" + b.text:                                             1 + strings.Count(b.text, "\n") + 1,
	} {
		broken, ok := errors.AsType[*Broken](second(b.Add([]byte(text))))
		if !ok || broken.Line != line {
			t.Errorf("%q: %v, want line %d", text, broken, line)
		}
	}
}

func second(_ []byte, err error) error { return err }

// unsealed is a text as it was before it was sealed.
func unsealed(text string) string {
	before, rest, _ := strings.Cut(text, sealBefore)
	_, after, _ := strings.Cut(rest, sealAfter)
	return before + "%SEAL%" + after
}

// Every text of ours is intact as written, with the line ends of either system, and
// not with a letter changed.
func TestSeals(t *testing.T) {
	for _, text := range []string{instructions("x", false), instructions("x", true), inFolder(skillText, "x"), sealed(handoffText), sealed(openCodeText)} {
		if !intact(text) || !intact(strings.ReplaceAll(text, "\n", "\r\n")) || intact(strings.Replace(text, "e", "E", 1)) || intact("") {
			t.Errorf("the seal does not hold:\n%s", text)
		}
		if strings.Contains(text, "%") {
			t.Errorf("a place is not filled in:\n%s", text)
		}
	}
}

// Agents read these texts whole: the instructions with every request, the skill when it
// is used.
func TestTextsAreShort(t *testing.T) {
	for _, imports := range []bool{false, true} {
		if n := len(instructions("checkpoints", imports)); n >= 1300 {
			t.Errorf("the instructions have %d bytes of 1,300 (imports: %t)", n, imports)
		}
	}
	if n := len(inFolder(skillText, "checkpoints")); n >= 3100 {
		t.Errorf("the skill has %d bytes of 3,100", n)
	}
}

// Every hook that is installed is one that `ckpt hook` knows.
func TestHooksAreKnown(t *testing.T) {
	for _, a := range All() {
		if !a.plugin && len(a.handlers) == 0 {
			t.Errorf("%s has no hooks", a.Name)
		}
		for _, h := range a.handlers {
			if !protocol.Known(a.Name, h.event) {
				t.Errorf("ckpt hook %s %s is not known", a.Name, h.event)
			}
		}
		if a.plugin && !strings.Contains(openCodeText, `"`+a.Name+`"`) {
			t.Errorf("the plugin does not name %s", a.Name)
		}
	}
}
