package main

// bounds explains what determines the figures, according to traces and profiles of November
// 2026. The numbers of system calls do not depend on the load of a machine.
const bounds = `
## What bounds the figures

**A delta in a small repository** is bounded by processes and by new files, not by what ckpt computes. A third
of its processor time is the start of the process (see below), a sixth the files of the objects. Where a delta
has to survive a power cut, ckpt makes 8 new files and 11 syncs in 3 rounds, git with core.fsync=all 8 new files
and 7 syncs one after the other; ckpt has to write two trees more, since its file lies two folders deep, and a
journal. Where nothing is synced the files are written one after the other: the threads to write them side by
side cost a tenth of the whole. What is left are 40 checkpoints to read (0.4 ms), which say what is current.
Profile-guided optimisation was tried: nothing for a delta, 3 % for list. So was to sync the objects from one
thread, with the writing of all begun first: that part took 1.6 times as long.

**A delta in a large repository** is bounded by the index: 1 MB for 10,000 files, 10 MB for 100,000, which has to be read, summed,
written and synced as a whole. SHA-1 runs beside the writing.

**A listing** is bounded by opening and reading the files: 28 % of its processor time, and two thirds of what rg takes for all it does.
The headings of each file are 11 % (8 ns to find the end of a line, 3 to see how it begins), its frontmatter 6 %, what is said under
three of the headings and the times 30 %, listing the folders, sorting and writing JSON 3 or 4 % each, collecting garbage 4 %. Not
collecting it until the heap holds 16 MB was tried: 7 %, not enough to have a rule of its own.

**A resume** waits for the ` + "`git status`" + ` that runs beside it, which looks at every file of the working tree; a slow one costs a sentence,
not the brief. A status does not ask git, and reads no archive.

**Start-up** is what every command pays. Its goal, 1.8 times git, is missed. ` + "`ckpt version`" + ` in turn with
` + "`git --version`" + ` on 2026-11-23, 200 to 400 runs: 2.1 to 2.3 of its time on a machine with some other work, 2.5 on
a busy one; before the changes below 2.4 to 2.7 and 2.8. What it does, in processor time:

| part | % |
|---|---:|
| Go's runtime before the first line of any package, and its threads | 39 |
| initialisers of goldmark (case folding, 9 regular expressions) | 14 |
| initialisers of yaml.v3 | 3 |
| initialisers of 60 other packages, none of them ckpt's own but one | 20 |
| the stack, copied as it grows under them | 9 |
| the command: the tree of commands, the repository, the version of git | 12 |
| starting and ending the process, the rest | 3 |

Seen in another way, 48 % are page faults, 21 % system calls and 28 % code. A fault costs 1.3 to 2.3 μs here;
ckpt has about 490 (560 before), an empty Go program 170, git 137.

What was found: 28 of ckpt's packages computed variables when the program started, each of which touched pages
of its own (a tenth of git's time); cobra wrote its help on completion for every command; to listen for an
interrupt took two threads (a sixth of git's time), and now begins when something waits. That Go reads the
limits of the container cannot be turned off.

With goldmark and yaml.v3 in the program the goal is out of reach: a program that does nothing, but links cobra
and these two, takes 1.6 to 1.7 of git's time (cobra alone 1.15), and go-git, JSON, hashes and ckpt itself come
on top. With copies of both that put their initialisers off, the same ckpt takes 0.83 of its time, which would
just meet the goal. Their newest versions do not put them off, nor do older ones. Go initialises a package as
soon as its imports are, in the order of the paths, so both come before text/template, and thus before cobra: no
command can begin earlier. A second program for the files that the scanner does not know would mean that
` + "`go run ./cmd/ckpt`" + ` could not read them.

**A delta in ref mode** has no index to write, and costs the same for 10 and for 100,000 tracked files. On
2026-11-23, on a machine that was never quiet, the whole command took 1.0 to 1.1 of git's time at 10 tracked
files (own mode in the same minutes 1.05 to 1.15; that is the one of 0.85 above) and 0.22 to 0.25 at 10,000. The
goals 0.6, 0.12 and 0.02 are missed. Of its processor time 37 % are the start (Go's runtime and threads 22, initialisers
11, the stack 4), 15 the files of 5 objects, synced in one round, 6 moving the ref, 5 the files of the worktree,
4 reading objects, 4 loading the checkpoints, 3 comparing the worktree with the ref, 2 each the new text,
secrets, configuration and the note that tells a repeated delta. It starts no process.

**Reading in ref mode** does not look at archived files that nobody has touched: for each folder of the archive the
worktree remembers when it was last modified. A status took 109 ms of processor time with 10,000 archived checkpoints
and takes 14, against 12 without any.

**A small repository in own mode** gains what the start gained, 4 % of a delta. Its goal, less than git's
default at 50 files, is missed on a busy machine (1.15 in the minutes above, 0.74 in the table): the start is
what it needs, too.

**A cache for list** keeps what a listing shows of each archived file in the git folder of the worktree (from 200 files
on), keyed as git keys its index: size, time of modification and of change, inode and device; a file that was changed in
the last 3 seconds is read again. In turn on 2026-11-23 on a busy machine, two measurements of ` + "`list --all --json`" + `: with
10,000 archived checkpoints it takes 0.43 and 0.48 of its time without the cache (0.51 and 0.66 of rg instead of 1.29 and
1.41), with 100,000 only 0.58 and 0.63 (0.89 and 0.90 of rg instead of 1.54 and 1.41), with 1,000 it takes 0.72 and 0.85
of rg. The tables above are from before. The first listing of a build reads all files, and on Windows, where a file has
no inode, every listing does. What is left is a system call for each file, the hashes of the last commit and the times of
the commits.

**A search has no cache.** It would have to hold the whole text, and a file cannot be left out without looking at its
stamp: that is a third of what opening and reading it takes. Search for a rare word is as fast as rg already; for a
frequent one it parses every file and keeps every line.
`
