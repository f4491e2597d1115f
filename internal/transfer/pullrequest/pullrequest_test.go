package pullrequest_test

import (
	"testing"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/transfer/pullrequest"
)

func TestDescribe(t *testing.T) {
	const front = "---\ncheckpoint: chk-a\nstatus: active\n---\n\n# Checkpoint: a\n\n"
	for _, test := range []struct {
		name, file, want string
	}{
		{"nothing", "", ""},
		{
			"an open one has its state",
			"## Problem\n\nLogins fail.\n\nOnly at night.\n\n## Decisions\n\n- **Use SQS**: it is there\n- Plain words\n  and more\n\n" +
				"## Current State\n\nHalf done.\n\n## Next Actions\n\n1. Go on\n",
			"## Problem\n\nLogins fail.\n\nOnly at night.\n\n## Decisions\n\n- **Use SQS**: it is there\n- Plain words\n  and more\n\n" +
				"## Current State\n\nHalf done.\n",
		},
		{
			"a completed one has its outcome",
			"## Problem\n\nx\n\n## Current State\n\nHalf done.\n\n## Completion\n\n**Outcome**: shipped\n\n**Learnings**:\n- y\n",
			"## Problem\n\nx\n\n## Outcome\n\nshipped\n",
		},
		{
			"what is not in force is left out",
			"## Decisions\n\n- ~~**A**: why~~ → **B**\n- **B**: because\n\n### Rejected\n\n- **C**: no\n",
			"## Decisions\n\n- **B**: because\n",
		},
		{
			"a table becomes bullets",
			"## Decisions\n\n| Decision | Why |\n|---|---|\n| A | it is there |\n| ~~B~~ | slow |\n",
			"## Decisions\n\n- **A**: it is there\n",
		},
		{
			"a guide is left out",
			"## Problem\n\n<!-- What is wrong? -->\n\n## Decisions\n\n- **A**: b\n",
			"## Decisions\n\n- **A**: b\n",
		},
	} {
		c, err := checkpoint.Parse("active/chk-a.md", []byte(front+test.file))
		if err != nil {
			t.Fatal(err)
		}
		if got := pullrequest.Describe(c).Markdown; got != test.want {
			t.Errorf("%s:\n%s\nwant:\n%s", test.name, got, test.want)
		}
	}
}
