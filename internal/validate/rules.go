package validate

import (
	_ "embed" // needed for rules.md
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/lineage"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
)

// The codes of rules that other packages use.
const (
	Unreadable  = "CK101"
	TwoCurrents = "CK402"
)

// Rule is one thing that is checked. Codes are stable: the code of a rule that is removed
// is not used again. The texts of the rules are in rules.md.
type Rule struct {
	Code     string // such as "CK101"; the first digit is the group
	Severity result.Severity
	check
}

// check is the function of a rule: for each file, or for the folder as a whole.
type check struct {
	file       func(*file, report)
	folder     func(*folder, reportIn)
	activeOnly bool // archived checkpoints are not checked, since they are history
}

// report adds a finding about the file that is being checked.
type report func(line int, format string, args ...any)

// reportIn adds a finding about one file of the folder.
type reportIn func(path, id string, line int, format string, args ...any)

func inFile(f func(*file, report)) check       { return check{file: f} }
func inActive(f func(*file, report)) check     { return check{file: f, activeOnly: true} }
func inFolder(f func(*folder, reportIn)) check { return check{folder: f} }

// table has every rule, sorted by code.
var table = text.Lazy[[]Rule]{Make: func() []Rule {
	return []Rule{
		{Unreadable, result.Error, inFolder(unreadable)},
		{"CK102", result.Error, inFile(createdMissing)},
		{"CK103", result.Error, inFile(timeField("created"))},
		{"CK104", result.Error, inFile(timeField("last_delta"))},
		{"CK105", result.Warning, inFile(lastDeltaBehind)},
		{"CK106", result.Advice, inFile(lastDeltaAlone)},
		{"CK201", result.Error, inFile(sectionMissing)},
		{"CK202", result.Advice, inActive(sectionEmpty)},
		{"CK203", result.Warning, inFile(sectionTwice)},
		{"CK204", result.Advice, inActive(sectionOrder)},
		{"CK205", result.Warning, inActive(essentialMissing)},
		{"CK206", result.Advice, inActive(decisionWhy)},
		{"CK207", result.Warning, inActive(decisionTwice)},
		{"CK208", result.Warning, inActive(problemEmpty)},
		{"CK209", result.Error, inFile(leftOpen)},
		{"CK211", result.Warning, inFile(rowCells)},
		{"CK212", result.Warning, inFile(tableColumns)},
		{"CK213", result.Advice, inActive(artifactAction)},
		{"CK214", result.Warning, inFile(breadcrumbType)},
		{"CK215", result.Error, inFile(savedJSON)},
		{"CK216", result.Error, inFile(zeroByte)},
		{"CK301", result.Error, inFolder(lineageProblem(lineage.Duplicate, "checkpoint"))},
		{"CK302", result.Warning, inFolder(lineageProblem(lineage.MissingParent, "parent"))},
		{"CK303", result.Error, inFile(selfParent)},
		{"CK304", result.Error, inFolder(lineageProblem(lineage.Cycle, "parent"))},
		{"CK305", result.Advice, inFile(fileName)},
		{"CK306", result.Advice, inFile(danglingID)},
		{"CK307", result.Warning, inFile(reservedName)},
		{"CK401", result.Error, inActive(statusValue)},
		{TwoCurrents, result.Warning, inFolder(twoCurrents)},
		{"CK403", result.Advice, inFile(statusArchived)},
		{"CK501", result.Error, inFile(deltaTime)},
		{"CK502", result.Warning, inFile(deltaOrder)},
		{"CK503", result.Error, inFile(deltaChanged)},
		{"CK504", result.Error, inFile(deltaArtifacts)},
		{"CK505", result.Advice, inActive(deltaSentence)},
		{"CK506", result.Warning, inFile(deltaLevel)},
		{"CK601", result.Error, inActive(completionActive)},
		{"CK602", result.Error, inFile(completionMissing)},
		{"CK603", result.Warning, inFile(completionFields)},
		{"CK604", result.Warning, inFile(completionDate)},
		{"CK701", result.Advice, inActive(shorter(checkpoint.Problem))},
		{"CK702", result.Advice, inActive(fewDecisions)},
		{"CK703", result.Advice, inActive(fewSteps)},
		{"CK704", result.Advice, inActive(noArtifacts)},
		{"CK705", result.Advice, inActive(noActions)},
		{"CK706", result.Advice, inActive(shorter(checkpoint.State))},
		{"CK707", result.Advice, inActive(noDeltaForLong)},
		{"CK708", result.Advice, inActive(oldDelta)},
		{"CK801", result.Warning, inActive(vagueAction)},
		{"CK802", result.Advice, inActive(noObject)},
		{"CK803", result.Warning, inActive(emptyCompleted)},
		{"CK804", result.Warning, inActive(tooOften)},
		{"CK811", result.Advice, inFile(selfContained)},
		{"CK812", result.Warning, inFile(longCode)},
		{"CK813", result.Warning, inFile(transcript)},
		{"CK901", result.Warning, inFile(markTwice)},
		{"CK902", result.Warning, inActive(markGoal)},
		{"CK903", result.Warning, inFile(markArchived)},
	}
}}

// texts is the documentation of the rules, with a section for each of them.
//
//go:embed rules.md
var texts string

// sections has the documentation of each rule by its code.
var sections = text.Lazy[map[string]string]{Make: func() map[string]string {
	all := map[string]string{}
	for _, section := range strings.Split(texts, "\n### CK")[1:] {
		number, about, _ := strings.Cut(section, "\n\n")
		about, source, _ := strings.Cut(about, "\n*Source:* ")
		source, _, _ = strings.Cut(source, "\n")
		all["CK"+number] = about + "\n*Source:* " + source
	}
	return all
}}

// Text returns the documentation of the rule, in Markdown.
func (r Rule) Text() string { return sections.Get()[r.Code] }

// Fix describes how to solve the problem; {id} stands for the checkpoint's id.
func (r Rule) Fix() string {
	_, text, _ := strings.Cut(r.Text(), "\n*What to do:* ")
	fix, _, _ := strings.Cut(text, "\n")
	return fix
}
