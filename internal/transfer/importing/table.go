package importing

import (
	"regexp"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/text"
)

// nowhere is the kind of text that is put under Imported.
const nowhere = checkpoint.Kind(-1)

// certainty is how clearly a heading or label names a section.
type certainty int

const (
	unknown certainty = iota
	likely            // it counts if nothing else in the file names the section
	clear             // it begins with the words, and a punctuation mark or a known clause follows
	whole             // it has only these words
)

// What may follow the words of a row: nothing, a clause that leaves their meaning as it is ("decisions
// this session"), or anything ("next steps after the merge").
const (
	clause = `(?: (?:from|in|during|since|as of|of (?:the|this) (?:project|session|task|work)|by|on|and|with|within|at|this|that|
		so far|made|already|taken|to date|to follow|today|here|below|for|before|after|until|right now|
		now|the user|we|you|i)\b.*)?`
	anything = `(?: .*)?`
	urgent   = `next|immediate|remaining|pending|outstanding|upcoming|recommended|suggested|proposed|unfinished|incomplete|` +
		`uncompleted|follow-?ups?|follow up|priority|prioriti[sz]ed|planned|concrete|exact` // @ in a row
)

// rows is the table of headings and labels: the words in lower case that mean a section, as a regular
// expression. The first row that matches counts. Words that could mean two sections are not in it.
var rows = text.Lazy[[]row]{Make: func() []row {
	all := []row{
		{kind: checkpoint.Problem, words: `(the |current )*(problem|issue)( statement| definition| description)?|
			problems (it )?solve[sd]|motivation|why this (project|repo) exists`},
		{kind: nowhere, words: `(open|pending|needed|no|required)\b.* decision`},
		{kind: checkpoint.Decisions, after: clause, words: `[a-z].* decision|((the|our|all|key|main|major|important|recent|active|user|locked|locked-in|
			settled|agreed|accepted|confirmed|approved|final|resolved|design|architecture|architectural|technical|product|
			project|implementation|current|standing|evolution of project) )*decisions?( log| records?| summary| locked in|
			 already| to preserve)*|(what|things) (was|were|has been|have been|we|we've) decided.*`},
		{kind: checkpoint.PlayByPlay, after: clause, words: `play[- ]by[- ]play|
			(already |recently |just )*(done|completed|accomplished|finished|implemented|shipped)( (work|tasks?|items?|
			features?|phases?|milestones?))?|(what|work|tasks?|features?|items|phases|milestones|steps|actions|changes)(
			's|'ve)?( (i|we|we've|i've|was|were|is|has|have|been|got|just))*( (done|did|built|completed?|finished|implemented|shipped|accomplished|happened|changed|taken|made|fixed|landed)).*|
			(shipped|recent|latest|last|key|session|major|today's) (changes|work|progress|updates?|commits?|commit history|
			milestones?|activity|arc|accomplishments?|achievements?|action|completed( task)?)|
			accomplishments?|achievements|accomplished|completed|commits|commit history|history|timeline|
			progress( log| so far)?|log|changes made|(session|work|activity|implementation|change|dev) (history|logs?)`},
		{kind: checkpoint.Next, after: anything, words: `(focus( areas)?|instructions|goals?|objectives?|plan|tasks|start|notes|handoff)
			 (for|of|in) (the )?next (session|agent|developer|time|run)`},
		{kind: checkpoint.State, after: clause, words: `((the|my|our|current|project|overall|repo|repository|codebase|code|git|build|test|
			deployment|branch|implementation|verification|validation|phase|session|system|production) )*(state|status|focus)( summary| snapshot| overview)?|
			state of the (code|repo|repository|project)|current (codebase|repo|project|status).*|
			(current|overall|active) (work|work focus|position|phase|progress|milestone|branch|issues|status)|
			where (we|i) (are|am|left off|stopped)|(where|how) (things|it|this|work) (stands?|is)|now|in[- ]progress( tasks| items)?|
			(tasks|work|items) (in progress|under way)|work in progress|wip|in flight|currently working on|
			what('s| is| does|) (works?|working|broken|failing|not working|in progress)|what doesn't work|not working|
			(known |open |active |current )*(issues|bugs|problems|limitations)|known limitations|issues encountered|
			(current )?(blocked|blockers)|blocking issues|session continuity|uncommitted changes|working tree|
			partially (done|complete|completed)|half done|failing tests|failed items`},
		{kind: checkpoint.Intent, after: clause, words: `((the|our|my|main|overall|primary|end|final|specific|session|project|current|user|core|
			key|original) )*(goals?|objectives?|mission|purpose|intent|task|ask|request|requirements)( and intent)?|
			((success|acceptance|completion|exit) )?criteria|definition of done|desired outcome|expectations|
			expected (results?|outcomes?)|
			what (we|you)('re| are|) (want|building|trying to do)`},
		{kind: checkpoint.Context, after: clause, words: `((technical|tech|key|important|project|development|dev|system|design|code|
			coding|known) )*(context|stack|architecture|environment|setup|infrastructure|conventions|assumptions|patterns|
			findings|insights|learnings|gotchas|discoveries|technologies|tech)( notes| setup| in use| and preferences)?|
			technical (details|notes|constraints)|technolog(y|ies) (stack|used)|configuration|dependencies|pitfalls|caveats|warnings|
			(project|directory|folder|code|file|repo|repository|codebase) (structure|layout|map)|
			(things to )?watch out( for)?|lessons( learned)?|how to (run|test|build|deploy).*|
			(key |useful |quick |build |test )*commands|build and test`},
		{kind: checkpoint.Breadcrumbs, after: anything, words: `breadcrumbs|working set|((key|relevant|important|critical|related|main|reference|
			code|useful) )+(files?|paths?|references|documents|docs|links)|references|links|reading list|
			files to (read|look at|review)|where (to find things|things are|to look)( next)?|
			read (these )?(files )?first|read these files|read order`},
		{kind: checkpoint.Artifacts, after: clause, words: `artifact trail|artifacts|(new )?files( changed| modified| touched| created| edited| added)?|
			(modified|changed|created|touched) files|file changes`},
		{kind: checkpoint.Rules, after: clause, words: `((the|user|project|hard|ground|golden|key|critical|important|working|workflow|operating|
			safety|coding|non-negotiable|standing) )*(rules|constraints|preferences|guardrails|instructions)|
			non-negotiables|working agreements|never do|(do not|don't|must not|what not to do|things not to do).*|
			(dos?|do's) and don'ts|don'ts`},
		{kind: checkpoint.Next, after: anything, words: `((@|possible|potential|logical|critical|key|detailed|current|manual|
			the|my|our|your) )*(@) (steps?|actions?|tasks?|to-?dos?|to-?do list|items?|work|priorit(y|ies)|moves?|
			focus|milestones?|phases?|features?|goals?|objectives?|targets?|things?|agent|issues?|bugs?|tickets?|stor(y|ies)|
			slices?|waves?|polish|implementation|migrations?|fixes|checklist|order|execution order|plan|sprint|up|next|
			immediate|logical|concrete|planned|recommended|one-time setup)|
			((open|current|active|top|first|high|specific|key|short-term|action|resume|task|work|to-?do) )+(steps?|actions?|
			tasks?|to-?dos?|list|priorit(y|ies)|items|follow-ups?|queue|point|procedure|instructions|
			execution order)|(action|work|resume|execution|continuation) plan|open work|(coming|up) next|coming up|on deck|
			(execution|implementation) order|order of (work|implementation)|((user|manual) )?actions? (items|required|needed)|
			(next|remaining|outstanding|pending|open|unfinished) [a-z-]+ (work|items?|tasks?|steps?|todos|fixes)|
			follow-?ups?|follow ups?|loose ends|still (to-? ?do|left|needed|open|pending|remaining|needs|owed)|
			left to (do|build|fix|finish)|(manual )?(things|work|tasks|steps|items|features|bugs) (to (do|fix|build)|left|remaining)|
			to be done|(left )?undone|(what('s| is) )?not (yet )?(done|started|implemented|completed?|finished)|
			what('s| is| comes| happens|) (next|left|remaining|remains|missing|pending)|
			what (to (do|work on|build|pick up)|(we )?(still )?needs? (to be done|to happen|doing)|must happen|should happen|(i was|we were) about to do)|
			where to go from here|
			(how|where) to (resume|continue|pick up|start|restart)|to (resume|continue)|
			(on resume|when (we|you|i) (resume|continue)|when resuming)|resum(e|ing) (here|from here|point|work|with)|
			(resume|continue|pick up|start|begin) (here|from here|with|with this)|start with this|do (these|this|next|first)|
			first thing to do|next (sessions?|commands?|pr)`},
		{kind: checkpoint.Next, after: clause, words: `next|to (fix|finish)|(plan for )?tomorrow('s (plan|work|tasks))?|to[- ]?do|to-?dos|near[- ]term|short[- ]term( (goals?|tasks?))?|high(est)? priority|
			p[01]|priority [01]|remaining|pending|outstanding|upcoming|unfinished|incomplete|uncompleted|owed|
			priorities|(task )?queue|tasks?( list)?|immediate( next)?`},
		{kind: checkpoint.Next, after: anything, words: `n(ä|ae)chste[rsn]? (schritte?|aufgaben?|aktion(en)?)|(noch )?zu (tun|erledigen)|
			(offene|verbleibende|ausstehende|restliche) (punkte|aufgaben|arbeiten|todos)|
			(próxim[oa]|siguiente)s? (pasos?|tareas?|acci(ón|ones)|passos?|tarefas?|etapas?|ações)|por (hacer|fazer)|a fazer|
			(tareas|tarefas|pasos|trabajo|trabalho|puntos|pontos) (pendientes?|pendentes?|restantes?)|pendientes|pendentes|pendências|
			prochaines? (étapes?|actions?|tâches?)|étapes suivantes|(reste )?à faire|(tâches|travail) restantes?|
			(следующи[ей]|дальнейшие|ближайшие|оставшиеся|открытые) (шаги?|действи[яе]|задачи)|что (дальше|осталось)|осталось( сделать)?|
			次の(ステップ|アクション|作業|タスク|手順)|次(回)?やること|今後の(作業|タスク|予定)|残(り|りの)?(作業|タスク)|未完了の?タスク|
			下一步(的?(工作|计划|行动|任务|步骤))?|(后续|待办|待辦|待完成|未完成|剩余|待处理)的?(工作|计划|任务|步骤|事项|事項|清单)|待办|待辦|
			다음 ?(단계|작업|할 ?일)|남은 ?(작업|할 ?일|일|과제|검증)|할 ?일( 목록)?|미완료 ?작업`},
		{kind: checkpoint.Next, after: anything, words: `.*\b(next (steps?|actions?|sessions?|agent|developer)|do next|
			what('s| is) next|start here|(pick up|resume) (here|from)|where to (resume|pick up))`},
		{kind: checkpoint.Decisions, after: clause, words: `(wichtige |getroffene )?entscheidungen|decis(iones|ões)|décisions|
			((принятые|ключевые) )?решения|(重要な|アクティブな)?決定(事項)?|(关键|技术|设计|重要)?(决策|决定)|((주요|핵심) )?결정 ?사항`},
		{kind: checkpoint.State, after: clause, words: `(aktueller )?(stand|zustand)|aktueller status|estado( actual| atual| del proyecto)?|
			état( actuel)?|situation actuelle|((текущее )?состояние|(текущий )?статус)|現在の?(状態|状況|フォーカス)|现状|
			当前(状态|进度|情况)|현재 ?(상태|상황)|bekannte (probleme|fehler)|problemas conhecidos|problemas conocidos|
			problèmes connus|известные проблемы|既知の(問題|課題)|已知问题|알려진 ?(문제|이슈)`},
		{kind: checkpoint.PlayByPlay, after: clause, words: `erledigt|abgeschlossen|hecho|completad[oa]s?|terminés?|fait|concluíd[oa]s?|feito|
			сделано|выполнено|завершено|完了(済み|した(作業|タスク))?|最近の変更|已完成(的?(任务|工作|功能))?|완료(된|한)? ?(작업|항목|사항)?`},
		{kind: checkpoint.Problem, words: `problemstellung|problema|problème|проблема|問題(定義|設定)|问题(描述|陈述)|문제( 정의)?`},
		{kind: checkpoint.Intent, after: clause, weak: true, words: `(project |brief )?(overview|about|introduction|vision|description)|
			(about|what) (this|the) (project|repo|app|tool)( is| does)?|what [a-z0-9_.-]+ is|what is this|project summary|core value`},
		{kind: checkpoint.Next, after: anything, weak: true, words: `deferred( work| items| tasks)?|backlog|future (work|tasks|steps|improvements)`},
	}
	for i, r := range all {
		expr := `^(?:[一二三四五六七八九十]+、)?(?:` + r.words + `)(` + r.after + `)$`
		all[i].pattern = regexp.MustCompile(strings.NewReplacer("\n", "", "\t", "", "@", urgent).Replace(expr))
	}
	return all
}}

// row is a line of the table of headings.
type row struct {
	kind         checkpoint.Kind
	words, after string
	weak         bool           // the words count only if nothing else names the section
	pattern      *regexp.Regexp // its last group is what follows the words
}

var (
	// aside matches headings of text that does not hold any more, or that only explains signs.
	aside = text.Regexp(`^(previous|old|older|earlier|archived?|superseded|historical|obsolete|(status )?legend)\b`)
	// headEnd matches what ends the words that name a section.
	headEnd = text.Regexp(` ?[(:/&+—–,;|\[（：]| [-→] `)
	// lastPart matches a line with a part after the last dash, arrow, colon or sign.
	lastPart = text.Regexp(`.*(?: [-—–|→] | -> |: |[✅✔] )(.+)$`)
)

// meaning returns the section that a heading or label names, and how clearly.
func meaning(title string) (checkpoint.Kind, certainty) {
	known, ok := checkpoint.KindNamed(title)
	if ok && known != checkpoint.Essential && known != checkpoint.Completion {
		return known, whole
	}
	title = strings.ReplaceAll(text.BareTitle(title), "_", " ")
	head := title
	if at := headEnd.Get().FindStringIndex(title); at != nil && at[0] > 0 {
		head = title[:at[0]]
	}
	for _, r := range rows.Get() {
		m := r.pattern.FindStringSubmatchIndex(head)
		switch {
		case m == nil:
		case r.weak:
			return r.kind, likely
		case head == title && m[len(m)-2] == m[len(m)-1]:
			return r.kind, whole
		default:
			return r.kind, clear
		}
	}
	if m := lastPart.Get().FindStringSubmatch(title); m != nil {
		if kind, sure := meaning(m[1]); kind == checkpoint.Next && sure == whole {
			return kind, clear // "Shop v2 - Next Steps"
		}
	}
	return nowhere, unknown
}
