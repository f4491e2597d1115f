package record

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCommandLine(t *testing.T) {
	for src, want := range map[string]string{
		"":                                     "",
		"go test ./...":                        "go test ./...",
		"  go  test\t./... \n":                 "go test ./...",
		"cd x\ngo vet &&\n  go test":           "cd x; go vet && go test",
		"go test \\\n  -run X":                 "go test -run X",
		"go test ./\\\ncmd":                    "go test ./cmd",
		"make # don't\nls":                     "make; ls",
		"for f in *; do\n  echo $f\ndone":      "for f in *; do echo $f; done",
		"git commit -m 'One\n\nTwo; three'":    "git commit -m 'One Two; three'",
		"cat > a.go <<'EOF'\npackage a\nEOF\n": "cat > a.go <<'EOF'",
		"cat > a.go <<EOF && make\nit's a \"\nEOF\ngo test":                "cat > a.go <<EOF && make; go test",
		"cat <<-\"END\" | sort\n\tb\n\tEND\nls":                            "cat <<-\"END\" | sort; ls",
		"cat <<A <<B\na\nA\nb\nB\nls":                                      "cat <<A <<B; ls",
		"git commit -m \"$(cat <<'EOF'\nSecret text\nEOF\n)\" && git push": "git commit -m \"$(cat <<'EOF' )\" && git push",
		"cat <<'EOF' > a\nthe end is cut":                                  "cat <<'EOF' > a",
		"python3 - <<'EOF'\r\nprint(1)\r\nEOF\r\nls":                       "python3 - <<'EOF'; ls",
		"wc <<< \"a b\"":         "wc <<< \"a b\"",
		"echo $((1<<3))\nls":     "echo $((1<<3)); ls",
		"echo 'a << b'\nls":      "echo 'a << b'; ls",
		"echo \\<\\<EOF\nls":     "echo \\<\\<EOF; ls",
		"a\x1b[31m\x00b \xff":    "a [31m b",
		strings.Repeat("é", 200): strings.Repeat("é", 200),
		strings.Repeat("é", 201): strings.Repeat("é", 199) + "…",
		"<<":                     "<<",
		"cat <<":                 "cat <<",
		"cat <<'":                "cat <<'",
		"echo \"":                "echo \"",
		"apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: x\n+one\nEOF": "apply_patch <<'EOF'",
	} {
		if got := CommandLine(src, same); got != want {
			t.Errorf("%q\n got %q\nwant %q", src, got, want)
		}
	}
}

func same(s string) string { return s }

func TestHidden(t *testing.T) {
	hide := func(s string) string { return strings.ReplaceAll(s, strings.Repeat("k", 100), "[secret]") }
	got := CommandLine("run "+strings.Repeat("x", 150)+" "+strings.Repeat("k", 100)+" behind", hide)
	if !strings.HasSuffix(got, "x [secret] behind") {
		t.Errorf("got %q", got)
	}
}

func TestOnlyCkpt(t *testing.T) {
	for src, want := range map[string]bool{
		"ckpt resume":                                     true,
		"/usr/bin/ckpt status --json":                     true,
		`/c/bin/ckpt.exe log`:                             true,
		"cd sub && ckpt note context 'a; b && make'":      true,
		"ckpt delta -F - <<'EOF'\nmake && go test\nEOF":   true,
		"cat <<'EOF' | ckpt delta -F -\nrm -rf\nEOF\n":    true,
		"CKPT_ID=x ckpt resume 2>&1 | head -50":           true,
		"ckpt done 1; ckpt next 'x'\nckpt status || true": true,
		"(cd a && ckpt resume)":                           true,
		"ckpt delta -F - <<'EOF'\nx\nEOF\ngo test":        false,
		"ckpt resume >/dev/null":                          true,
		"ckpt delta -m x && ./deploy.sh":                  false,
		"go test ./... && ckpt done 1":                    false,
		"echo x > a.go && ckpt done 1":                    false,
		"sed -i s/a/b/ x && ckpt done 1":                  false,
		"go run ./cmd/ckpt resume":                        false,
		"ckpt-view x":                                     false,
		"echo ckpt":                                       false,
		"cd x":                                            false,
		"":                                                false,
	} {
		if got := OnlyCkpt(src); got != want {
			t.Errorf("%q: %t", src, got)
		}
	}
}

func TestLastLine(t *testing.T) {
	zero, one := 0, 1
	hide := func(s string) string { return strings.ReplaceAll(s, "hunter2", "[secret]") }
	for _, tt := range []struct {
		command string
		exit    *int
		end     string
		want    string
	}{
		{"make", &one, "a\n  b\tc  \n\n", "b c"},
		{"make", &one, "password hunter2", "password [secret]"},
		{"make", &one, "", ""},
		{"make", &zero, "done", ""},
		{"make", nil, "done", ""},
		{"go test ./...", &zero, "ok", "ok"},
		{"go test ./... | tail -4", &zero, "x\nFAIL", "FAIL"},
		{"grep x y", &one, "no such file", ""},
		{"make", &one, strings.Repeat("ä", 300), strings.Repeat("ä", 199) + "…"},
	} {
		if got := LastLine(tt.command, tt.exit, tt.end, hide); got != tt.want {
			t.Errorf("%s, %q: got %q, want %q", tt.command, tt.end, got, tt.want)
		}
	}
}

// FuzzCommandLine checks that any command becomes one short line of valid UTF-8.
func FuzzCommandLine(f *testing.F) {
	f.Add("cat > a.go <<'EOF' && make\npackage a\nEOF\ngo test # x")
	f.Add("git commit -m \"$(cat <<-EOF\n\ta\n\tEOF\n)\"; a 'b' \\\n <<< x & 2>&1")
	f.Fuzz(func(t *testing.T, src string) {
		line := CommandLine(src, same)
		if strings.ContainsAny(line, "\n\r\x1b\x00") || utf8.RuneCountInString(line) > maxCommand || !utf8.ValidString(line) {
			t.Errorf("%q gives %q", src, line)
		}
		OnlyCkpt(src)
	})
}
