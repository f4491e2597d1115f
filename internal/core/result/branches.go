package result

import "fmt"

// Location names the branches that have something that the branch checked out lacks.
type Location struct {
	Branches []string // as git names them: of worktrees first, then local, then of remotes
	Worktree string   // the folder that has the first one checked out; "" for none
	Folder   string   // the same for people: seen from the top folder of this working tree
}

// Rev is what --at takes to show the thing.
func (l *Location) Rev() string { return l.Branches[0] }

// String names the first branch: "feat-a in ../w2", "feat-a and 3 more".
func (l *Location) String() string {
	s := l.Branches[0]
	if l.Folder != "" {
		s += " in " + l.Folder
	}
	switch more := len(l.Branches) - 1; {
	case more == 1 && l.Folder == "":
		s += ", " + l.Branches[1]
	case more > 0:
		s += fmt.Sprintf(" and %d more", more)
	}
	return s
}

// Others counts what is on other branches only.
type Others struct {
	Checkpoints int
	Learnings   int
	Unread      int // how many branches were not read since there are so many; 0 where all were
}
