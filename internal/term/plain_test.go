package term

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestPlain(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"text", "a\tb\nc", "a\tb\nc"},
		{"other scripts and emoji", "naïve 日本 👩‍👩‍👧 שלום", "naïve 日本 👩‍👩‍👧 שלום"},
		{"colour", "\x1b[1;31mred\x1b[0m", "red"},
		{"cursor and screen", "a\x1b[2J\x1b[10;10Hb\x1b[?1049h", "ab"},
		{"clipboard, ended by BEL", "a\x1b]52;c;ZXZpbA==\ab", "ab"},
		{"title, ended by ST", "a\x1b]0;title\x1b\\b", "ab"},
		{"link", "\x1b]8;;http://x\x1b\\text\x1b]8;;\x1b\\", "text"},
		{"DCS, APC, PM, SOS", "a\x1bPq#0\x1b\\b\x1b_x\x1b\\c\x1b^x\x1b\\d\x1bXx\x1b\\e", "abcde"},
		{"8-bit CSI as a rune", "a\u009b31mb", "ab"},
		{"8-bit CSI as a raw byte", "a\x9b31mb", "ab"},
		{"8-bit OSC and ST as raw bytes", "a\x9d0;title\x9cb", "ab"},
		{"8-bit controls alone", "a\u0085b\u0084c\x88d", "abcd"},
		{"reset, charset", "a\x1bcb\x1b(0c\x1b#8d", "abcd"},
		{"an end without a beginning", "a\x1b\\b\u009cc", "abc"},
		{"a sequence within a sequence", "a\x1b[3\x1b[31mb", "ab"},
		{"unfinished CSI keeps the next line", "a\x1b[31\nb", "a\nb"},
		{"unfinished OSC keeps the next line", "a\x1b]0;gone\nb", "a\nb"},
		{"ESC at the end", "a\x1b", "a"},
		{"ESC before a newline", "a\x1b\nb", "a\nb"},
		{"backspace, bell, form feed, DEL, NUL", "a\bb\ac\fd\x7fe\x00f", "abcdef"},
		{"CRLF", "a\r\nb\r\n", "a\nb\n"},
		{"overwriting the line", "good\rbad", "goodbad"},
		{"bidi override", "a\u202eb\u2066c\u2069", "a\ufffdb\ufffdc\ufffd"},
		{"right-to-left mark stays", "a\u200fb", "a\u200fb"},
		{"invalid UTF-8", "a\xffb\xc3", "a\ufffdb\ufffd"},
		{"a cut rune before ESC", "\xe2\x1b[31mx", "\ufffdx"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Plain(tt.in); got != tt.want {
				t.Errorf("Plain(%q)\n got %q\nwant %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestPlainKeepColor(t *testing.T) {
	in := "\x1b[1;38;5;252mred\x1b[m \x1b[2J\x1b]52;c;eA==\a\x1b[>4;1m\u009b31mend"
	want := "\x1b[1;38;5;252mred\x1b[m \x1b[31mend"
	if got := PlainKeepColor(in); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func FuzzPlain(f *testing.F) {
	for _, seed := range []string{
		"", "text\r\n", "\x1b]52;c;eA==\a", "\x1b[1;31mx\x1b[0m", "\u009b31mx", "\x9d0;x\x9c", "\u202e", "\xe2\x82", "\x1bP\x1b[\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		got := Plain(in)
		if !utf8.ValidString(got) {
			t.Errorf("Plain(%q) is not UTF-8: %q", in, got)
		}
		for _, r := range got {
			if isControl(r) {
				t.Errorf("Plain(%q) lets %U through: %q", in, r, got)
			}
		}
		if strings.Count(got, "\n") != strings.Count(in, "\n") {
			t.Errorf("Plain(%q) lost or made a line: %q", in, got)
		}
		if again := Plain(got); again != got {
			t.Errorf("Plain twice: %q, then %q", got, again)
		}
		if back := Plain(PlainKeepColor(in)); back != got {
			t.Errorf("PlainKeepColor keeps more than colour: %q, want %q", back, got)
		}
	})
}

func BenchmarkPlain(b *testing.B) {
	text := strings.Repeat("An ordinary line — with a dash.\n", 1000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Plain(text)
	}
}
