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
`
