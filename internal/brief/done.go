package brief

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/progress"
)

// progress is how far the work is, where the file keeps track of that (S001-78): a line
// with the place in the run and the counts, then those under way or pending that no other
// part lists; and, for a part of their own, the completed ones, the last first.
func progressOf(c *checkpoint.Checkpoint) (open, completed string) {
	s := progress.Of(c)
	place := progress.RunOf(c)
	if place.Progress = ""; s.Percent >= 0 {
		place.Progress = fmt.Sprintf("%d%%", s.Percent)
	}
	if place.Workflow+place.Phase+place.Step+c.Field("progress") == "" && !slices.ContainsFunc(s.Items, tracked) {
		return "", ""
	}
	line := shorten(place.Where(), longestGoal)
	if counts := counted(s); counts != "" {
		line += ": " + counts
	}
	done := boxes(s, progress.Completed, "x")
	slices.Reverse(done)
	todo := append(boxes(s, progress.InProgress, "~"), boxes(s, progress.Pending, " ")...)
	return paragraphs(line, strings.Join(todo, "\n")), strings.Join(done, "\n")
}

// boxes are the items of a status that no other part of the brief lists.
func boxes(s progress.Progress, of progress.Status, mark string) []string {
	var all []string
	for _, item := range s.Items {
		if item.Status == of && !listed(item) {
			all = append(all, "- ["+mark+"] "+item.Text)
		}
	}
	return all
}

// counted is how many items stand how: "3 completed, 1 in progress, 2 pending"; "" where
// there is none but the step, which the place names.
func counted(s progress.Progress) string {
	if len(s.Items) == 1 && s.Items[0].Source == progress.Front {
		return ""
	}
	count := map[progress.Status]int{}
	for _, item := range s.Items {
		count[item.Status]++
	}
	var words []string
	for _, of := range []struct {
		status progress.Status
		word   string
	}{{progress.Completed, "completed"}, {progress.InProgress, "in progress"}, {progress.Pending, "pending"}} {
		if n := count[of.status]; n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, of.word))
		}
	}
	return strings.Join(words, ", ")
}

// tracked says whether somebody wrote down how an item stands. That a next action is
// there, or a step under Play-By-Play, is no such thing.
func tracked(i progress.Item) bool {
	return i.Source == progress.Reported || i.Source == progress.InState || i.Source == progress.Aside || i.Source == progress.NextAction && i.Status != progress.Pending
}

// listed says whether another part of the brief has an item as it stands. What is done
// is no longer among the next actions there.
func listed(i progress.Item) bool {
	return i.Source == progress.Front || i.Source == progress.InState || i.Source == progress.Aside || i.Source == progress.Step || i.Source == progress.NextAction && i.Status != progress.Completed
}

// Of a trail of so many files the folders are worth a line, of which it names the most.
const (
	manyFiles    = 6
	namedFolders = 8
)

// folders is where the files of a trail are, in a line: by folder and ending, with
// counts, where most come first (S001-80). It is "" where that says no more than the
// files do.
func folders(files []checkpoint.Artifact) string {
	groups := checkpoint.GroupFiles(files)
	if len(files) < manyFiles || 2*len(groups) > len(files) {
		return ""
	}
	slices.SortStableFunc(groups, func(a, b checkpoint.FileGroup) int { return cmp.Compare(len(b.Files), len(a.Files)) })
	var words []string
	for _, g := range groups[:min(len(groups), namedFolders)] {
		words = append(words, fmt.Sprintf("`%s` (%d)", g.Pattern, len(g.Files)))
	}
	if more := len(groups) - len(words); more > 0 {
		words = append(words, fmt.Sprintf("and %d more", more))
	}
	return fmt.Sprintf("%d files: %s", len(files), strings.Join(words, ", "))
}
