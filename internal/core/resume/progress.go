package resume

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/standing"
)

// progress is how far the work is, where the file keeps track of that (S001-78): a line
// with the place in the run and the counts, then those under way or pending that no other
// part lists; and, for a part of their own, the completed ones, the last first.
func progress(c *checkpoint.Checkpoint) (open, completed string) {
	s := standing.Of(c)
	place := standing.RunOf(c)
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
	done := boxes(s, standing.Completed, "x")
	slices.Reverse(done)
	todo := append(boxes(s, standing.InProgress, "~"), boxes(s, standing.Pending, " ")...)
	return paragraphs(line, strings.Join(todo, "\n")), strings.Join(done, "\n")
}

// boxes are the items of a status that no other part of the brief lists.
func boxes(s standing.Standing, of standing.Status, mark string) []string {
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
func counted(s standing.Standing) string {
	if len(s.Items) == 1 && s.Items[0].Source == standing.Front {
		return ""
	}
	count := map[standing.Status]int{}
	for _, item := range s.Items {
		count[item.Status]++
	}
	var words []string
	for _, of := range []struct {
		status standing.Status
		word   string
	}{{standing.Completed, "completed"}, {standing.InProgress, "in progress"}, {standing.Pending, "pending"}} {
		if n := count[of.status]; n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, of.word))
		}
	}
	return strings.Join(words, ", ")
}

// tracked says whether somebody wrote down how an item stands. That a next action is
// there, or a step under Play-By-Play, is no such thing.
func tracked(i standing.Item) bool {
	return i.Source == standing.Reported || i.Source == standing.InState || i.Source == standing.Aside || i.Source == standing.NextAction && i.Status != standing.Pending
}

// listed says whether another part of the brief has an item as it stands. What is done
// is no longer among the next actions there.
func listed(i standing.Item) bool {
	return i.Source == standing.Front || i.Source == standing.InState || i.Source == standing.Aside || i.Source == standing.Step || i.Source == standing.NextAction && i.Status != standing.Completed
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
