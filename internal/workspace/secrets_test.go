package workspace

import (
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/secrets"
)

// secret looks like a secret but is not one. It is in two pieces so that no scanner finds it here.
const secret = "ghp_" + "1234567890abcdefghijABCDEFGHIJ123456"

// TestSecrets refuses an operation that adds what looks like a secret, and no other.
func TestSecrets(t *testing.T) {
	tests := []struct {
		name    string
		config  string // git config ckpt.commit
		before  func(*project)
		plan    PlanFunc
		allow   bool // --allow-secret
		noFlags bool
		refused string // in the error; empty if it is allowed
	}{
		{name: "in a note", plan: adding(alpha, "key "+secret), refused: "checkpoints/" + alpha + ", line"},
		{name: "in a note that is only written", config: "off", plan: adding(alpha, "key "+secret), refused: alpha},
		{name: "--allow-secret", plan: adding(alpha, "key "+secret), allow: true},
		{name: "ckpt:allow", plan: allowed(alpha)},
		{name: "in a note for callers without flags", plan: adding(alpha, "key "+secret), noFlags: true, refused: alpha},
		{
			name: "in the summary", refused: "the commit message",
			plan: func(v *View, now time.Time) (*Tx, error) {
				o, err := adding(alpha, "Two.")(v, now)
				o.Summary = "key " + secret
				return o, err
			},
		},
		{
			name: "beside an old one", plan: adding(alpha, "Two."),
			before: func(p *project) { p.Commit("Key", "checkpoints/"+alpha, p.onDisk(alpha)+"- key "+secret+"\n") },
		},
		{
			name: "in a hand edit", plan: adding(alpha, "Two."), refused: alpha,
			before: func(p *project) { p.edit(alpha, "- One.", "- key "+secret) },
		},
		{
			name: "in a version that history has",
			plan: func(v *View, _ time.Time) (*Tx, error) {
				src, err := v.Store.Read(alpha)
				o := &Tx{Op: "restore", ID: "chk-alpha", Mode: Restore, Summary: "as it was"}
				o.Put(alpha, src, []byte(string(src)+"- key "+secret+"\n"))
				return o, err
			},
		},
		{
			name: "during a bisect", plan: adding(alpha, "key "+secret), refused: alpha,
			before: func(p *project) { p.Git("bisect", "start") },
		},
		{
			name: "in a rule that the policy allows", plan: adding(alpha, "key "+secret),
			before: func(p *project) {
				p.Commit("Policy", "checkpoints/config.yaml", "secrets:\n  allow:\n    - "+secret+"\n")
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newProject(t)
			if tt.config != "" {
				p.Git("config", "ckpt.commit", tt.config)
			}
			if tt.before != nil {
				tt.before(p)
			}
			p.settings.AllowSecret, p.settings.NoFlags = tt.allow, tt.noFlags
			head, text := p.Git("rev-parse", "HEAD"), p.onDisk(alpha)
			_, err := p.change(tt.plan)
			if tt.refused == "" {
				gittest.Must(t, err)
				return
			}
			checkError(t, err, tt.refused, fault.Refused)
			if strings.Contains(err.Error()+fault.HintOf(err), secret) {
				t.Errorf("the error has the secret: %v", err)
			}
			if strings.Contains(fault.HintOf(err), "--allow-secret") == tt.noFlags {
				t.Errorf("the hint is %q", fault.HintOf(err))
			}
			if p.Git("rev-parse", "HEAD") != head || p.onDisk(alpha) != text {
				t.Error("something has changed")
			}
			if out, _ := p.TryGit("for-each-ref", "refs/ckpt"); out != "" {
				t.Errorf("refs: %s", out)
			}
		})
	}
}

// allowed plans to add a secret in a line with the mark that allows it.
func allowed(rel string) PlanFunc {
	return func(v *View, now time.Time) (*Tx, error) {
		o, err := adding(rel, "key "+secret+" <!-- ckpt:allow -->")(v, now)
		o.Summary = "a key"
		return o, err
	}
}

// TestSecretsAt names the first place and counts the others.
func TestSecretsAt(t *testing.T) {
	if err := SecretsAt(nil); err != nil {
		t.Error(err)
	}
	checkError(t, SecretsAt([]string{"a.md, line 1: x"}), "a.md, line 1: x", fault.Refused)
	checkError(t, SecretsAt([]string{"a", "b", "c"}), "a, and 2 more", fault.Refused)
	if got := UnknownRules([]string{"github-pat", "no-such", "nor-this"}); !strings.HasSuffix(got, `"no-such", "nor-this"`) {
		t.Errorf("unknown rules: %s", got)
	}
	if path := Redacted("active/chk-"+secret+".md", "x "+secret, findingOf(t, "x "+secret)); strings.Contains(path, secret) ||
		!checkpoint.IsFile(path) {
		t.Errorf("path %s", path)
	}
}

// findingOf returns the only finding in a text.
func findingOf(t *testing.T, text string) secrets.Finding {
	t.Helper()
	all := GuardOf(policy.Default()).Scan("", text)
	if len(all) != 1 {
		t.Fatalf("findings %+v", all)
	}
	return all[0]
}
