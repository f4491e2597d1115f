package ckptref

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/text"
)

// TrailerRef names, in the commit that moves the checkpoints to a branch, the commit of the ref that it
// has the files of.
const TrailerRef = "Checkpoint-Ref"

// LeftFix is the commands for operations that [Left] reports.
const LeftFix = "ckpt migrate --to ref, then ckpt migrate --to own"

// Left describes, in the other commit modes, the operations on the checkpoint ref that the branch does
// not have: another clone moved the checkpoints to the branch before it knew them. It returns "" if
// there are none.
func Left(ctx context.Context, repo *git.Repo) (string, error) {
	r, err := named(ctx, repo)
	if err != nil {
		return "", err
	}
	tip, err := r.Tip(ctx)
	if err != nil || tip == "" {
		return "", err
	}
	head, err := repo.Head()
	if err != nil || head.Hash == "" {
		return "", err
	}
	out, err := repo.Offline().Git(ctx, nil, "log", "-1", "--no-show-signature", "--grep=^"+TrailerRef+": ",
		"--format=%(trailers:key="+TrailerRef+",valueonly)", head.Hash)
	if err != nil {
		return "", err
	}
	without := []string{"^" + head.Hash}
	if taken := strings.TrimSpace(string(out)); taken != "" && log.Of(repo).HasCommit(ctx, taken) {
		without = append(without, "^"+taken)
	}
	n, err := r.count(ctx, tip, without...)
	if err != nil || n == 0 {
		return "", err
	}
	verb := "are"
	if n == 1 {
		verb = "is"
	}
	return fmt.Sprintf("%s on %s %s not on this branch", text.Count(n, "operation"), r.name, verb), nil
}

// Operations counts the operations that one commit has and another one lacks.
func (r Ref) Operations(ctx context.Context, lacks, has string) (int, error) {
	return r.count(ctx, has, "^"+lacks)
}

// count counts the operations among the ancestors of a commit.
func (r Ref) count(ctx context.Context, commit string, without ...string) (int, error) {
	args := append([]string{"rev-list", "--count", "--no-merges", "--min-parents=1", commit}, without...)
	out, err := r.repo.Offline().Git(ctx, nil, args...)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(out)))
}
