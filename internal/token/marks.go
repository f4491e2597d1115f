package token

import (
	"strings"
	"unicode/utf8"
)

// pairs are the pairs of marks that are one token and frequent in Markdown. Those in spacedPairs are also
// one token with a space before them.
const (
	pairs       = spacedPairs + "`, `) `: `; ]( "
	spacedPairs = "(` `. ). ), ): ); \". \", \"> \"} (\" () [] {} :: .. ./ */ /* -> => == != -- ** "
)

// long returns the length of the longest run of a mark that is one token. It returns 1 for a mark of which no run of
// three or more is one token.
func long(mark byte) int {
	switch mark {
	case '-', '=':
		return 16
	case '.':
		return 9
	case '*':
		return 8
	case '#':
		return 6
	case '_':
		return 5
	}
	return 1
}

// marks returns the cost of a run of punctuation and control characters: one token for a pair, or for
// each row of equal ones.
func marks(s string) Cost {
	if len(s) == 2 && strings.Contains(pairs, s+" ") {
		return one
	}
	var c Cost
	for at := 0; at < len(s); c += one {
		n := 1
		for at+n < len(s) && s[at+n] == s[at] && n < long(s[at]) {
			n++
		}
		at += n
	}
	return c
}

// knownRunes are the runes outside ASCII that are one token in both vocabularies, sorted.
const knownRunes = "" +
	"\u0080\u0092\u00a0¡¢£¤¥¦§¨©ª«¬\u00ad®¯°±²³´µ¶·¹º»¼½¾¿ÀÁÂÃÄÇÉÍÎÐÑÓÖ×ÚÜßàáâãäåæçèéêëìíîïðñòó" +
	"ôõöøùúûüýāăąćčĐđēęěğīİıłńōőœřśşšţťūůűźżžơưșțəɵ\u0300\u0301άέήίαβγδεηθικλμνοπρςστ" +
	"υφχωόЂАБВГДЕЗИКЛМНОПРСТУФЦЧЭЯабвгдежзийклмнопрстуфхцчшщъыьэюяёіאבדהוחי" +
	"למנערשת،أإابةتثجحخدذرزسشصضطظعغفقكلمنهوىي\u064e\u064f\u0650\u0651\u0652پکگی\u0902कतनपमरलसह\u093e\u093f" +
	"\u0940\u0941\u0947\u094b\u094dনর\u09be\u09bf" +
	"\u09c7\u09cd\u0bbf\u0bc1\u0bcd\u0d4dกขคงจชณดตถทนบปผพมยรลวสหอะ\u0e31าำ\u0e34\u0e35\u0e37\u0e38\u0e39เแใไ" +
	"\u0e47\u0e48\u0e49\u0e4c\u17b6ạảấầẩậắặếềểệỉịọỏốồổỗộớ" +
	"ờởợụủứửữự\u200b\u200c\u200e‐‑–—―‘’‚“”„†•…‰′″›※₂€™←↑→↓−─━│═║╗╝█░■►●★☆☴♀♥♪✔⠀\u3000、。《》「」『』【】" +
	"〜あいうえおかがきくけこごさざしじすせそただちっつてでとどなにのはばまみめもやよらりるれろわをんアィイウェエオカキクグコサシジスズセタダチッ" +
	"テデトドナニバパビピフブプペポマムメャュョラリルレロン・ー一万三上下不与专业东两个中串为主么义之也书了事二于五些交产享京人亿今介从他付代以们" +
	"件价任份企优会传但位体何余作你使例供価保信修倍值停像元先入全公共关其具内円册再写出击分列则初利别到制前力功加务动動包化北区十午华单南即历原去" +
	"县参及友反发取变口只可台右号司合同名后向否含听启告员周命和品哈商問器四回因国图土在地场址型城基報場填增声处备复外多大天失头女好如始子字存学安" +
	"宋完定实审客家容密对导将小少尔就局展山岁州工左已市布常平年并广序库应店度建开异式引张当录形影径待後得微心必志态思性总息您情意感成我或户所手打" +
	"找技投报拉持指按换据排接推提播支收改放政效数整文料断新方族无日时明易星是時景更最月有服期木未本机权束条来板构析果查标样核格案检模次款止正此步" +
	"歳段每比民気水求江汽没治法注活流海消清游源火点無然片版物特率环现球理生用由电男画界番登的监目直相省看県真知码确示社票私种科秒称移程稍税稿空立" +
	"站章端笑符第等签简算管箱米类系素索约级线组经结给络统编网置美老考者而联能自至色节英藏行表装西要見见规视角解言計記話読计认议记论设证评试话询该" +
	"详语误说请读调象责败账货购费资起超路身车转软载辑输达过运近还这进连述退送选通速造連道邮部都配释里重量金钟钮链销错键长開間関门闭问间队阳陆限院" +
	"除雅集雷需非面音页项预频题额首验高黑가간값개거게결경고공과구그글기나내는능니다당대도동되된드든들디라래러력로록료류른를름리만메면명목문미버번" +
	"보복부분비사산상색생서성세션소수스습시식신아야어에여열오와요용우운원위으은을음의이인일임입자작장재적전정제져조주지진째체출치크태터턴트튼하한" +
	"할함해호화환회\ufe0f\ufeff！（），－．／０１２３４５６７８９：；＞？＾～･￥�"

// runeCost returns one token for a known rune, or one for each of its bytes.
func runeCost(r rune, n int) Cost {
	if r != utf8.RuneError && strings.ContainsRune(knownRunes, r) {
		return one
	}
	return Cost(n) * one
}
