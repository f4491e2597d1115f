package importing

import (
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/text"
)

// words has the headings that people use for the sections of the format, in lower case. A
// longer heading matches if a sign such as ":" or "(" follows the words: "Next: the
// parser", "Done (this week)". Words with a star match whatever follows them. So "State
// machine", "Next.js" and "Decisions needed" do not match. Words that could mean two
// sections are not listed: their text goes to Imported.
var words = text.Lazy[map[checkpoint.Kind]string]{Make: func() map[checkpoint.Kind]string {
	return map[checkpoint.Kind]string{
		checkpoint.Problem: `problem|the problem|current problem|problem statement|problem definition|
		motivation|why this project exists|problems it solves|problems solved|the current problem|
		problem description|the issue`,
		checkpoint.Intent: `intent|session intent|goal|goals|the goal|main goal|project goal|project goals|
		session goal|session goals|current goal|objective|objectives|mission|purpose|task|the task|
		current task|the ask|user request|original request|request|requirements|core requirements|
		key requirements|success criteria|acceptance criteria|definition of done|desired outcome|
		what we want|primary goal|primary goals|overall goal|overall goals|end goal|specific goal|
		session objective|session objectives|current objective|current objectives|primary objective|
		main objective|what we're building|what we are building|what you're building|project purpose|
		the mission|user goal|user goals|user intent|primary request|primary request and intent`,
		checkpoint.Decisions: `decisions|the decisions|decision log|decision record|decision records|
		decisions made|decisions and rationale|decisions taken|key decisions|main decisions|
		important decisions|major decisions|recent decisions|active decisions|
		active decisions and considerations|user decisions|locked decisions|design decisions|
		key design decisions|architecture decisions|architectural decisions|key architecture decisions|
		key architectural decisions|technical decisions|key technical decisions|what we decided|
		evolution of project decisions|decision|key decision|design decision|architecture decision|
		architectural decision|technical decision|decisions already made*|decisions made so far|
		key decisions made*|key decisions already made*|key technical decisions made|
		technical decisions made|design decisions made|architecture decisions made|settled decisions|
		agreed decisions|accepted decisions|confirmed decisions|final decisions|resolved decisions|
		locked-in decisions|decisions locked in|decisions log|decisions summary|decision summary|
		decisions to preserve|decisions and reasoning|decisions and why|what was decided*|
		what has been decided*|things we decided|current decisions`,
		checkpoint.Context: `context|technical context|tech context|technical details|technical notes|
		technical constraints|tech stack|stack|technology stack|technologies|technologies used|
		key technologies|architecture*|system architecture|project architecture|project structure|
		directory structure|folder structure|code structure|design patterns|design patterns in use|
		code patterns|system patterns|patterns|key patterns|important patterns and preferences|environment|
		environment notes|development environment|development setup|dev setup|setup|configuration|
		dependencies|infrastructure|conventions|coding conventions|assumptions|commands|key commands|
		useful commands|how to test|how to build|build and test|learnings|key learnings|lessons|
		lessons learned*|learnings and project insights|insights|key insights|gotchas*|known gotchas|
		pitfalls|caveats|watch out|things to watch out for|discoveries|findings|key findings|key context|
		important context|technical stack|code map|repo layout|repository layout|repository structure|
		file structure|codebase structure|project layout|code layout|environment setup|quick commands|
		build commands|test commands|how to run*|how to deploy`,
		checkpoint.Breadcrumbs: `breadcrumbs|working set|key files*|relevant files*|important files*|
		critical files*|related files|files to read*|files to look at|where to find things|where things are|
		where to look|code references|references|links|useful links|reading list|read first|key paths|
		key paths and commands|key references|reference files|files to review|read these first*|
		read these files*|read order|where to look next`,
		checkpoint.Artifacts: `artifact trail|artifacts|files|files changed*|files modified*|modified files|
		changed files|files touched*|files created*|files edited*|created files|new files|file changes`,
		checkpoint.PlayByPlay: `play-by-play|play by play|done|what's done|what is done|already done|completed|
		completed work|completed tasks|completed this session|done this session|work done|what was done*|
		what has been done|what was accomplished|what we did*|what i did*|accomplished|accomplishments|
		finished|implemented|changes made|recent changes|recent work|recent progress|recently completed|
		recent commits|commits|commit history|recent commit history|history|session history|session log|
		work log|progress log|log|timeline|progress|progress so far|actions taken|steps taken|what changed|
		what has been completed*|what was completed*|what is complete|what's complete|what just happened|
		what happened*|what shipped*|what was shipped*|what we shipped*|shipped|shipped this session|
		recently shipped|what's been done*|what's been built*|what's been completed*|what was built*|
		what has been built*|what we built*|what we've done*|what we have done*|what we accomplished*|
		what i built*|work completed*|work done this session|completed in this session|completed today|
		completed so far|completed features|features completed|completed items|completed phases|
		phases completed|completed milestones|milestones completed|milestones shipped|shipped milestones|
		recent milestones|recent activity|recent arc*|activity log|implementation log|
		session accomplishments|tasks completed|last action|last completed|last completed task|
		achievements|recent achievements|key achievements|accomplished this session|accomplished today|
		today's accomplishments`,
		checkpoint.State: `state|the state|current state|status|current status|project status|focus|
		current focus|current work focus|current work|current position|where we left off|where i left off|
		now|in progress|in-progress|work in progress|wip|currently working on|active work|what works|
		what's working|what is working|what doesn't work|what's broken|what is broken|not working|
		known issues|known bugs|known problems|blocked|blockers|current blockers|blocking issues|
		session continuity|test status|build status|git state|git status|uncommitted changes|where we are*|
		where things stand*|where it stands|where this stands|current repo state|repo state|
		repository state|state of the repo|current repository state|project state|current project state|
		current codebase state|state of the code|current implementation status|implementation status|
		current phase|current milestone|current progress|status summary|overall status|phase status|
		status snapshot|current status summary|in flight|partially done|partially complete|
		partially completed|half done|current issues|open issues|open bugs|active issues|known limitations|
		deployment status|branch status|current branch|working tree|verification status|validation status|
		what's failing|what is failing|failing tests|failed items|what's not working|what is not working|
		issues|issues encountered|
		in progress tasks|tasks in progress|work under way`,
		checkpoint.Next: `next|next step*|next steps*|next action*|next actions*|next task|next tasks|next up|
		up next|immediate next steps*|immediate next step|immediate next actions|todo|todos|to do|to-do|
		to-dos|todo list|open todos|pending todos|remaining todos|specific todos*|pending|pending tasks|
		pending work|pending items|pending actions|open tasks|remaining|remaining work*|remaining tasks*|
		outstanding|outstanding work|what's left to do|what's left to build|what is left to do|
		what is left to build|remaining items|open work|upcoming|planned work|what remains*|action items|
		not started|first thing to do|next session|next session should*|next session goals*|
		next session tasks*|next session plan*|next session priorities*|next session focus*|
		next session start*|for next session*|for the next session*|in the next session*|
		tasks for next session|plan for next session|focus areas for next session|focus for next session|
		next agent should*|next agent must*|next phase|next phases|next milestone|next milestones|
		next priorities|next priority|next focus|next move|next moves|next recommended*|next immediate*|
		next logical*|next concrete*|next planned*|next work*|next items|next item|next thing*|
		immediate next*|immediate recommended next*|immediate actions|immediate action|immediate tasks|
		immediate priorities|immediate priority|immediate todo|immediate todos|recommended next*|
		suggested next*|proposed next*|planned next*|possible next steps*|concrete next*|exact next*|
		remaining next steps|recommended order*|recommended execution order|execution order|
		current execution order|order of work|do these first|do this first|do first|do next|start with this|
		what to do*|what to do next*|what to work on*|what to build next*|what to pick up*|
		what needs to be done*|what needs to happen*|what needs doing*|what must happen next|
		what should happen next|what happens next|what's next*|what is next*|what comes next*|what next|
		what's left*|what is left*|what's remaining*|what is remaining|what's missing|what's pending|
		what is pending|left to do*|left to build|still left|still to do*|still needed|still open|
		still pending|still remaining|still needs*|things to do|things left to do|to be done|
		tasks remaining|work remaining|remaining phases|remaining steps*|remaining todo|remaining issues|
		remaining milestones|remaining features|remaining implementation|remaining migrations|
		remaining polish|not done|not done yet*|not yet done*|not done in this session|not yet started|
		not yet implemented*|not yet complete*|not yet completed|not completed|not complete|not finished|
		not finished yet|not implemented|not implemented yet|not started yet|unfinished*|incomplete|
		incomplete work|incomplete tasks|incomplete items|uncompleted|follow-up|follow-ups|follow up|
		follow ups|followups|follow-up tasks|follow-up work|follow-up items|follow-up actions|
		open follow-ups|open items|open steps|open work items|active todos|active todo|current todos|
		current todo list|task queue|work queue|todo next|todo for next session|pending one-time setup|
		pending next steps|pending steps|pending implementation|pending features|pending todo|
		outstanding items|outstanding tasks|outstanding todos|action plan|first action|first actions|
		first step|first steps|upcoming work|upcoming tasks|upcoming steps|top priority|top priorities|
		current priorities|resume here|resume from here|resume point|resume instructions|resume with|
		to resume|to resume work|to continue|on resume|when resuming|when you resume|how to resume*|
		how to continue*|continue here|continue from here|continue with|pick up here|pick up from here|
		where to pick up*|where to start|where to resume|
		resume procedure*|resume steps*|resume plan*|resuming work|next milestone goals|still owed|owed`,
		checkpoint.Rules: `rules|the rules|user rules|project rules|hard rules*|ground rules|golden rules|
		constraints|user constraints|hard constraints|preferences|user preferences|non-negotiables|
		guardrails|working agreements|instructions|user instructions|never do|do not*|don'ts|
		do's and don'ts|dos and don'ts|important constraints|key constraints|non-negotiable constraints|
		non-negotiable rules|critical rules|key rules|important rules|working rules|workflow rules|
		workflow preferences|operating rules|safety rules|coding rules|don't touch*|don't do*|
		what not to do*|things not to do|must not|must not do`,
	}
}}

// kinds finds the sections that headings and labels name.
var kinds = text.Lazy[text.Titles[checkpoint.Kind]]{
	Make: func() text.Titles[checkpoint.Kind] { return text.NewTitles(words.Get()) },
}

// kindOf returns the section that a heading clearly names: by its first words, or for
// next actions by its last ones ("Shop: next steps").
func kindOf(title string) (checkpoint.Kind, bool) {
	if k, known := checkpoint.KindNamed(title); known && k != checkpoint.Essential && k != checkpoint.Completion {
		return k, true
	}
	if kind, _, ok := kinds.Get().Find(title); ok {
		return kind, true
	}
	for _, sign := range []string{" - ", " — ", " – ", ": ", " | "} {
		if i := strings.LastIndex(title, sign); i > 0 {
			if kind, whole, ok := kinds.Get().Find(title[i+len(sign):]); ok && whole && kind == checkpoint.Next {
				return kind, true
			}
		}
	}
	return nowhere, false
}

var numbered = text.Regexp(`(?i)^\W*(phase|step|stage|milestone|sprint|iteration|task|part)\s*#?\d`)

// stage returns the status in the heading of a numbered phase, or in a heading with a checkbox:
// "Phase 2: API [COMPLETED]", "Step 3 (in progress)", "[ ] Paint".
func stage(title string) checkpoint.ItemStatus {
	if box, status := itemStatus(title); box || numbered.MatchString(title) {
		return status
	}
	return checkpoint.Unstated
}
