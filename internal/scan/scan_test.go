package scan_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/scan"
	"example.com/ckpt/internal/workspace"
)

// Two tokens that look real. They are in two parts, so that no scanner reports this file.
const (
	token = "ghp_" + "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"
	other = "ghp_" + "0pINUxwWPw5k4aXcaT4fNP0UcnZwJUVFk6LO"
)

const (
	auth      = "checkpoints/active/chk-auth.md"
	pay       = "checkpoints/archive/chk-pay.md"
	learnings = "checkpoints/LEARNINGS.md"
)

// text returns a checkpoint with a state on line 8.
func text(id, state string) string {
	return "---\ncheckpoint: " + id + "\ncreated: 2026-01-01\n---\n\n### Current State\n\n" + state + "\n"
}

// run scans from a folder of a repository, and returns the findings as "PATH:LINE RULE COMMIT".
// It leaves out empty parts.
func run(t *testing.T, dir string, req scan.Request) (found []string, checked int, remarks []string, err error) {
	t.Helper()
	w, err := workspace.Open(context.Background(), workspace.Settings{Dir: dir, Now: time.Now, Getenv: os.Getenv})
	if err != nil {
		t.Fatal(err)
	}
	report, err := scan.New(w).Scan(context.Background(), req)
	if err != nil {
		return nil, 0, nil, err
	}
	for _, f := range report.Findings {
		place := f.Path
		if f.Line > 0 {
			place += fmt.Sprint(":", f.Line)
		}
		found = append(found, strings.TrimSpace(fmt.Sprintf("%s %s %.7s", place, f.Code, f.Commit)))
		if said := f.Message + f.Fix + f.Path; strings.Contains(said, token) || strings.Contains(said, other) {
			t.Errorf("the finding shows the value: %s", said)
		}
	}
	return found, report.Checked, report.Remarks, nil
}

// check compares the result of a scan, or its error.
func check(t *testing.T, found, want []string, err error, kind fault.Kind, text string) {
	t.Helper()
	if text != "" {
		if fault.KindOf(err) != kind || err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("error %v, want one of kind %s with %q", err, kind, text)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(found, want) {
		t.Errorf("found %q, want %q", found, want)
	}
}

// TestScanFiles searches the files as they are, committed or not.
func TestScanFiles(t *testing.T) {
	r := gittest.New(t)
	r.Commit("Files", auth, text("chk-auth", "Tried "+token+"."), pay, text("chk-pay", "Done."), "code.txt", token+"\n")
	r.Write(learnings, "# Learnings\n\n- Look at "+other+"\n")
	r.Write("checkpoints/active/broken.md", "---\ncheckpoint: [chk-broken\ntoken: "+token+"\n---\n")
	r.Write("checkpoints/active/allowed.md", text("chk-allowed", token+" ckpt:allow"))
	r.Write("checkpoints/active/twice.md", text("chk-twice", token+"\n"+token))
	r.Write("../elsewhere.txt", other+"\n")
	inAuth, inBroken := auth+":8 github-pat", "checkpoints/active/broken.md:3 github-pat"
	inTwice, inLearnings := "checkpoints/active/twice.md:8 github-pat", learnings+":3 github-pat"
	tests := []struct {
		name    string
		dir     string // to scan from, below the repository
		paths   []string
		want    []string
		checked int
		kind    fault.Kind
		err     string
	}{
		{name: "all", want: []string{inLearnings, inBroken, inAuth, inTwice}, checked: 6},
		{name: "an id", paths: []string{"chk-auth"}, want: []string{inAuth}, checked: 1},
		{name: "a part of an id", paths: []string{"auth"}, want: []string{inAuth}, checked: 1},
		{name: "a file without a finding", paths: []string{pay}, checked: 1},
		{name: "an unreadable file by its name", paths: []string{"broken"}, want: []string{inBroken}, checked: 1},
		{name: "several", paths: []string{"auth", learnings}, want: []string{inAuth, inLearnings}, checked: 2},
		{name: "a folder", paths: []string{"checkpoints/active"}, want: []string{inBroken, inAuth, inTwice}, checked: 4},
		{name: "a folder from here", dir: "checkpoints", paths: []string{"archive"}, checked: 1},
		{name: "this folder", dir: "checkpoints/active", paths: []string{"."}, want: []string{inBroken, inAuth, inTwice}, checked: 4},
		{name: "the folder above", dir: "checkpoints/active", paths: []string{".."}, want: []string{inLearnings, inBroken, inAuth, inTwice}, checked: 6},
		{name: "a file elsewhere", paths: []string{"../elsewhere.txt"}, want: []string{"../elsewhere.txt:1 github-pat"}, checked: 1},
		{name: "an absolute path", paths: []string{r.Dir + "/code.txt"}, want: []string{r.Dir + "/code.txt:1 github-pat"}, checked: 1},
		{name: "an unknown name", paths: []string{"auth", "nobody"}, kind: fault.NotFound, err: `"nobody"`},
		{name: "two ids", paths: []string{"chk-"}, kind: fault.Usage, err: `"chk-"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			found, checked, _, err := run(t, r.Dir+"/"+tt.dir, scan.Request{Paths: tt.paths})
			check(t, found, tt.want, err, tt.kind, tt.err)
			if checked != tt.checked {
				t.Errorf("checked %d files, want %d", checked, tt.checked)
			}
		})
	}
}

// TestScanUnreadable reports a file that is too large to read, and reads the others.
func TestScanUnreadable(t *testing.T) {
	r := gittest.New(t)
	r.Write("checkpoints/active/chk-pay.md", text("chk-pay", token))
	r.Write(auth, "")
	if err := os.Truncate(r.Dir+"/"+auth, disk.MaxFile+1); err != nil {
		t.Fatal(err)
	}
	found, checked, _, err := run(t, r.Dir, scan.Request{})
	check(t, found, []string{auth + " unreadable", "checkpoints/active/chk-pay.md:8 github-pat"}, err, 0, "")
	if checked != 1 {
		t.Errorf("checked %d files, want 1", checked)
	}
}

// TestScanHistory searches each version once, and names the commit that added a secret.
func TestScanHistory(t *testing.T) {
	r := gittest.New(t)
	commit := func(message string, files ...string) string {
		r.Commit(message, files...)
		return r.Git("rev-parse", "--short=7", "HEAD")
	}
	commit("Begin", auth, text("chk-auth", "Nothing yet."))
	added := commit("Tried "+token, auth, text("chk-auth", "Tried "+token+"."))
	commit("More", auth, text("chk-auth", "Tried "+token+".\nAnd again."), "code.txt", other+"\n")
	commit("Less", auth, text("chk-auth", "Nothing."))
	commit("The same as before", auth, text("chk-auth", "Tried "+token+"."))
	commit("Less again", auth, text("chk-auth", "Nothing."))
	r.Git("switch", "-q", "-c", "side")
	onSide := commit("Side", pay, text("chk-pay", other))
	r.Git("switch", "-q", "main")
	gone := commit("Gone", "checkpoints/active/gone.md", text("chk-gone", other))
	r.Git("rm", "-q", "checkpoints/active/gone.md")
	commit("Clean up")
	r.Write("checkpoints/active/late.md", text("chk-late", token))

	inMessage, inAuth := "checkpoints github-pat "+added, auth+":8 github-pat "+added
	inSide, inGone := pay+":8 github-pat "+onSide, "checkpoints/active/gone.md:8 github-pat "+gone
	tests := []struct {
		name    string
		paths   []string
		want    []string // in any order
		checked int
		kind    fault.Kind
		err     string
	}{
		{
			name: "all branches and files", checked: 7,
			want: []string{inMessage, inAuth, inSide, inGone, "checkpoints/active/late.md:8 github-pat"},
		},
		{name: "a file", paths: []string{auth}, want: []string{inMessage, inAuth}, checked: 4},
		{name: "an id", paths: []string{"auth"}, want: []string{inMessage, inAuth}, checked: 4},
		{name: "a file that is gone", paths: []string{"checkpoints/active/gone.md"}, want: []string{inGone}, checked: 1},
		{name: "a file of another branch", paths: []string{pay}, want: []string{inSide}, checked: 1},
		{name: "a file that never was", paths: []string{learnings}, kind: fault.NotFound, err: learnings},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var steps []int
			found, checked, remarks, err := run(t, r.Dir, scan.Request{
				Paths: tt.paths, History: true, Progress: func(done, total int) { steps = append(steps, done, total) },
			})
			slices.Sort(found)
			slices.Sort(tt.want)
			check(t, found, tt.want, err, tt.kind, tt.err)
			if checked != tt.checked || len(remarks) > 0 {
				t.Errorf("checked %d versions, want %d; remarks %q", checked, tt.checked, remarks)
			}
			if n := len(steps); tt.err == "" && (n == 0 || steps[n-1] != steps[n-2]) {
				t.Errorf("progress ended at %v, want its total", steps)
			}
		})
	}
}

// TestScanCutHistory searches the part of history that a clone has, and reports the rest.
func TestScanCutHistory(t *testing.T) {
	r := gittest.New(t)
	r.Commit("One", auth, text("chk-auth", token))
	r.Commit("Two", auth, text("chk-auth", "Nothing."))
	r.Commit("Three", auth, text("chk-auth", other))
	r.Git("config", "uploadpack.allowFilter", "true")
	tests := []struct {
		name, option string
		checked      int
		remark       string
	}{
		{name: "shallow", option: "--depth=1", checked: 1, remark: "this clone is shallow: its history begins in the middle"},
		{name: "partial", option: "--filter=blob:none", checked: 1, remark: "2 versions of files are not in this clone"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir() + "/clone"
			r.Git("clone", "-q", "--no-local", tt.option, "file://"+r.Dir, dir)
			r.At(dir).Git("config", "remote.origin.url", dir+"-gone")
			found, checked, remarks, err := run(t, dir, scan.Request{History: true})
			check(t, found, []string{auth + ":8 github-pat " + r.Git("rev-parse", "--short=7", "HEAD")}, err, 0, "")
			if checked != tt.checked || len(remarks) != 1 || !strings.HasPrefix(remarks[0], tt.remark) {
				t.Errorf("checked %d versions, want %d; remarks %q, want %q", checked, tt.checked, remarks, tt.remark)
			}
		})
	}
}

// TestScanStaged searches what the next commit would add, and not the working tree.
func TestScanStaged(t *testing.T) {
	tests := []struct {
		name    string
		unborn  bool // the repository has no commit
		do      func(*gittest.Repo)
		paths   []string
		want    []string
		checked int
		kind    fault.Kind
		err     string
	}{
		{name: "nothing", do: func(*gittest.Repo) {}},
		{name: "not staged", do: func(r *gittest.Repo) { r.Write(auth, text("chk-auth", other)) }},
		{
			name: "staged, and gone from the file", want: []string{auth + ":8 github-pat"}, checked: 1,
			do: func(r *gittest.Repo) {
				r.Write(auth, text("chk-auth", token+" and "+other))
				r.Git("add", ".")
				r.Write(auth, text("chk-auth", "Nothing."))
			},
		},
		{
			name: "there before", checked: 1,
			do: func(r *gittest.Repo) {
				r.Write(auth, text("chk-auth", token+"\nAnd more."))
				r.Git("add", ".")
			},
		},
		{
			name: "moved", checked: 1,
			do: func(r *gittest.Repo) { r.Git("mv", auth, "checkpoints/active/moved.md") },
		},
		{name: "removed", do: func(r *gittest.Repo) { r.Git("rm", "-q", auth) }},
		{
			name: "not a checkpoint file",
			do: func(r *gittest.Repo) {
				r.Write("code.txt", other)
				r.Git("add", ".")
			},
		},
		{
			name: "before the first commit", unborn: true, want: []string{auth + ":8 github-pat"}, checked: 1,
			do: func(r *gittest.Repo) {
				r.Write(auth, text("chk-auth", token))
				r.Git("add", ".")
			},
		},
		{
			name: "with paths", do: func(*gittest.Repo) {}, paths: []string{auth},
			kind: fault.Usage, err: "--staged takes no path: it scans all of checkpoints/",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := gittest.New(t)
			if !tt.unborn {
				r.Commit("Begin", auth, text("chk-auth", token))
			}
			tt.do(r)
			found, checked, _, err := run(t, r.Dir, scan.Request{Staged: true, Paths: tt.paths})
			check(t, found, tt.want, err, tt.kind, tt.err)
			if checked != tt.checked {
				t.Errorf("checked %d files, want %d", checked, tt.checked)
			}
		})
	}
}
