package record

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

func exit(n int) *int { return &n }

func entries() []Entry {
	return []Entry{
		{At: noon, Agent: "claude", Session: "s-1", Event: "session-start"},
		{At: noon.Add(time.Second), Agent: "claude", Session: "s-1", Event: "prompt"},
		{At: noon.Add(time.Minute), Agent: "claude", Session: "s-1", Event: "tool", Tool: "Write", Files: []string{"a.go", "b/ü <c>.go"}},
		{At: noon.Add(time.Hour), Agent: "codex", Session: "s-2", Event: "tool", Tool: "Bash", Command: `echo "{\"at\":\"x\"}" && go test ./...`, Exit: exit(1)},
		{At: noon.Add(2 * time.Hour), Agent: "claude", Session: "s-1", Event: "tool", Tool: "Bash", Command: "make", Exit: exit(0)},
	}
}

func encoded(all []Entry) []byte {
	var out []byte
	for _, e := range all {
		out = append(out, Encode(e)...)
	}
	return out
}

func TestEncode(t *testing.T) {
	got := string(Encode(entries()[3]))
	want := `{"at":"2026-11-22T13:00:00Z","agent":"codex","session":"s-2","event":"tool","tool":"Bash","command":"echo \"{\\\"at\\\":\\\"x\\\"}\" && go test ./...","exit":1}` + "\n"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestParse(t *testing.T) {
	all := entries()
	whole := encoded(all)
	last := Encode(all[4])
	for name, tc := range map[string]struct {
		src  string
		want []Entry
	}{
		"nothing":                {"", nil},
		"all":                    {string(whole), all},
		"CRLF":                   {strings.ReplaceAll(string(whole), "\n", "\r\n"), all},
		"no end of the last":     {strings.TrimSuffix(string(whole), "\n"), all},
		"garbage between":        {"x\n" + string(last) + "\x00\x00\n{}\n[]\n" + string(last), []Entry{all[4], all[4]}},
		"a torn line, one after": {string(whole[:len(whole)-20]) + string(last), append(slices.Clone(all[:4]), all[4])},
		"zeros from a power cut": {strings.Repeat("\x00", 100) + string(last), all[4:]},
		"no session":             {`{"at":"2026-11-22T13:00:00Z","event":"tool"}` + "\n", nil},
		"no time":                {`{"at":"soon","session":"s","event":"tool"}` + "\n", nil},
		"a key of a later ckpt":  {`{"at":"2026-11-22T12:00:00Z","agent":"claude","session":"s-1","event":"session-start","mood":[1]}` + "\n", all[:1]},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Parse([]byte(tc.src)); !reflect.DeepEqual(got, tc.want) {
				t.Errorf("got  %+v\nwant %+v", got, tc.want)
			}
		})
	}
}

// TestCutAnywhere cuts a record at every byte, and appends an entry to it.
func TestCutAnywhere(t *testing.T) {
	all := entries()
	whole := encoded(all)
	for n := range len(whole) + 1 {
		lines := bytes.Count(whole[:n], []byte("\n"))
		if n < len(whole) && whole[n] == '\n' { // all of the line but its end
			lines++
		}
		want := append(slices.Clone(all[:lines]), all[0])
		if got := Parse(append(bytes.Clone(whole[:n]), Encode(all[0])...)); !reflect.DeepEqual(got, want) {
			t.Fatalf("cut after %d bytes: %+v", n, got)
		}
	}
}

func TestManyFiles(t *testing.T) {
	e := entries()[2]
	e.Files = nil
	for range 1000 {
		e.Files = append(e.Files, "some/folder/with/a/file.go")
	}
	src := Encode(e)
	got := Parse(src)
	if len(src) > 4096 || len(got) != 1 || len(got[0].Files)+got[0].More != 1000 || len(got[0].Files) < 50 {
		t.Errorf("%d bytes: %+v", len(src), got)
	}
}

func TestSessions(t *testing.T) {
	got := Sessions(entries())
	if len(got) != 2 || got[0].ID != "s-1" || got[1].ID != "s-2" || len(got[0].Entries) != 4 || got[1].Agent != "codex" {
		t.Fatalf("got %+v", got)
	}
	if !got[0].First().Equal(noon) || !got[0].Last().Equal(noon.Add(2*time.Hour)) {
		t.Errorf("from %s to %s", got[0].First(), got[0].Last())
	}
}

// FuzzParse checks that Parse accepts any text, and finds as many entries in the encoded result.
func FuzzParse(f *testing.F) {
	whole := encoded(entries())
	f.Add(whole)
	f.Add(whole[:len(whole)-20])
	f.Add([]byte(`{"at":"2026-11-22T12:00:00Z","session":"s","event":"tool","exit":1e3}` + "\n\x00{"))
	f.Fuzz(func(t *testing.T, src []byte) {
		all := Parse(src)
		again := Parse(encoded(all))
		if len(all) != len(again) {
			t.Fatalf("%d entries, %d of them after Encode", len(all), len(again))
		}
		Sessions(all)
	})
}

// FuzzEncode checks that any entry becomes one line, from which Parse returns it if it is valid UTF-8.
func FuzzEncode(f *testing.F) {
	f.Add("claude", "s-1", "Bash", "a\nb", "go test\r\n./...", 1)
	f.Fuzz(func(t *testing.T, agent, session, tool, file, command string, code int) {
		want := Entry{At: noon, Agent: agent, Session: "s" + session, Event: "tool", Tool: tool, Files: []string{file}, Command: command, Exit: &code}
		src := Encode(want)
		if bytes.Count(src, []byte("\n")) != 1 || !bytes.HasSuffix(src, []byte("\n")) {
			t.Fatalf("not one line: %q", src)
		}
		got := Parse(src)
		if len(got) != 1 || len(got[0].Files)+got[0].More != 1 {
			t.Fatalf("%q gives %+v", src, got)
		}
		if utf8.ValidString(strings.Join([]string{agent, session, tool, file, command}, " ")) && !reflect.DeepEqual(got[0], want) {
			t.Fatalf("%+v is read as %+v", want, got[0])
		}
	})
}
