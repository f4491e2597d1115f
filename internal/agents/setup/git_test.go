package setup

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"example.com/ckpt/internal/fault"
)

// gitSettings implements Git and Hooks with a configuration and attributes in memory.
type gitSettings struct {
	config   map[string]string
	hooksDir string
	moved    bool
	byConfig bool
}

func (g *gitSettings) Dir(context.Context) (string, bool, error) {
	return g.hooksDir, g.moved, nil
}
func (g *gitSettings) Configurable(context.Context) (bool, error) { return g.byConfig, nil }
func (g *gitSettings) Run(_ context.Context, args ...string) ([]byte, error) {
	switch {
	case args[0] == "check-attr":
		return []byte(args[len(args)-1] + ": " + args[1] + ": unspecified\n"), nil
	case args[2] == "--get":
		value, ok := g.config[args[3]]
		if !ok {
			return nil, errors.New("exit status 1")
		}
		return []byte(value + "\n"), nil
	case args[2] == "--remove-section":
		maps.DeleteFunc(g.config, func(key, _ string) bool { return strings.HasPrefix(key, args[3]+".") })
	default:
		g.config[args[2]] = args[3]
	}
	return nil, nil
}

func TestGitAndBack(t *testing.T) {
	script := "#!/bin/sh\nexec make check\n"
	for name, c := range map[string]struct {
		files map[string]string
		git   gitSettings
		hooks bool // in the folder
	}{
		"empty":              {map[string]string{".git/HEAD": ""}, gitSettings{}, true},
		"a hook":             {map[string]string{".git/hooks/pre-commit": script}, gitSettings{}, true},
		"attributes":         {map[string]string{".git/info/attributes": "*.png -diff"}, gitSettings{}, true},
		"by configuration":   {map[string]string{".git/hooks/pre-commit": script}, gitSettings{byConfig: true}, false},
		"another setting":    {map[string]string{".git/HEAD": ""}, gitSettings{config: map[string]string{"user.name": "me"}}, true},
		"husky in a project": {map[string]string{".husky/pre-commit": "npm test\n"}, gitSettings{hooksDir: ".husky/_", moved: true}, true},
	} {
		t.Run(name, func(t *testing.T) {
			place := at(t, c.files)
			git := c.git
			if git.config == nil {
				git.config = map[string]string{}
			}
			if git.hooksDir == "" {
				git.hooksDir = ".git/hooks"
			}
			git.hooksDir = filepath.Join(place.Repo.Root(), git.hooksDir)
			files := tree(t, place.Repo.Root())
			config := maps.Clone(git.config)
			receipt, err := place.setupGit(t.Context(), &git, &git)
			if err != nil || receipt.Unchanged || receipt.Summary != "git" {
				t.Fatalf("setup: %v, %+v", err, receipt)
			}
			if got := strings.Contains(strings.Join(receipt.Files, " "), "pre-commit"); got != c.hooks {
				t.Errorf("a hook in the folder: %t", got)
			}
			if !strings.Contains(git.config[driverKey], "ckpt merge-driver") {
				t.Errorf("no merge driver in %v", git.config)
			}
			if again, err := place.setupGit(t.Context(), &git, &git); err != nil || !again.Unchanged {
				t.Errorf("the second setup: %v, %+v", err, again)
			}
			if _, err := place.unsetupGit(t.Context(), &git, &git); err != nil {
				t.Fatal(err)
			}
			if after := tree(t, place.Repo.Root()); !maps.Equal(after, files) {
				t.Errorf("after unsetup: %q\nbefore setup: %q", after, files)
			}
			if !maps.Equal(git.config, config) {
				t.Errorf("configuration: %v, was %v", git.config, config)
			}
		})
	}
}

func TestGitRefused(t *testing.T) {
	for name, c := range map[string]struct {
		hook  string
		moved bool
	}{
		"a shared folder":  {"#!/bin/sh\n", true},
		"lefthook":         {"#!/bin/sh\ncall_lefthook run pre-commit\n", false},
		"another language": {"#!/usr/bin/env python3\n", false},
	} {
		files := map[string]string{}
		for _, e := range []string{"pre-commit", "post-merge", "post-checkout"} {
			files["shared/"+e] = c.hook
			files[".git/hooks/"+e] = c.hook
		}
		place := at(t, files)
		git := &gitSettings{config: map[string]string{}, hooksDir: filepath.Join(place.Repo.Root(), ".git/hooks"), moved: c.moved}
		if c.moved {
			git.hooksDir = filepath.Join(place.Repo.Root(), "shared")
		}
		before := tree(t, place.Repo.Root())
		if _, err := place.setupGit(t.Context(), git, git); fault.KindOf(err) != fault.Unsupported || fault.HintOf(err) == "" {
			t.Errorf("%s: %v", name, err)
		}
		if after := tree(t, place.Repo.Root()); !maps.Equal(after, before) {
			t.Errorf("%s: written all the same: %q", name, after)
		}
	}
}
