package importing

import (
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/phrase"
)

// words are the headings that people write for what the format has a section for, in
// lower case. A heading that only begins with one counts where a sign that ends the
// words follows it, "Next: the parser" or "Done (this week)"; behind a star, whatever
// follows. So "State machine", "Next.js" and "Decisions needed" mean nothing here.
// Words that could mean two sections are left out: their text goes to Imported.
var words = map[checkpoint.Kind]string{
	checkpoint.Problem: `problem|the problem|current problem|problem statement|problem definition|motivation|
		why this project exists|problems it solves|problems solved`,
	checkpoint.Intent: `intent|session intent|goal|goals|the goal|main goal|project goal|project goals|session goal|
		session goals|current goal|objective|objectives|mission|purpose|task|the task|current task|the ask|
		user request|original request|request|requirements|core requirements|key requirements|
		success criteria|acceptance criteria|definition of done|desired outcome|what we want`,
	checkpoint.Decisions: `decisions|the decisions|decision log|decision record|decision records|decisions made|
		decisions and rationale|decisions taken|key decisions|main decisions|important decisions|
		major decisions|recent decisions|active decisions|active decisions and considerations|
		user decisions|locked decisions|design decisions|key design decisions|architecture decisions|
		architectural decisions|key architecture decisions|key architectural decisions|
		technical decisions|key technical decisions|what we decided|evolution of project decisions`,
	checkpoint.Context: `context|technical context|tech context|technical details|technical notes|
		technical constraints|tech stack|stack|technology stack|technologies|technologies used|
		key technologies|architecture*|system architecture|project architecture|project structure|
		directory structure|folder structure|code structure|design patterns|
		design patterns in use|code patterns|system patterns|patterns|key patterns|
		important patterns and preferences|environment|environment notes|
		development environment|development setup|dev setup|setup|configuration|dependencies|
		infrastructure|conventions|coding conventions|assumptions|commands|key commands|useful commands|
		how to run|how to test|how to build|build and test|learnings|key learnings|lessons|
		lessons learned*|learnings and project insights|insights|key insights|gotchas*|
		known gotchas|pitfalls|caveats|watch out|things to watch out for|discoveries|findings|
		key findings`,
	checkpoint.Breadcrumbs: `breadcrumbs|working set|key files*|relevant files*|important files*|critical files*|
		related files|files to read*|files to look at|where to find things|where things are|where to look|
		code references|references|links|useful links|reading list|read first`,
	checkpoint.Artifacts: `artifact trail|artifacts|files|files changed*|files modified*|modified files|
		changed files|files touched*|files created*|files edited*|created files|new files|file changes`,
	checkpoint.PlayByPlay: `play-by-play|play by play|done|what's done|what is done|already done|completed|
		completed work|completed tasks|completed this session|done this session|work completed|
		work done|what was done*|what has been done|what was accomplished|what we did*|what i did*|
		accomplished|accomplishments|finished|implemented|changes made|recent changes|
		recent work|recent progress|recently completed|recent commits|commits|commit history|
		recent commit history|history|session history|session log|work log|progress log|log|timeline|
		progress|progress so far|actions taken|steps taken|what changed`,
	checkpoint.State: `state|the state|current state|status|current status|project status|focus|current focus|
		current work focus|current work|current position|where we are|where things stand|
		where we left off|where i left off|now|in progress|in-progress|work in progress|wip|
		currently working on|active work|what works|what's working|what is working|what doesn't work|
		what's broken|what is broken|not working|known issues|known bugs|known problems|blocked|
		blockers|current blockers|blocking issues|session continuity|test status|build status|git state|
		git status|uncommitted changes`,
	checkpoint.Next: `next|next step*|next steps*|next action*|next actions*|next task|next tasks|next up|what's next|
		what is next|what comes next|up next|immediate next steps*|immediate next step|immediate next actions|
		todo|todos|to do|to-do|to-dos|todo list|open todos|pending todos|remaining todos|specific todos*|pending|
		pending tasks|pending work|pending items|pending actions|open tasks|remaining|remaining work*|
		remaining tasks*|remaining steps|outstanding|outstanding work|left to do|what's left|
		what's left to do|what's left to build|what is left|what is left to do|what is left to build|
		remaining items|still to do|open work|upcoming|planned work|what remains*|action items|not started|first thing to do|
		how to continue|how to resume`,
	checkpoint.Rules: `rules|the rules|user rules|project rules|hard rules*|ground rules|golden rules|constraints|
		user constraints|hard constraints|preferences|user preferences|non-negotiables|guardrails|
		working agreements|instructions|user instructions|never do|do not*|don'ts|do's and don'ts|
		dos and don'ts`,
}

// plainWords are headings that say no more than the name of the section itself. All
// others stay: "- push to main" is one thing below Rules and another below Do not.
const plainWords = `problem|problem statement|intent|goal|goals|the goal|main goal|objective|objectives|decisions|
	decisions made|decision log|context|done|completed|completed work|completed tasks|what was done|
	recent changes|state|status|next|next step|next steps|next action|next actions|next tasks|todo|todos|to do|
	to-do|pending|pending tasks|rules|user rules|hard rules|constraints|files changed|files modified|
	modified files|changed files|working set|key files|relevant files`

// vocabulary is what headings mean.
type vocabulary struct {
	kinds phrase.Titles[checkpoint.Kind]
	plain map[string]bool
}

func newVocabulary() vocabulary {
	v := vocabulary{phrase.NewTitles(words), map[string]bool{}}
	for title := range strings.SplitSeq(plainWords, "|") {
		v.plain[strings.TrimSpace(title)] = true
	}
	return v
}

// kindOf is the section that a heading clearly means; exact where it says no more than
// the section's own name does.
func (v vocabulary) kindOf(title string) (kind checkpoint.Kind, exact, ok bool) {
	if k, known := checkpoint.KindNamed(title); known && k != checkpoint.Essential && k != checkpoint.Completion {
		return k, true, true
	}
	kind, whole, ok := v.kinds.Find(title)
	return kind, whole && v.plain[phrase.BareTitle(title)], ok
}
