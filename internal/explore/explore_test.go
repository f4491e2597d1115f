package explore_test

import (
	"context"
	"strings"
	"testing"

	"example.com/ckpt/internal/edit/edittest"
	"example.com/ckpt/internal/explore"
	"example.com/ckpt/internal/result"
)

const auth = "checkpoints/active/chk-auth.md"

// project is a repository with code.go and the current checkpoint chk-auth. Each operation is an hour later
// than the one before.
type project struct{ *edittest.Project }

func newProject(t *testing.T) *project {
	t.Helper()
	p := &project{edittest.New(t, "code.go", "package code\n")}
	p.New("auth", "Logins fail.")
	return p
}

func (p *project) explorer() *explore.Explorer {
	p.Test.Helper()
	p.Later()
	return explore.New(p.Workspace())
}

func (p *project) mark(goal string) *result.Receipt {
	p.Test.Helper()
	receipt, err := p.explorer().Mark(context.Background(), goal)
	if err != nil {
		p.Test.Fatal(err)
	}
	return receipt
}

func (p *project) rewind(req explore.RewindRequest) *result.Receipt {
	p.Test.Helper()
	receipt, err := p.explorer().Rewind(context.Background(), req)
	if err != nil {
		p.Test.Fatal(err)
	}
	return receipt
}

// TestRewind replaces the mark and its scratch by a report, and keeps what else has changed.
func TestRewind(t *testing.T) {
	tests := []struct {
		name    string
		do      func(*project)
		req     explore.RewindRequest
		has     string // in the checkpoint
		remark  string
		subject string // of the commit
	}{
		{
			name: "a report", req: explore.RewindRequest{Report: "The proxy retries."}, has: "The proxy retries.",
			do:     func(p *project) { p.Note("", "step", "Read retry.go.") },
			remark: "the scratch stays in history: ckpt show chk-auth --at ", subject: "ckpt: rewind chk-auth: The proxy retries.",
		},
		{
			name: "given up", req: explore.RewindRequest{Abort: true}, has: "Logins fail.",
			do:     func(p *project) { p.Note("", "step", "Read retry.go.") },
			remark: "the scratch stays in history", subject: "ckpt: rewind chk-auth: gave up: Why?",
		},
		{
			name: "no scratch", req: explore.RewindRequest{Report: "Nothing."}, has: "Nothing.", do: func(*project) {},
			subject: "ckpt: rewind chk-auth: Nothing.",
		},
		{
			name: "an edit of another section", req: explore.RewindRequest{Report: "The proxy retries."},
			do: func(p *project) {
				p.Write(auth, strings.Replace(p.Read(auth), "Logins fail.", "Logins fail on Mondays.", 1))
			},
			has: "Logins fail on Mondays.", remark: "saved your edits of " + auth,
			subject: "ckpt: rewind chk-auth: The proxy retries.",
		},
		{
			name: "a scratch that no commit of the branch had", req: explore.RewindRequest{Report: "The proxy retries."},
			do: func(p *project) {
				p.Settings.NoCommit = true
				p.Note("", "step", "Read retry.go.")
				p.Settings.NoCommit = false
			},
			has: "The proxy retries.", remark: "the scratch stays in history: ckpt show chk-auth --at ",
			subject: "ckpt: publish: 2 operations",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newProject(t)
			p.mark("Why?")
			if src := p.Read(auth); !strings.Contains(src, "> Why?") {
				t.Fatalf("the checkpoint lacks the mark:\n%s", src)
			}
			tt.do(p)
			code := p.Read("code.go")
			receipt := p.rewind(tt.req)
			src := p.Read(auth)
			if !strings.Contains(src, tt.has) || strings.Contains(src, "## Mark") || strings.Contains(src, "Read retry.go.") {
				t.Errorf("want %q, and neither mark nor scratch:\n%s", tt.has, src)
			}
			remarks := strings.Join(receipt.Remarks, "\n")
			if !strings.Contains(remarks, tt.remark) || tt.remark == "" && remarks != "" {
				t.Errorf("remarks %q, want %q", remarks, tt.remark)
			}
			if _, version, found := strings.Cut(remarks, "ckpt show chk-auth --at "); found {
				version, _, _ = strings.Cut(version, "\n")
				if scratch := p.Git("show", version+":"+auth); !strings.Contains(scratch, "Read retry.go.") {
					t.Errorf("%s lacks the scratch:\n%s", version, scratch)
				}
			}
			if subject := p.Git("log", "-1", "--format=%s"); subject != tt.subject {
				t.Errorf("the commit is %q, want %q", subject, tt.subject)
			}
			if p.Read("code.go") != code {
				t.Error("rewind changed code.go")
			}
			if e := receipt.Exploration; *e.Rewound == tt.req.Abort || e.Report != tt.req.Report {
				t.Errorf("the receipt has rewound %v and report %q", *e.Rewound, e.Report)
			}
		})
	}
}

// TestRewindRefusedByHook rewinds while a hook refuses the commit: the store has the report, the branch and what
// is staged stay as they are, and the next operation publishes it.
func TestRewindRefusedByHook(t *testing.T) {
	p := newProject(t)
	p.mark("Why?")
	p.Write("mess.txt", "mess\n")
	p.Git("add", "mess.txt")
	p.Script(".git/hooks/commit-msg", "#!/bin/sh\necho 'Name a ticket.'\nexit 1\n")
	before, head, index := p.Read(auth), p.Git("rev-parse", "HEAD"), p.Git("diff", "--cached")
	receipt := p.rewind(explore.RewindRequest{Report: "The proxy retries."})
	if !strings.Contains(receipt.Pending, "Name a ticket.") {
		t.Errorf("the receipt has pending %q", receipt.Pending)
	}
	if src := p.Git("show", "refs/ckpt/checkpoints:"+auth); !strings.Contains(src, "The proxy retries.") || strings.Contains(src, "## Mark") {
		t.Errorf("the store has\n%s", src)
	}
	if p.Read(auth) != before || p.Git("rev-parse", "HEAD") != head || p.Git("diff", "--cached") != index {
		t.Error("the file, HEAD or the index has changed")
	}
	p.Script(".git/hooks/commit-msg", "#!/bin/sh\n")
	p.Note("", "step", "Read retry.go.")
	if src := p.Git("show", "HEAD:"+auth); !strings.Contains(src, "The proxy retries.") || strings.Contains(src, "## Mark") {
		t.Errorf("then the branch has\n%s", src)
	}
	if p.Git("diff", "--cached") != index {
		t.Error("the index has changed")
	}
}
