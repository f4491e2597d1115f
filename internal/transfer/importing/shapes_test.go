package importing

import (
	"strings"
	"testing"
)

// Shapes of files that people and agents wrote, each with what a reader must find.
func TestShapes(t *testing.T) {
	for name, c := range map[string]struct {
		file, text string
		next       string            // the first next action
		has, hasNo map[string]string // what sections have, and what they must not have
	}{
		"sessions of sibling headings": {
			text: "# Log\n\n## Session 1: Initializer\n## Date: 2026-01-01\n\n### Done\n- Wrote init.sh\n\n## Next Steps\n- Run init.sh\n\n" +
				"## Session 2: Coding Agent\n## Date: 2026-01-02\n\n## Completed\n- Login works\n\n## Next Steps\n- Add logout\n",
			next:  "Add logout",
			has:   map[string]string{"Play-By-Play": "Login works", "Imported": "Run init.sh"},
			hasNo: map[string]string{"Play-By-Play": "Wrote init.sh"},
		},
		"done below next": {
			text: "## Next Steps\n\n### Testing (Complete)\n- Wrote the tests\n\n### Login ✅ DONE\n- Login works\n\n### Deploy\n- Push the image\n",
			next: "Push the image",
			has:  map[string]string{"Play-By-Play": "Login works"}, hasNo: map[string]string{"Next Actions": "Wrote the tests"},
		},
		"a log of status lines": {
			text:  "Status: red\nNext: A1\nA1: DONE\nStatus: green\nA2: DONE\nNext: Deploy it\nOwner: ann\n",
			next:  "Deploy it",
			has:   map[string]string{"Current State": "green"},
			hasNo: map[string]string{"Next Actions": "A1", "Current State": "red"},
		},
		"headings before labels": {
			text: "## Next Session Implementation Plan\n\n1. Write the parser\n\n## Notes\n\n**Next Session Should Measure:**\n- The time\n",
			next: "Write the parser",
		},
		"an order with what to expect": {
			text: "## Next\n\nRun the benchmark on a\nquiet machine.\n\nExpected:\n- 20 ms\n",
			next: "Run the benchmark on a quiet machine.",
		},
		"a table that is not of tasks": {
			text:  "## States\n\n| From | Event | To |\n|---|---|---|\n| Active | Park | Pending |\n",
			hasNo: map[string]string{"Next Actions": "Park"},
		},
		"a table of tasks": {
			text: "## Plan\n\n| Task | Status |\n|---|---|\n| Write it | Pending |\n",
			next: "Write it",
		},
		"previous focus": {
			text: "# Current Focus\n\nThe till.\n\n# Previous Focus\n\n## Next Steps\n- Old one\n\n**Next:** another old one\n",
			has:  map[string]string{"Current State": "The till.", "Imported": "Old one"}, hasNo: map[string]string{"Next Actions": "ld one"},
		},
		"a title that names a section": {
			text: "# Status\n\nIt works.\n\n## Paint\n\n- [ ] Paint it\n\n## Why\n\nBecause.\n",
			next: "Paint it",
			has:  map[string]string{"Current State": "It works."}, hasNo: map[string]string{"Current State": "Because."},
		},
		"a log with the newest entry first": {
			text: "## Recent Changes\n\n### 2026-01-02\n- second\n\n### 2026-01-01\n- first\n",
			has:  map[string]string{"Play-By-Play": "##### 2026-01-01\n\n- first\n\n##### 2026-01-02\n\n- second"},
		},
		"entries of one heading stay together": {
			text: "## Done\n\n- ✅ a\n- ⏳ b\n- ✅ c\n\n## Next\n- d\n", next: "d",
			has: map[string]string{"Play-By-Play": "- ✅ a\n- ✅ c", "Current State": "⏳ b"},
		},
		"a list of things to do by its file name": {
			file: "TODO.md", text: "# Shop\n\n## Till\n- Print receipts\n- Paint it (done)\n\n## Why\n\nBecause.\n",
			next: "Print receipts", has: map[string]string{"Play-By-Play": "Paint it", "Imported": "Because."},
		},
		"next steps by the file name": {
			file: "NEXT_STEPS.md", text: "# Shop\n\n- Print receipts\n", next: "Print receipts",
		},
		"lists of a to-do file where a heading says what is next": {
			file: "TODO.md", text: "# Shop\n\n## Rules of the till\n\n- It never opens by itself\n\n## Next\n\n- Paint it\n", next: "Paint it",
		},
		"what is open without a box or a heading that says so": {
			text: "## Tests\n\n- Drawer (pending)\n- Printer (open)\n",
		},
		"deferred work in an order": {
			text: "## Notes\n\nAll else is done.\n\n## Deferred work\n\nNothing of it is urgent. Recommended order:\n\n1. Print receipts\n",
			next: "Print receipts",
		},
		"open boxes beside those of next": {
			text: "## Till\n- [ ] Print receipts\n\n## Next\n- [ ] Paint it\n", next: "Paint it",
			has: map[string]string{"Next Actions": "Print receipts"},
		},
		"a label of a decision": {
			text: "## Storage\n\n**Storage Decision:** Keep files, since they merge.\n\nMore.\n",
			has:  map[string]string{"Decisions": "Keep files"}, hasNo: map[string]string{"Decisions": "More."},
		},
		"the goal in an overview": {
			text: "# Shop\n\n## Overview\n\nA till for markets.\n\n## Next\n- a\n", next: "a",
			has: map[string]string{"Session Intent": "A till for markets."},
		},
		"no goal in an overview beside a goal": {
			text: "## Overview\n\nA till.\n\n## Goal\n\nReceipts.\n", hasNo: map[string]string{"Session Intent": "A till."},
			has: map[string]string{"Session Intent": "Receipts."},
		},
		"the goal behind a label below a heading": {
			text: "# Shop\n\n## Current work item\n\n**Owner:** ann\n**Task:** Print receipts\n",
			has:  map[string]string{"Session Intent": "Print receipts"}, hasNo: map[string]string{"Session Intent": "ann"},
		},
		"the goal in a quote": {
			text: "# Shop\n\n> **Goal:** Print receipts\n\n## Notes\n\nx\n", has: map[string]string{"Session Intent": "Print receipts"},
		},
		"a finished entry with an open one below it": {
			text: "## Done\n\n- [x] Till\n  - [ ] Receipts\n- [x] Paint\n", has: map[string]string{"Next Actions": "Till", "Play-By-Play": "Paint"},
			hasNo: map[string]string{"Play-By-Play": "Till"},
		},
		"old entries are not done because of the log": {
			text:  "## Session Log\n\n### 2026-01-02\n\n- a\n\n### 2026-01-01\n\n- ⏳ b\n\n#### Next\n\n- c\n",
			hasNo: map[string]string{"Play-By-Play": "b", "Next Actions": "c"},
		},
		"an entry of a log that says what remains": {
			text:  "## Log\n\n### T2\n\n- Wrote it\n- **Remaining work**: the tests\n\n### T1\n\n- Begun\n",
			hasNo: map[string]string{"Play-By-Play": "the tests"}, has: map[string]string{"Play-By-Play": "Wrote it"}, next: "the tests",
		},
		"done below next, whatever the heading names": {
			text: "## Next Steps\n\n### Project Status: Complete ✅\n1. All works\n\n### Ideas\n- Paint it\n", next: "Paint it",
		},
		"a banner of several lines": {
			file: "claude-progress.txt", next: "Deploy it",
			text:  "====\nSession: Drawers\nDate: 2026-01-02\n====\n\nNext steps:\n- Deploy it\n\n====\nSession: Till\nDate: 2026-01-01\n====\n\nNext steps:\n- Old one\n",
			hasNo: map[string]string{"Next Actions": "Old one"},
		},
		"steps in a list of next steps": {
			file: "NEXT_STEPS.md", text: "# Next Steps - Publish\n\nAll is ready.\n\n## Publish\n\n### Step 1: Test it\n\n```\nmake\n```\n\n### Step 2: Push it\n\n1. Go there\n",
			next: "Test it",
		},
		"a table of phases": {
			text: "## Phase Status\n\n| Phase | Name | Status |\n|---|---|---|\n| 1 | Base | Complete |\n| 2 | Lists | Pending |\n", next: "Lists",
		},
		"a sentence that is next before a list of what is open": {
			text: "## Open items\n\n- Later one\n\n## Next session\n\nPaint it,\nthen sell it.\n", next: "Paint it, then sell it.",
		},
		"a heading that is the next step": {
			text: "## Next Step: Run it once\n\n**What this does:**\n1. Reads\n2. Writes\n", next: "Run it once",
		},
		"sessions in brackets": {
			file: "claude-progress.txt", next: "Session 3: F2",
			text: "# Log\n# Append only.\n\n----\n[Session 1 — 2026-01-01]\nNEXT:\n  Session 2: F1\n----\n\n----\n[Session 2 — 2026-01-02]\nNEXT:\n  Session 3: F2\n----\n",
		},
		"a table of blockers": {
			text: "## Blockers\n\n| Issue | Status |\n|---|---|\n| No API | 🟡 |\n", hasNo: map[string]string{"Next Actions": "No API"},
		},
		"numbered parts of a list of next steps": {
			file: "NEXT_STEPS.md", text: "# Next Steps for Maps\n\nTasks.\n\n## 1. Core\n\n### Places\n- Find them\n", next: "Find them",
		},
		"next steps below rules": {
			text: "## Working agreements\n\n- Ask first\n\n### Start here (next session)\n\n- Paint it\n", next: "Paint it",
		},
		"gotchas for the next session": {
			text: "## Warnings / gotchas for next session\n\n- It bites\n", hasNo: map[string]string{"Next Actions": "bites"},
			has: map[string]string{"Technical Context": "It bites"},
		},
		"a legend is not a list of tasks": {
			text: "## Tasks so far\n\nNone.\n\n## Legend\n\n- ✅ Done: merged\n- ⏳ Pending: not begun\n", hasNo: map[string]string{"Next Actions": "not begun"},
		},
		"the boxes of a list of things to do": {
			file: "TODO.md", text: "# Shop\n\n## Before each task\n\n1. Read the rules\n\n## Till\n\n- [x] Print\n- [ ] Paint it\n", next: "Paint it",
			hasNo: map[string]string{"Next Actions": "Read the rules"},
		},
		"a table in a file about progress": {
			text: "# Shop - Build Progress\n\n## M1: Till\n\n| Task | Status |\n|---|---|\n| Drawer | done |\n| Paint it | pending |\n", next: "Paint it",
		},
		"a log with its title in the middle": {
			text:  "## Session: 2026-01-02\n\n### Done\n- b\n\n# Log\n\n## Session: 2026-01-01\n\n### Next\n- Old one\n\n## Session: 2025-12-31\n\n- a\n",
			hasNo: map[string]string{"Next Actions": "Old one"},
		},
		"what is not done": {
			text: "## 5. What is NOT done\n\n- Push the branch\n", next: "Push the branch",
		},
		"what the section says is none": {
			text: "## Tests\n\n- [ ] Log in by hand\n\n## Next steps\n\nNone.\n", hasNo: map[string]string{"Next Actions": "Log in"},
		},
		"boxes below a numbered part of what is in progress": {
			text: "## In Progress\n\n### 1. Till\n\n- [ ] Print receipts\n", next: "Print receipts",
		},
		"what is optional keeps its place": {
			text: "## Next Steps\n\n### Optional (low priority)\n- Paint it\n\n### Upkeep\n- Clean it\n", next: "Paint it",
		},
		"a log of days with slashes": {
			text: "# Log\n\n## 2026/01/01\n### Next\n- Old one\n\n## 2026/01/02\n### Next\n- New one\n", next: "New one",
		},
		"done in more words": {
			text: "## Next\n\n1. ~~Print receipts~~ done in 1a2b\n2. Paint it — ✅ DONE (3c4d)\n3. Sell it\n", next: "Sell it",
		},
		"a box that says it is done": {
			text: "## Tasks\n\n- [ ] **Till** ✅ DONE (2026-01-02)\n- [ ] Paint it\n", next: "Paint it",
			has: map[string]string{"Play-By-Play": "Till"},
		},
		"open boxes below a heading that is done": {
			text: "## Priority 1 — Till — ✅ Done (2026-01-02)\n\n### 1.1 Drawer\n\n- [ ] Print\n\n## Priority 2\n\n- [ ] Paint it\n", next: "Paint it",
			hasNo: map[string]string{"Next Actions": "Print", "Play-By-Play": "Print"},
		},
		"what is next below a heading that is done": {
			text: "## Session 3 ✅ Done\n\n- Wrote it\n\n### Next Steps\n\n- Paint it\n", next: "Paint it",
		},
		"what remains of what is done": {
			text: "## Till ✅ Done\n\nIt prints.\n\nRemaining work: look at a receipt.\n\n### Drawer\n\n- [ ] Open it\n", next: "look at a receipt.",
		},
		"criteria are not tasks": {
			text: "## Till\n\n#### Tasks of docs\n\n- [ ] Write it\n\n#### Acceptance criteria\n\n- [ ] It prints\n\n## Paint\n\n#### Definition of done\n\n- [ ] It is red\n",
			next: "Write it", hasNo: map[string]string{"Next Actions": "It"},
		},
		"criteria of the next task": {
			text: "## Next task: Paint the till\n\n### Acceptance criteria\n\n- [ ] It is red\n", next: "Paint the till",
		},
		"the next task in a numbered heading": {
			text: "## 2. Next Immediate Task — First Green Run\n\nRun it and see:\n\n```\nrun\n```\n\nExpected happy path:\n1. It begins\n", next: "First Green Run",
		},
		"an unfilled template": {
			text:  "## Done\n- (filled in later)\n\n## Remaining Work\n- [to be filled in]\n\n## Next\n> (filled in later)\n\n## Next task\n- <filled in later>\n",
			hasNo: map[string]string{"Next Actions": "filled"},
		},
		"the description of a queue": {
			text: "# Task Queue\n\nTasks for all agents.\n\n## Active Phase\n\n(none)\n", hasNo: map[string]string{"Next Actions": "agents"},
		},
		"the first open item of a queue": {
			text: "# Task Queue\n\nTasks for all agents.\n\n## Till\n\n- [x] Print\n- [ ] Paint it\n", next: "Paint it",
		},
		"what to resume with before what is pending": {
			text: "## Pending Todos\n\n- Later one\n\n## Session Continuity\n\nLast session: 2026-01-02\nResume with: `go on`\n", next: "`go on`",
		},
		"labels in Chinese": {
			text: "# 商店\n\n当前状态：可以打印\n下一步：修复抽屉\n", next: "修复抽屉", has: map[string]string{"Current State": "可以打印"},
		},
		"what was not made is not next": {
			text: "## Not implemented / out of scope\n\n- A till for tablets\n", hasNo: map[string]string{"Next Actions": "tablets"},
		},
		"a backlog beside priorities": {
			text: "## Implementation Priority\n\n1. Paint it\n\n## Backlog (proposals only)\n\n- Later one\n", next: "Paint it",
		},
		"the focus of a list of things to do": {
			text: "# Till - TODO\n\n## Current Focus\n\n- Paint it\n\n## Backlog (optional)\n\n- Later one\n", next: "Paint it",
		},
		"boxes below a title that names them": {
			text: "# TODO\n\nOpen work items.\n\n## Till\n\n- [x] Print\n- [ ] Paint it\n", next: "Paint it",
		},
		"a legend before a rule": {
			text: "# TODO\n\n> Items for people.\n\nLegend: `[ ]` open - `[x]` done\n---\n\n- [ ] Paint it\n", next: "Paint it",
		},
		"sessions on two levels": {
			text:  "# Coding Session 1\n\n### Next Steps\n- Old one\n\n---\n\n## Coding Session 2\n\n### Done\n- Printed\n",
			hasNo: map[string]string{"Next Actions": "Old one"},
		},
		"the number of a phase is not that of an entry": {
			text: "## 2026-01-01 - Phases 1-3\n\n### Next\n- Old one\n\n## 2026-01-02 - Phase 1\n\n### Next\n- Paint it\n",
			next: "Paint it",
		},
		"a sign before a heading of next steps": {
			text: "# Till: Next Steps\n\n## ❌ What NOT to do\n\n- Sell it\n\n## ✅ What TO do right now\n\n### 1. Paint it\n\n- In red\n",
			next: "Paint it",
		},
		"next steps behind a slash": {
			text: "## Contacts / Next steps\n\n**Owner**: ann\n\n**Suggested:**\n1. Paint it\n", next: "Paint it",
		},
		"next steps in Chinese": {
			text: "## 当前会话 ✅\n\n- a\n\n**下一步（抽屉）**：\n1. 修复抽屉\n", next: "修复抽屉",
		},
		"nothing is left of what comes first": {
			text: "## High Priority - Do Next\n\n_No high-priority tasks remaining._\n\n## Medium Priority\n\n- Paint it\n", next: "Paint it",
		},
		"a heading with a number that is a task": {
			text: "## Short-term TODO\n\n### S1. Paint it\n\nIt is **blocking**.\n\n### S2. Sell it\n\n- [ ] Call ann\n", next: "S1. Paint it",
		},
		"a heading with prose that is a task": {
			text: "## Remaining work\n\n### Paint it\n\nRed is best.\n\n### Sell it\n\n- Call ann\n", next: "Paint it",
		},
		"words of what is done before a colon": {
			text: "## What's left\n\n- **Till complete**: it prints\n- **Drawer**: dropped for good\n- Paint it\n", next: "Paint it",
		},
		"a step behind a label, not what has no date": {
			text: "## Upcoming\n\n- **Phase 2**: TBD\n\n## License\n\nMIT\n\n---\n\n**Next Step**: Paint it\n", next: "Paint it",
		},
		"an open box among finished ones": {
			text: "## 완료\n\n- [x] Print\n- [ ] Set it up\n\n## 진행 중\n\n- [ ] Paint it\n", next: "Paint it",
		},
		"what remains before how to resume": {
			text: "## What remains\n\n| Priority | Item |\n|---|---|\n| P0 | Paint it |\n\n## How to resume\n\n1. Read this\n", next: "Paint it",
		},
		"how long it takes is not next": {
			text: "## Till\n\n**Remaining**: 1-2 days\n", hasNo: map[string]string{"Next Actions": "days"},
		},
		"a template with several brackets": {
			text: "## Next steps\n\n- [ ] [Step 1]\n- [Milestone 3] - [Expected date]\n", hasNo: map[string]string{"Next Actions": "["},
		},
		"a field is not a label": {
			text: "## Fields\n\n- **id**: a number\n- **tasks**: the tasks of it\n", hasNo: map[string]string{"Next Actions": "tasks of it"},
		},
		"a statement before a list that has its own introduction": {
			text: "## Remaining work\n\nTill and drawer work as they should. What is left:\n\n- Paint it\n", next: "Paint it",
		},
		"what was done before a list of what is open": {
			text: "## Next\n\nPainted the till and the drawer.\n\nStill open:\n\n- Sell it\n", next: "Sell it",
		},
		"what is next is done": {
			text: "# Shop\n\n## Position\n\nNext: All 3 phases complete\n\n## Tests\n\n- [ ] Log in by hand\n",
			has:  map[string]string{"Play-By-Play": "All 3 phases complete"}, hasNo: map[string]string{"Next Actions": "All 3 phases"},
		},
		"the last of two sessions on the newest day": {
			text: "# Log\n\n## 2026-01-01\n### Next\n- Old one\n## 2026-01-02\n### Next\n- Older one\n## 2026-01-02, later\n### Next\n- Paint it\n",
			next: "Paint it",
		},
		"words of a template": {
			text:  "# Log\n\n## Entries\n- Branch: main\n- Work completed: all\n- Next step: immediate next action\n\n## Next\n\n- YYYY-MM-DD: your task\n",
			hasNo: map[string]string{"Next Actions": "your task"},
		},
		"criteria in Japanese": {
			text: "## 完了の定義\n\n- [ ] 赤い\n\n## 完了の定義（抽屉）\n\n- [ ] 赤い\n", hasNo: map[string]string{"Next Actions": "赤い"},
		},
		"words between next and what it is": {
			text: "## Test and hardware next gates\n\n1. Paint it\n", next: "Paint it",
		},
		"a recommended order": {
			text: "## Targets\n\n- Sell it\n\n## Recommended build order\n\n1. Paint it\n", next: "Paint it",
		},
		"the next review is not an action": {
			text: "## Till\n\n**Next review:** on Monday\n", hasNo: map[string]string{"Next Actions": "Monday"},
		},
		"future improvements where nothing else is next": {
			text: "## Till\n\nIt prints.\n\n## Future improvements\n\n1. Paint it\n", next: "Paint it",
		},
		"future improvements beside what is left": {
			text: "## Future improvements\n\n1. Sell it\n\n## What's left\n\n- Paint it\n", next: "Paint it",
			has: map[string]string{"Imported": "Sell it"},
		},
		"a label that says how to resume": {
			text: "## Session Continuity\n\nLast session: 2026-01-27\nResume file: None\nResume: Start with `paint`\n", next: "Start with `paint`",
		},
		"where to resume in French": {
			text: "## Ce qu'il reste à faire\n\n- Vendre\n\n## Où reprendre\n\n1. Peindre\n", next: "Peindre",
		},
		"remaining tasks in Japanese": {
			text: "## **3. 残っているタスク (後)**\n\n- 塗る\n", next: "塗る",
		},
		"what can be done next in Korean": {
			text: "## 다음에 할 수 있는 일 (미착수)\n\n- 칠하기\n", next: "칠하기",
		},
		"commands that are next": {
			text: "## Do this first\n\nFrom here:\n\n```bash\n# 1. Paint it\npaint --red\n\n# 2. Sell it\nsell\n```\n\nThen tell ann.\n", next: "`paint --red`",
		},
		"commands before a list of next steps": {
			text: "## Next\n\n```bash\nopen till\n```\n\n1. Paint it\n", next: "Paint it",
		},
		"next in a section with a day among sections without one": {
			text: "## Base (2026-01-01)\n\n### Next steps\n- Paint it\n\n## A\na\n## B\nb\n## C\nc\n## D\nd\n## E\ne\n## F\nf\n" +
				"## Checks (2026-01-01)\n\n## First actions next session\n- Sell it\n", next: "Paint it",
		},
		"a sentence that is next in Russian": {
			text: "## СЛЕДУЮЩИЕ ДЕЙСТВИЯ\n\nПокрасить кассу в красный цвет\n", next: "Покрасить кассу в красный цвет",
		},
		"the order after what is built next": {
			text: "## What to build next: a till\n\n### Module 1\n\n- Has a drawer\n\n## Implementation order\n\n1. **Done: Sand it.**\n2. Paint it\n", next: "Paint it",
		},
		"a term in a list is not a label": {
			text: "## Done\n\n- **Resume** (as a page)\n- **Settings** (all)\n\n## Next\n\n- Paint it\n", next: "Paint it",
			has: map[string]string{"Play-By-Play": "Settings"},
		},
		"steps before what comes tomorrow": {
			file: "NEXT_STEPS.md", next: "Sand it",
			text: "# Next Steps: Sell it\n\n## Step 1: Sand it\n\n```\nsand\n```\n\n## Timeline\n\n- **Now**: sand\n- **Tomorrow**: sell it\n",
		},
		"steps before what is next after them": {
			file: "NEXT_STEPS.md", next: "Sand it",
			text: "# Next Steps: Sell it\n\n## Sell\n\n### Step 1: Sand it\n\n1. Go there\n\n## What's next?\n\n1. Share it\n",
		},
		"steps in Chinese": {
			file: "NEXT_STEPS.md", text: "# 指南\n\n## 操作\n\n### 第1步：打磨\n```\nsand\n```\n\n### 第2步：上漆\n- 红色\n", next: "第1步：打磨",
		},
		"priorities in Chinese, the first of them done": {
			text: "## 调整\n\n### 第一优先级：打磨抽屉 ✅\n- a\n\n### 第二优先级：给抽屉上红漆\n- 红色\n", next: "给抽屉上红漆",
			has: map[string]string{"Play-By-Play": "a"},
		},
		"out of scope below open items": {
			text:  "## Open items\n\n### Not built (out of scope for now)\n- Sell it\n\n### Debt\n- Paint it\n",
			hasNo: map[string]string{"Next Actions": "Sell it"}, next: "Paint it",
		},
		"struck, with a sign and more words": {
			text: "## Next\n\n1. ~~Print receipts~~ — ✅ 已修 (2026-07-18)\n2. Paint it\n", next: "Paint it",
			has: map[string]string{"Play-By-Play": "Print receipts"},
		},
		"boxes below a heading of the environment": {
			text: "## Environment\n\n- [ ] Install it\n", next: "Install it",
		},
		"numbered items of a backlog": {
			file: "BACKLOG.md", text: "# Backlog\n\n## Quality\n\n### P3: Paint it\n\n**Why:** It is grey.\n", next: "P3: Paint it",
		},
		"a label is not part of the action": {
			text: "# Shop\n\n- **Focus:** The till\n- **NEXT STEP:** Decide on the port.\n  If yes, start.\n", next: "Decide on the port. If yes, start.",
		},
		"gotchas for who comes next": {
			text: "## Gotchas for the next owner\n\n- It bites\n", hasNo: map[string]string{"Next Actions": "bites"},
			has: map[string]string{"Technical Context": "It bites"},
		},
		"a plan for whoever is next": {
			text: "## Detailed plan for the next agent\n\n1. Paint it\n", next: "Paint it",
		},
		"fields in lower case": {
			text: "# Relay\n\nowner: ann\nstatus: till prints\nnext_item: Paint it\n", next: "Paint it",
			has: map[string]string{"Current State": "till prints"},
		},
		"one word before a colon is not a field": {
			text: "# Relay\n\nWe sat down and said\nnext: coffee.\n", hasNo: map[string]string{"Next Actions": "coffee"},
		},
		"a status below the heading of a task": {
			text: "## Tasks\n\n### Sand the desk\n\n**Status**: done\n\n- [ ] Buy sand\n\n### Oil the desk\n\n**Status**: open\n\n- [ ] Buy oil\n",
			next: "Buy oil", hasNo: map[string]string{"Next Actions": "sand"},
		},
		"an entry whose parts are all done": {
			text: "## Next steps\n\n1. Desk:\n   - Sand it ✅\n   - Oil it ✅\n2. Chair:\n   - Sand it ✅\n   - Oil it\n", next: "Chair:",
			has: map[string]string{"Play-By-Play": "Desk"},
		},
		"what is next below a heading that is done comes later": {
			text: "## Desk ✅ Done\n\n- It stands\n\n**Next:** wax it some day\n\n## Next steps\n\n- Paint it\n", next: "Paint it",
		},
		"open boxes come after what is named": {
			text: "## Desk\n\n- [ ] Wax it\n\n## Remaining tasks\n\n- [ ] Paint it\n", next: "Paint it",
		},
		"what to read before what to do": {
			text: "## Next session\n\nRead in this order:\n\n1. PLAN.md\n2. desk.go\n\nThen do:\n\n1. Paint it\n", next: "Paint it",
			has: map[string]string{"Breadcrumbs": "PLAN.md"},
		},
		"the focus is an order": {
			text: "# Desk\n\n## Current Focus\n\nReplace the legs of the desk.\n", next: "Replace the legs of the desk.",
		},
		"the focus is no order": {
			text: "# Desk\n\n## Current Focus\n\nThe legs of the desk.\n", hasNo: map[string]string{"Next Actions": "legs"},
			has: map[string]string{"Current State": "The legs"},
		},
		"the next session in the title": {
			text: "# Next session: Paint the desk\n\nIt is oak.\n\n## Files\n\n- desk.go\n", next: "Paint the desk",
		},
		"a title about the list": {
			file: "TODO.md", text: "# TODO\n\nMirrors the board.\n\n## Desk\n\n- [x] Oil it\n", hasNo: map[string]string{"Next Actions": "Mirrors"},
		},
		"what was made for later is done": {
			text: "## Notes\n\n- **Created task list for the desk**: five entries\n\n## Next\n\n- Paint it\n", next: "Paint it",
		},
		"a check of the result is no task": {
			text: "## Quick checklist\n\n- [ ] Does it stand?\n\n## Desk\n\n- [ ] Paint it\n", next: "Paint it",
			hasNo: map[string]string{"Next Actions": "stand"},
		},
		"an archived list": {
			text: "## Next steps (archived)\n\n- Sell it\n\n## Next steps\n\n- Paint it\n", next: "Paint it",
			hasNo: map[string]string{"Next Actions": "Sell"},
		},
		"places of a template": {
			text: "## Next\n\n- [ ] Task 1\n- [ ] Task B\n- ...\n", hasNo: map[string]string{"Next Actions": "Task"},
		},
		"an order before a list": {
			text: "## Next\n\nTest the desk now.\n\nMind these:\n\n- It is oak\n", next: "Test the desk now.",
		},
		"a list below a number of two digits": {
			text: "## Next\n\n9. ✅ Sand it\n   - with paper\n10. ✅ Oil it\n   - with a rag\n11. Paint it\n", next: "Paint it",
			hasNo: map[string]string{"Next Actions": "rag"},
		},
		"tasks in a list of things to do": {
			file: "TODO.md", text: "# Desk\n\n### Task: Paint it\n\n- **Why**: it is grey\n- **To do**:\n  - [ ] Buy paint\n", next: "Buy paint",
		},
		"none in Chinese": {
			text: "# 日志\n\n## 状态\n\n- 下一步：无（都已就位）\n\n## 2026-01-02\n\n- 下一步动作：上漆\n", next: "上漆",
		},
		"the heading names itself, not a task": {
			text: "## Next session: plan\n\n- Paint it\n", next: "Paint it",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if c.file == "" {
				c.file = "NOTES.md"
			}
			made, _ := imported(t, c.file, c.text)
			if got := made.FirstAction(); got != c.next && (c.next != "" || c.hasNo["Next Actions"] == "") {
				t.Errorf("next is %q, want %q", got, c.next)
			}
			for title, want := range c.has {
				if got := sectionText(made, title); !strings.Contains(got, want) {
					t.Errorf("%s:\n%s\nlacks:\n%s", title, got, want)
				}
			}
			for title, want := range c.hasNo {
				if got := sectionText(made, title); strings.Contains(got, want) {
					t.Errorf("%s:\n%s\nhas:\n%s", title, got, want)
				}
			}
		})
	}
}
