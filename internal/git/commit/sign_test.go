package commit_test

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/commit"
	"example.com/ckpt/internal/git/gittest"
)

func TestSignedBySSH(t *testing.T) {
	for _, byGit := range []bool{false, true} {
		g := gittest.New(t)
		key := filepath.Join(t.TempDir(), "key")
		gittest.Must(t, g.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key).Run())
		g.Git("config", "gpg.format", "ssh")
		g.Git("config", "user.signingKey", key+".pub")
		g.Git("config", "commit.gpgSign", "true")
		g.At(filepath.Dir(key)).Write("allowed", "test@example.com "+g.At(filepath.Dir(key)).Read("key.pub"))
		g.Git("config", "gpg.ssh.allowedSignersFile", filepath.Join(filepath.Dir(key), "allowed"))
		g.Commit("base", gittest.Base()...)
		if byGit {
			chooseGit(t, g)
		}
		record(t, g, gittest.Operation()...)
		if got := g.Git("log", "-1", "--format=%G? %GS %s"); got != "G test@example.com ckpt: delta x: works" {
			t.Errorf("by git %v: %s", byGit, got)
		}
		if got := g.Git("status", "--porcelain") + g.Git("fsck", "--strict", "--no-dangling"); got != "" {
			t.Errorf("by git %v: %s", byGit, got)
		}
	}
}

func TestSignedByOpenPGP(t *testing.T) {
	if _, err := exec.LookPath("gpg"); err != nil {
		t.Skip("gpg is not installed")
	}
	g := gittest.New(t)
	t.Setenv("GNUPGHOME", t.TempDir())
	if out, err := g.Command("gpg", "--batch", "--quiet", "--passphrase", "", "--quick-gen-key", "Test <test@example.com>", "default", "default", "never").CombinedOutput(); err != nil {
		t.Skipf("gpg makes no key here: %v %s", err, out)
	}
	t.Cleanup(func() { _ = g.Command("gpgconf", "--kill", "all").Run() })
	g.Git("config", "commit.gpgSign", "true")
	g.Commit("base", gittest.Base()...)
	record(t, g, gittest.Operation()...)
	if got := g.Git("log", "-1", "--format=%G?"); got != "U" && got != "G" {
		t.Errorf("signature: %s", got)
	}
}

// Prepare gives up if the signer waits for a passphrase.
func TestSilentSigner(t *testing.T) {
	for _, byGit := range []bool{false, true} {
		g := gittest.New(t)
		g.Commit("base", gittest.Base()...)
		if byGit {
			chooseGit(t, g)
		}
		g.Git("config", "commit.gpgSign", "true")
		g.Script(".git/slow", "#!/bin/sh\nexec sleep 4\n")
		g.Git("config", "gpg.program", filepath.Join(g.Dir, ".git/slow"))
		head := g.Git("rev-parse", "HEAD")
		r := g.Open()
		c := commit.Of(r).WithSignLimit(300 * time.Millisecond)
		on, err := r.Checkout()
		gittest.Must(t, err)
		files := []change.File{{Path: "checkpoints/n.md", After: []byte("n\n")}}
		start := time.Now()
		d, err := c.Prepare(t.Context(), on, files, "m", noon)
		if err == nil {
			_, err = d.Land(t.Context(), writing(g, files))
		}
		if !errors.Is(err, commit.ErrSigner) || fault.KindOf(err) != fault.Busy || time.Since(start) > 9*time.Second {
			t.Errorf("by git %v: %v after %v", byGit, err, time.Since(start))
		}
		left, _ := filepath.Glob(filepath.Join(g.Dir, ".git", "*.lock"))
		if g.Git("rev-parse", "HEAD") != head || len(left) > 0 || strings.Contains(g.Git("status", "--porcelain"), "A ") {
			t.Errorf("by git %v: something changed: %v %s", byGit, left, g.Git("status", "--porcelain"))
		}
	}
}
