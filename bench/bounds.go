package main

// bounds explains what determines the figures, according to traces and profiles of November
// 2026. The numbers of system calls do not depend on the load of a machine.
const bounds = `
## What bounds the figures

**A delta in a small repository** is bounded by processes and by new files, not by what ckpt computes. An empty Go program takes
1.1 ms here, ckpt with its libraries 2.4 (the initialisers of goldmark and yaml.v3 0.4 of it, which nothing can put off), git 1.1, twice.
A third of its processor time is the pages that a new process touches first. Where a delta has to survive a power cut, ckpt makes 8 new
files and 11 syncs in 3 rounds, git with core.fsync=all 8 new files and 7 syncs one after the other; ckpt has to write two trees more,
since its file lies two folders deep, and a journal. Where nothing is synced the files are written one after the other: the threads to
write them side by side cost a tenth of the whole. What is left are 40 checkpoints to read (0.4 ms), which say what is current.
Profile-guided optimisation was tried: nothing for a delta, 3 % for list.

**A delta in a large repository** is bounded by the index: 1 MB for 10,000 files, 10 MB for 100,000, which has to be read, summed,
written and synced as a whole. SHA-1 runs beside the writing.

**A listing** is bounded by opening and reading the files: 28 % of its processor time, and two thirds of what rg takes for all it does.
The headings of each file are 11 % (8 ns to find the end of a line, 3 to see how it begins), its frontmatter 6 %, what is said under
three of the headings and the times 30 %, listing the folders, sorting and writing JSON 3 or 4 % each, collecting garbage 4 %. Not
collecting it until the heap holds 16 MB was tried: 7 %, not enough to have a rule of its own.

**A resume** waits for the ` + "`git status`" + ` that runs beside it, which looks at every file of the working tree; a slow one costs a sentence,
not the brief. A status does not ask git, and reads no archive.

**Start-up** is what every command pays. Its goal, 1.8 times git, is missed. Processor time on 2026-11-23, medians of
300 runs in turn, 20 busy processes on 2 cores: git 1.3 ms, an empty Go program 1.5, ckpt 4.1. The initialisers of
goldmark (entities, case folding, 9 regular expressions) and yaml.v3 are 0.65 of it: with copies of both that put them
off, the ratio was 2.6 instead of 3.1. The rest is mostly memory: the process touches 541 pages first, an empty program
218, git 135. That Go reads the limits of the container (6 % of a start without work) cannot be turned off. The next
step would be a parser of blocks of our own for the files that the scanner does not know, with goldmark as its test.

**A delta in ref mode** has no index to write, and costs the same for 10 and for 100,000 tracked files. Its table is
not measured yet on a quiet machine. Processor time on 2026-11-23 with the load above, in turn with git, medians of the
pairs' ratios, where both survive a power cut: 1.16 at 10 tracked files (own mode in the same minutes 1.45; that is the
one of 0.85 above, since such a load costs threads and new pages most), 0.27 at 10,000 (own mode 0.32) and 0.03 at
100,000. The goals 0.6, 0.12 and 0.02 are missed. It writes 5 objects, synced in one round, and then the ref. To parse
the whole file for each comparison with the ref was 12 % of it; now the frontmatter is enough.

**Reading in ref mode** does not look at archived files that nobody has touched: for each folder of the archive the
worktree remembers when it was last modified. A status took 109 ms of processor time with 10,000 archived checkpoints
and takes 14, against 12 without any.

**A small repository in own mode** was not made faster: 1.20 of git's processor time at 51 files with the load above,
0.86 by the clock; git's default 1.14 of the processor time. A shorter start is what it needs, too.

**A cache for list** keeps what a listing shows of each archived file in the git folder of the worktree (from 200 files
on), keyed as git keys its index: size, time of modification and of change, inode and device; a file that was changed in
the last 3 seconds is read again. In turn on 2026-11-23 on a busy machine, ` + "`list --all --json`" + ` took 0.43 of its time
without the cache at 10,000 archived checkpoints (0.51 of rg instead of 1.29) and 0.58 at 100,000 (0.89 of rg instead of
1.54); of the processor time 0.37 and 0.48. The tables above are from before. The first listing of a build reads all
files, and on Windows, where a file has no inode, every one does. What is left is a system call for each file, the
hashes of the last commit and the times of the commits.

**A search has no cache.** It would have to hold the whole text, and a file cannot be left out without looking at its
stamp: that is a third of what opening and reading it takes. Search for a rare word is as fast as rg already; for a
frequent one it parses every file and keeps every line.
`
