package importing

import (
	"path"
	"sort"
	"strconv"
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
)

// Name is the id that a checkpoint gets: its own, else one made of the source's name,
// of its folder's and its own where that is taken, and a number where both are. Taken
// says whether an id is.
func (d *Draft) Name(source string, taken func(id string) bool) string {
	if d.ID != "" && !taken(d.ID) {
		return d.ID
	}
	stem := strings.TrimSuffix(path.Base(source), path.Ext(source))
	if d.ID != "" {
		stem = d.ID
	}
	if n := d.place.Number(); d.ID == "" && n > 0 {
		stem += "-" + strconv.Itoa(n)
	}
	names := []string{idOf(stem)}
	if folder := strings.TrimLeft(path.Base(path.Dir(path.Clean(source))), "."); d.ID == "" && folder != "" && folder != "/" {
		names = append(names, idOf(folder+"-"+stem))
	}
	for _, id := range names {
		if !taken(id) {
			return id
		}
	}
	numbered := func(n int) string { return names[0] + "-" + strconv.Itoa(n) }
	most := 2 // a store may have thousands of rows with one id: they are not counted through
	for taken(numbered(most)) {
		most *= 2
	}
	first := most/2 + sort.Search(most-most/2, func(i int) bool { return !taken(numbered(most/2 + i)) })
	return numbered(max(first, 2))
}

// idOf is an id made of a name: HANDOFF.auth is chk-handoff-auth.
func idOf(name string) string {
	if checkpoint.CheckID(name) == nil && strings.HasPrefix(name, "chk-") {
		return name
	}
	plain := strings.Join(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '_' && r != '-'
	}), "-")
	plain = strings.Trim(plain, "-_")
	if plain = strings.Trim(plain[:min(len(plain), 80)], "-_"); plain == "" {
		plain = "imported"
	}
	if id, err := checkpoint.IDFor(plain); err == nil {
		return id
	}
	return "chk-imported"
}
