#!/bin/sh
# Five agents work at once in five worktrees of one repository. Their checkpoints are on a ref
# of their own (commit: ref), so each agent sees the work of all, and the history of the code
# contains none of it.
#
# The script checks what it shows, and exits 1 if something does not hold. It needs git and
# ckpt, works in a temporary folder, and removes that at the end.

set -eu

top=$(mktemp -d)
trap 'cd / && rm -rf "$top"' EXIT
trap 'exit 1' HUP INT TERM

# The user's settings and a repository around this folder take no part.
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE CKPT_ID CKPT_DIR
export HOME="$top" GIT_CONFIG_GLOBAL="$top/gitconfig" GIT_CONFIG_NOSYSTEM=1 NO_COLOR=1
git config --global user.name Ana
git config --global user.email ana@example.com
git config --global init.defaultBranch main

agents='cart login mail report search'
all='chk-cart chk-login chk-mail chk-report chk-search '
notes=8

step() { printf '\n%s\n' "$1"; }

# check CLAIM COMMAND... runs a command that must succeed.
check() {
	claim=$1
	shift
	if "$@"; then
		echo "  ok  $claim"
	else
		echo "  NO  $claim"
		exit 1
	fi
}

equal() { test "$1" = "$2" || { printf 'got:\n%s\nwant:\n%s\n' "$1" "$2"; false; }; }
ids() { ckpt list --all --json | sed -n 's/^ *"id": "\(.*\)",$/\1/p' | sort | tr '\n' ' '; }
current() { ckpt show @ --raw | sed -n 's/^checkpoint: //p'; }
notes_of() { ckpt show "$1" --raw | grep -c "^- note $1 "; }

step 'A repository whose checkpoints are on a ref of their own'
git init -q "$top/shop"
cd "$top/shop"
echo '# Shop' >README.md
git add README.md
git commit -q -m 'First'
ckpt init --commit ref
git init -q --bare "$top/remote.git"
git remote add origin "$top/remote.git"
git push -q -u origin main
for agent in $agents; do
	git worktree add -q "$top/$agent"
done

step 'Five worktrees, five writers at once'
# work AGENT makes a checkpoint, takes notes, commits code and leaves a delta.
work() {
	cd "$top/$1"
	ckpt -q new "$1" --problem "The shop has no $1" --next "Write $1.txt"
	n=1
	while [ "$n" -le "$notes" ]; do
		ckpt -q note context "note $1 $n"
		n=$((n + 1))
	done
	echo "$1" >"$1.txt"
	git add "$1.txt"
	git commit -q -m "Add $1"
	ckpt -q delta -m "$1 works" --done Write --next "Review $1.txt"
}
writers=
for agent in $agents; do
	work "$agent" &
	writers="$writers $!"
done
for writer in $writers; do
	wait "$writer"
done
check 'each operation is one commit on the ref, and none is lost' \
	equal "$(git rev-list --count refs/ckpt/checkpoints)" "$((1 + 5 * (notes + 2)))"

step 'Each worktree has all checkpoints, and a current one of its own'
for agent in $agents; do
	cd "$top/$agent"
	check "$agent: list names all five" equal "$(ids)" "$all"
	check "$agent: its own is current" equal "$(current)" "chk-$agent"
	for other in $agents; do
		check "$agent: all notes of $other, each once" equal "$(notes_of "$other")" "$notes"
	done
done
cd "$top/cart"
ckpt list
ckpt status
ckpt tree

step 'The history of the code has no checkpoints'
for agent in $agents; do
	cd "$top/$agent"
	check "$agent: one commit, of code" equal "$(git log --format=%s main..HEAD)" "Add $agent"
	check "$agent: nothing to commit" equal "$(git status --porcelain)" ''
done

step 'Undo takes back an operation of this worktree, not the newest one of all'
cd "$top/cart"
ckpt note context 'note cart too much'
(cd "$top/mail" && ckpt note context 'note mail later')
ckpt undo
for agent in $agents; do
	cd "$top/$agent"
	check "$agent: the note of cart is gone" equal "$(notes_of cart)" "$notes"
	check "$agent: the later note of mail stays" equal "$(notes_of mail)" "$((notes + 1))"
done

step 'A worktree and its branch go, the checkpoint stays'
cd "$top/shop"
git worktree remove "$top/report"
git branch -q -D report
check 'shop: list still names all five' equal "$(ids)" "$all"

step 'Sync to the remote, and a fresh clone'
ckpt sync
check 'the remote has the ref' equal \
	"$(git -C "$top/remote.git" rev-parse refs/ckpt/checkpoints)" "$(git rev-parse refs/ckpt/checkpoints)"
check 'the branches of the remote have no checkpoints' equal "$(git -C "$top/remote.git" log --branches --format=%s)" \
	"$(git log main --format=%s)"
git clone -q "$top/remote.git" "$top/clone"
cd "$top/clone"
ckpt list
ckpt sync
check 'clone: list names all five' equal "$(ids)" "$all"
check 'clone: the same commit' equal "$(git rev-parse refs/ckpt/checkpoints)" \
	"$(git -C "$top/shop" rev-parse refs/ckpt/checkpoints)"

echo
echo 'All of it holds.'
