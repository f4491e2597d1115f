package validate

import (
	"strconv"
	"strings"
	"time"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/result"
	"example.com/ckpt/internal/core/text"
)

var headerRules = []Rule{
	{
		Code: Unreadable, Severity: result.Error, Title: "the file cannot be read", folder: unreadable,
		Means:  "The file means to be a checkpoint and is none: its frontmatter does not close or is not YAML, it has no `checkpoint:` key, or the key holds no id. Nothing else of it can be checked, and no other command can use it.",
		Fix:    "Mend the line by hand: frontmatter is `key: value` lines between two `---`, and `checkpoint:` holds an id of letters, digits, dots, dashes and underscores. Or take the last good version from git: `git log -p -- <file>`.",
		Source: "S003-07, S003-08, S003-30", Example: "---\ncheckpoint: chk-auth\ncreated: [\n---",
	},
	{
		Code: "CK102", Severity: result.Error, Title: "`created` is missing", file: createdMissing,
		Means:  "The format requires the time of creation. Without it nobody can tell how old the checkpoint is, and trees cannot order it.",
		Fix:    "Add `created: 2026-01-02T10:00:00Z` with the time at which the file was made; `git log --diff-filter=A -- <file>` knows it.",
		Source: "S003-09, S003-30",
	},
	{
		Code: "CK103", Severity: result.Error, Title: "`created` is not a time", file: timeField("created"),
		Means:  "The value is no ISO-8601 time, so it reads as no time at all.",
		Fix:    "Write it as `2026-01-02T10:00:00Z`. A date alone is fine too.",
		Source: "S003-09", Example: "created: last Tuesday",
	},
	{
		Code: "CK104", Severity: result.Error, Title: "`last_delta` is not a time", file: timeField("last_delta"),
		Means:  "The value is no ISO-8601 time, so the checkpoint looks unchanged since it was made.",
		Fix:    "Write the time of the newest delta, as `2026-01-02T10:00:00Z`.",
		Source: "S003-11", Example: "last_delta: after lunch",
	},
	{
		Code: "CK105", Severity: result.Warning, Title: "`last_delta` is behind the newest delta", file: lastDeltaBehind,
		Means:  "A delta was added and `last_delta` was not brought up to it. Whoever reads only the header believes the checkpoint to be older than it is.",
		Fix:    "Set `last_delta` to the time in the heading of the newest delta; `ckpt delta` does so by itself.",
		Source: "S003-11, S003-69", Example: "last_delta: 2025-12-31T00:00:00Z",
	},
	{
		Code: "CK106", Severity: result.Advice, Title: "`last_delta` without a delta", file: lastDeltaAlone,
		Means:  "The header names a delta that the file holds neither as a section nor, as `ckpt fold` leaves it, as an entry of Play-By-Play. Somebody took it into the body by hand, or it was lost.",
		Fix:    "If nobody took the deltas into the body, look for the lost one in the file's history (`git log -p`); else leave it.",
		Source: "S003-11, S003-69",
	},
}

// lineOf finds the line that the reason of an unreadable file names. The reason
// is text for people: only the place of the finding depends on it.
var lineOf = text.Regexp(`\bline (\d+)\b`)

func unreadable(s *folder, say sayIn) {
	for _, b := range s.set.Broken {
		line := 1
		if m := lineOf.FindStringSubmatch(b.Err.Error()); m != nil {
			line, _ = strconv.Atoi(m[1])
		}
		say(b.Path, "", line, "cannot be read: %s", b.Err)
	}
}

func createdMissing(f *file, say say) {
	if f.c.Field("created") == "" {
		say(f.d.Front.Line("created"), "no `created:` in the frontmatter")
	}
}

func timeField(key string) func(*file, say) {
	return func(f *file, say say) {
		value := f.c.Field(key)
		if _, ok := checkpoint.ParseTime(value); value != "" && !ok {
			say(f.d.Front.Line(key), "%s is %s, no ISO-8601 time", key, quote(value))
		}
	}
}

func lastDeltaBehind(f *file, say say) {
	newest := ""
	for _, d := range f.deltas {
		if _, ok := checkpoint.ParseTime(d.Stamp); ok && (newest == "" || before(newest, d.Stamp)) {
			newest = d.Stamp
		}
	}
	value := f.c.Field("last_delta")
	switch _, ok := checkpoint.ParseTime(value); {
	case newest == "":
	case value == "":
		say(f.d.Front.Line("last_delta"), "no `last_delta:`, and the newest delta is of %s", newest)
	case ok && before(value, newest):
		say(f.d.Front.Line("last_delta"), "last_delta is %s, and the newest delta is of %s", value, newest)
	}
}

func lastDeltaAlone(f *file, say say) {
	value := f.c.Field("last_delta")
	folded := strings.Contains(f.c.Text(checkpoint.PlayByPlay), value+" → ")
	if value != "" && len(f.deltas) == 0 && !folded {
		say(f.d.Front.Line("last_delta"), "last_delta is %s, and the file holds no delta", quote(value))
	}
}

// before says whether one time as written lies before another. Where one of them
// is a date alone, the same day is not before.
func before(a, b string) bool {
	at, _ := checkpoint.ParseTime(a)
	bt, _ := checkpoint.ParseTime(b)
	if !hasClock(a) || !hasClock(b) {
		const day = 24 * time.Hour
		at, bt = at.Truncate(day), bt.Truncate(day)
	}
	return at.Before(bt)
}

// hasClock says whether a time as written is more than a date.
func hasClock(stamp string) bool { return strings.ContainsAny(stamp, "Tt:") }
