package importing

import (
	"path"
	"slices"
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
)

// bank is what the files of a memory bank are about, in the order in which they are
// meant to be read.
var bank = []struct {
	stem string
	home checkpoint.Kind // where goes what its headings do not say
	only bool            // but for decisions everything in it is of that kind
}{
	{"projectbrief", checkpoint.Intent, false},
	{"productcontext", checkpoint.Problem, false},
	{"activecontext", nowhere, false},
	{"systempatterns", checkpoint.Context, true},
	{"techcontext", checkpoint.Context, true},
	{"progress", nowhere, false},
}

// nowhere is the kind of what goes to Imported.
const nowhere = checkpoint.Kind(-1)

// homeOf is what a file of a memory bank is about, whatever its headings say.
func homeOf(name string) (home checkpoint.Kind, only bool) {
	for _, b := range bank {
		if stemOf(name) == b.stem {
			return b.home, b.only
		}
	}
	return nowhere, false
}

func stemOf(name string) string {
	stem := strings.ToLower(strings.TrimSuffix(path.Base(name), path.Ext(name)))
	return strings.NewReplacer("_", "", "-", "", " ", "").Replace(stem)
}

// IsBank says whether files of a folder, by their names, are a memory bank: two that
// every such folder has.
func IsBank(names []string) bool {
	n := 0
	for _, b := range bank {
		if slices.ContainsFunc(names, func(name string) bool { return !strings.Contains(name, "/") && stemOf(name) == b.stem }) {
			n++
		}
	}
	return n >= 2
}

// InOrder sorts the files of a memory bank as they are meant to be read, those that
// only this one has behind them.
func InOrder(files []File) {
	rank := func(f File) int {
		for i, b := range bank {
			if !strings.Contains(f.Name, "/") && stemOf(f.Name) == b.stem {
				return i
			}
		}
		return len(bank)
	}
	slices.SortFunc(files, func(a, b File) int {
		if by := rank(a) - rank(b); by != 0 {
			return by
		}
		return strings.Compare(a.Name, b.Name)
	})
}
