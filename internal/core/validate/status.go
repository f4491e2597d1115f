package validate

import (
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/result"
)

var statusRules = []Rule{
	{
		Code: "CK401", Severity: result.Error, Title: "an unknown status", file: statusValue, activeOnly: true,
		Means:  "`status:` is current or active. Any other word reads as active, so a checkpoint that was meant to be current is not.",
		Fix:    "`ckpt use {id}` makes it the current one; else write `status: active` or remove the key. What is finished is archived, not marked.",
		Source: "S003-13, S003-44, S003-45, S003-46", Example: "status: in progress",
	},
	{
		Code: TwoCurrents, Severity: result.Warning, Title: "two current checkpoints", folder: twoCurrents,
		Means:  "At most one checkpoint in active/ is current: the immediate focus of work. A merge of two branches can mark two; ckpt takes the one that was current on this branch before the merge.",
		Fix:    "`ckpt use` with the id of the right one; it clears all others.",
		Source: "S003-44, S003-49, S003-50", Example: "status: current",
	},
	{
		Code: "CK403", Severity: result.Advice, Title: "an archived checkpoint with a status", file: statusArchived,
		Means:  "In archive/ the location decides and `status:` is ignored. It misleads whoever reads the file by itself.",
		Fix:    "Remove the `status:` line; `ckpt archive` does so by itself.",
		Source: "S003-47", Example: "status: current",
	},
}

func statusValue(f *file, say say) {
	value := f.c.Field("status")
	if value != "" && !strings.EqualFold(value, string(checkpoint.Current)) && !strings.EqualFold(value, string(checkpoint.Active)) {
		say(f.d.Front.Line("status"), "status is %s, neither current nor active", quote(value))
	}
}

func twoCurrents(s *folder, say sayIn) {
	currents := s.set.MarkedCurrent()
	if len(currents) < 2 {
		return
	}
	var paths []string
	for _, c := range currents {
		paths = append(paths, c.Path)
	}
	for _, c := range currents {
		say(c.Path, c.ID, c.Doc.Front.Line("status"), "%q is marked current, and so is %s", c.ID, few(paths, c.Path))
	}
}

func statusArchived(f *file, say say) {
	if value := f.c.Field("status"); value != "" && !f.active {
		say(f.d.Front.Line("status"), "the file is in archive/, where status %s says nothing", quote(value))
	}
}
