package settings

import (
	"strings"
	"testing"

	"example.com/ckpt/internal/agents/protocol"
	"example.com/ckpt/internal/fault"
)

// blockOf returns the instructions, and their text.
func blockOf() (Piece, string) {
	b := instructions("checkpoints", true)
	return Piece{What: instructionsPiece, Path: commonMemory, part: b}, b.text
}

const (
	blockBegin = "<!-- ckpt:begin -->"
	blockEnd   = "<!-- ckpt:end -->"
)

func FuzzBlock(f *testing.F) {
	for _, text := range []string{"", "x", "x\n", "x\n\n", "x\r\n", "x\r\ny", "a\r", "\n", "\r\n", "\xef\xbb\xbf", "<!-- ckpt:end -->", "# A\n\n```\n<!-- ckpt:begin --> \n```\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		p, _ := blockOf()
		if state, _, err := p.State(src); err == nil && state == Absent {
			thereAndBack(t, p, src)
		}
	})
}

func TestBlock(t *testing.T) {
	p, text := blockOf()
	made, _ := p.Add(nil)
	if back, err := p.Drop(made); back != nil || err != nil {
		t.Errorf("a file that Add made: %q, %v", back, err)
	}
	old := strings.Replace(text, "## Checkpoints", "## Checkpoints of old", 1)
	old = strings.Replace(old, hash(unsealed(text)), hash(unsealed(old)), 1)
	if state, _, _ := p.State([]byte("# A\n\n" + old + "\n")); state != Stale {
		t.Errorf("another version's block is %s", state)
	}
	if now, err := p.Add([]byte("# A\n\n" + old + "\n# B\n")); err != nil || string(now) != "# A\n\n"+text+"\n# B\n" {
		t.Errorf("%v\n%s", err, now)
	}
	if now, err := p.Drop([]byte("# A\n\n" + old + "\n# B\n")); err != nil || string(now) != "# A\n# B\n" {
		t.Errorf("%v\n%s", err, now)
	}
	edited := "# A\n\n" + strings.Replace(text, "small", "big", 1) + "\n"
	for _, do := range []func([]byte) ([]byte, error){p.Add, p.Drop} {
		if now, err := do([]byte(edited)); err != nil || string(now) != edited {
			t.Errorf("an edited block: %v\n%s", err, now)
		}
	}
	for _, src := range []string{
		"a\n" + blockBegin + "\n", blockBegin + "\n" + blockEnd + "\n\n" + blockEnd,
		blockBegin + "\n" + blockBegin + "\n" + blockEnd, text + "\n" + text,
	} {
		if now, err := p.Add([]byte(src)); fault.KindOf(err) != fault.Invalid {
			t.Errorf("%q became %q, %v", src, now, err)
		}
	}
}

// unsealed returns a text as it was before it was sealed.
func unsealed(text string) string {
	before, rest, _ := strings.Cut(text, sealBefore)
	_, after, _ := strings.Cut(rest, sealAfter)
	return before + "%SEAL%" + after
}

// TestSeals checks that every text of ckpt is intact with either kind of line ends, and is not
// intact if a letter is changed.
func TestSeals(t *testing.T) {
	for _, text := range []string{instructions("x", false).text, instructions("x", true).text, inFolder(skillText, "x"), sealed(handoffText), sealed(openCodeText)} {
		for changed, want := range map[string]State{
			text:                                   Present,
			strings.ReplaceAll(text, "\n", "\r\n"): Present,
			strings.Replace(text, "e", "E", 1):     Edited,
			"":                                     Edited,
		} {
			if state, _, _ := sealState(changed, text, ""); state != want {
				t.Errorf("%s, want %s:\n%s", state, want, changed)
			}
		}
		if state, _, _ := sealState(text, text+"\n", ""); state != Stale {
			t.Errorf("the text of another version is %s", state)
		}
		if strings.Contains(text, "%") {
			t.Errorf("a placeholder is left:\n%s", text)
		}
	}
}

// TestTextsAreShort bounds the texts that agents read whole: the instructions with every request,
// the skill when it is used.
func TestTextsAreShort(t *testing.T) {
	for _, imports := range []bool{false, true} {
		if n := len(instructions("checkpoints", imports).text); n >= 1300 {
			t.Errorf("the instructions have %d bytes of 1,300 (imports: %t)", n, imports)
		}
	}
	if n := len(inFolder(skillText, "checkpoints")); n >= 3100 {
		t.Errorf("the skill has %d bytes of 3,100", n)
	}
}

// TestHooksAreKnown checks that `ckpt hook` knows every hook that setup installs.
func TestHooksAreKnown(t *testing.T) {
	for _, a := range All() {
		for _, h := range a.hooks {
			if !protocol.Known(a.Name, h.event) {
				t.Errorf("ckpt hook %s %s is not known", a.Name, h.event)
			}
		}
		if len(a.hooks) == 0 && !strings.Contains(openCodeText, `"`+a.Name+`"`) {
			t.Errorf("the plugin does not name %s", a.Name)
		}
	}
}
