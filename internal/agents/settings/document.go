package settings

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"

	"example.com/ckpt/internal/fault"
)

// document is a JSON file of settings. Hujson keeps all blanks and comments of the text, so everything that
// is not edited stays as it is. New entries get the layout of the entries around them.
type document struct {
	root     hujson.Value
	wasEmpty bool   // the file was an object without entries before ckpt added to it
	bom      []byte // the byte order mark at the beginning of the file, if it has one
	newline  string // the line end of the file
	unit     string // one step of indent
}

var bom = []byte("\xef\xbb\xbf")

// isBlank reports whether a file is missing, or has no content.
func isBlank(src []byte) bool { return len(bytes.Trim(bytes.TrimPrefix(src, bom), " \t\r\n")) == 0 }

// newline returns the line end of a text.
func newline(src []byte) string {
	if i := bytes.IndexByte(src, '\n'); i > 0 && src[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// open parses a file. With lenient the file may have comments, and commas after the last entry.
func open(src []byte, lenient bool) (*document, error) {
	text := bytes.TrimPrefix(src, bom)
	d := &document{bom: src[:len(src)-len(text)], newline: newline(src), unit: "  "}
	if isBlank(src) {
		d.root = hujson.Value{Value: &hujson.Object{AfterExtra: hujson.Extra(d.newline)}, AfterExtra: hujson.Extra(d.newline)}
		return d, nil
	}
	var err error
	d.root, err = hujson.Parse(bytes.Clone(text))
	if err != nil {
		return nil, fault.New(fault.Invalid, "%s", strings.TrimPrefix(err.Error(), "hujson: "))
	}
	if !utf8.Valid(text) {
		return nil, fault.New(fault.Invalid, "it is not UTF-8")
	}
	if !lenient && !d.root.IsStandard() {
		return nil, fault.New(fault.Invalid, "it has a comment, or a comma after a last entry, which is not valid JSON")
	}
	d.wasEmpty = wasEmpty(&d.root)
	if all := entriesOf(&d.root); len(all) > 0 {
		_, blanks := comments(*all[0].before())
		if i := bytes.LastIndexByte(blanks, '\n'); i >= 0 && i+1 < len(blanks) {
			d.unit = string(blanks[i+1:])
		}
	}
	_, err = d.find('{')
	return d, err
}

// bytes returns the text of the file. It is nil if nothing is left in the file.
func (d *document) bytes() []byte {
	comments := slices.Concat(d.root.BeforeExtra, *atEnd(&d.root), d.root.AfterExtra)
	if len(entriesOf(&d.root)) == 0 && !d.wasEmpty && isBlank(comments) {
		return nil
	}
	return slices.Concat(d.bom, d.root.Pack())
}

// find returns the value at the path keys, and nil if the file does not have it. It refuses a value
// of another kind, and a path through anything but objects.
func (d *document) find(kind hujson.Kind, keys ...string) (*hujson.Value, error) {
	at := &d.root
	for i := 0; at != nil; i++ {
		want := hujson.Kind('{')
		if i == len(keys) {
			want = kind
		}
		if at.Value.Kind() != want {
			name, kinds := "the file", map[hujson.Kind]string{'{': "an object", '[': "a list"}
			if i > 0 {
				name = `"` + strings.Join(keys[:i], ".") + `"`
			}
			return nil, fault.New(fault.Invalid, "%s is not %s", name, kinds[want])
		}
		if i == len(keys) {
			break
		}
		next, err := onlyMember(at, keys[i])
		if err != nil {
			return nil, err
		}
		at = next
	}
	return at, nil
}

// onlyMember returns the value of the member of an object with a name, or nil. It refuses an object with two
// such members, because agents disagree which of the two counts.
func onlyMember(in *hujson.Value, name string) (found *hujson.Value, err error) {
	for _, e := range entriesOf(in) {
		if e.isNamed(name) {
			if found != nil {
				return found, fault.New(fault.Invalid, "duplicate key %q", name)
			}
			found = e.value
		}
	}
	return found, nil
}

// memberOf returns the value of the first member of an object with a name, or nil.
func memberOf(in *hujson.Value, name string) *hujson.Value {
	first, _ := onlyMember(in, name)
	return first
}

// textOf returns the value of a string, and the empty string for any other kind.
func textOf(v *hujson.Value) string {
	if v == nil || v.Value.Kind() != '"' {
		return ""
	}
	return v.Value.(hujson.Literal).String()
}

// entry is a member of an object, or, if name is nil, an element of a list.
type entry struct{ name, value *hujson.Value }

func (e entry) isNamed(name string) bool { return e.name != nil && textOf(e.name) == name }

// before returns the blanks and comments before an entry.
func (e entry) before() *hujson.Extra {
	if e.name != nil {
		return &e.name.BeforeExtra
	}
	return &e.value.BeforeExtra
}

// entriesOf returns the entries of an object or a list, and none for any other value.
func entriesOf(v *hujson.Value) []entry {
	if v == nil {
		return nil
	}
	var all []entry
	switch in := v.Value.(type) {
	case *hujson.Object:
		for i := range in.Members {
			all = append(all, entry{&in.Members[i].Name, &in.Members[i].Value})
		}
	case *hujson.Array:
		for i := range in.Elements {
			all = append(all, entry{nil, &in.Elements[i]})
		}
	}
	return all
}

// atEnd returns the blanks and comments before the closing bracket of an object or a list.
func atEnd(v *hujson.Value) *hujson.Extra {
	if in, ok := v.Value.(*hujson.Object); ok {
		return &in.AfterExtra
	}
	return &v.Value.(*hujson.Array).AfterExtra
}

// comments returns the part of blanks and comments that ends with the last comment, and the rest.
func comments(extra hujson.Extra) (text, blanks hujson.Extra) {
	n := len(bytes.TrimRight(extra, " \t\r\n"))
	return extra[:n], extra[n:]
}

// add puts a value at the end of the object or list at the path keys, which it creates if necessary.
// With a name the value becomes a member of an object. Without a name it becomes an element of a list.
func (d *document) add(keys []string, name string, value any) {
	at, depth := &d.root, 0
	for ; depth < len(keys) && memberOf(at, keys[depth]) != nil; depth++ {
		at = memberOf(at, keys[depth])
	}
	for _, key := range slices.Backward(keys[depth:]) {
		name, value = key, within(name, value)
	}
	d.insert(at, depth, name, value)
}

// within returns an object with one member, or, without a name, a list with one element.
func within(name string, value any) any {
	if name == "" {
		return list{value}
	}
	return object{{name, value}}
}

// mark is the blank that ckpt puts before the first entry of an object or list that the user left empty. In an object
// or list that ckpt itself creates, a line break or nothing is before the first entry.
const mark = " "

// wasEmpty reports whether an object or list has no entries, or had none before ckpt added the first.
func wasEmpty(v *hujson.Value) bool {
	all := entriesOf(v)
	return len(all) == 0 || string(*all[0].before()) == mark
}

// insert appends an entry to an object or a list, whose nesting depth is depth: 0 for the root. The entry gets the
// layout of the entry before it.
func (d *document) insert(in *hujson.Value, depth int, name string, value any) {
	all, end := entriesOf(in), atEnd(in)
	between := d.newline + strings.Repeat(d.unit, depth+1)
	comment, closing := comments(*end)
	n := len(all)
	switch {
	case len(comment) > 0:
	case n == 0 && (depth > 0 || d.wasEmpty):
		between = mark
	case n > 0:
		_, blanks := comments(*all[n-1].before())
		if n > 1 || bytes.ContainsRune(blanks, '\n') {
			between = string(blanks)
		}
	}
	text := encode(value, "", "")
	if i := strings.LastIndexByte(between, '\n'); i >= 0 {
		text = encode(value, between[i+1:], d.unit)
	} else if n == 0 {
		text = encode(value, strings.Repeat(d.unit, depth), d.unit)
	}
	added, _ := hujson.Parse([]byte(strings.ReplaceAll(text, "\n", d.newline))) // valid, because encode made it
	key, first := hujson.Value{Value: hujson.String(name)}, &added
	if name != "" {
		first, added.BeforeExtra = &key, hujson.Extra(" ")
	}
	first.BeforeExtra = append(slices.Clone(comment), between...)
	*end = closing
	if n > 0 && all[n-1].value.AfterExtra != nil {
		added.AfterExtra = hujson.Extra{} // end with a comma, as the entry before does
	}
	switch in := in.Value.(type) {
	case *hujson.Object:
		in.Members = append(in.Members, hujson.ObjectMember{Name: key, Value: added})
	case *hujson.Array:
		in.Elements = append(in.Elements, added)
	}
}

// prune removes values in v, and objects and lists that this empties, unless the user had left them empty. It reports
// whether v, too, is to be removed.
func prune(v *hujson.Value, gone ...*hujson.Value) (isEmptied bool) {
	isUsers, first := wasEmpty(v), -1
	for i, e := range slices.Backward(entriesOf(v)) {
		if slices.Contains(gone, e.value) || prune(e.value, gone...) {
			remove(v, i)
			first = i
		}
	}
	left := entriesOf(v)
	isUsers = isUsers && len(left) == 0
	hasMeaning := func(e entry) bool { return !e.isNamed("matcher") && (first > 0 || !e.isEmptyDeny()) }
	if first < 0 || isUsers || slices.ContainsFunc(left, hasMeaning) {
		return false
	}
	for range left {
		remove(v, 0)
	}
	return isBlank(*atEnd(v)) // an object or list with a comment stays
}

// isEmptyDeny reports whether an entry is a list "deny" without entries. Ckpt adds one after a list "allow".
func (e entry) isEmptyDeny() bool {
	return e.isNamed("deny") && e.value.Value.Kind() == '[' && len(entriesOf(e.value)) == 0
}

// remove removes an entry of an object or a list. Comments beside it stay.
func remove(in *hujson.Value, i int) {
	all, end := entriesOf(in), atEnd(in)
	before, _ := comments(*all[i].before())
	after, _ := comments(all[i].value.AfterExtra)
	left := slices.Concat(before, after)
	switch {
	case i+1 < len(all):
		next := all[i+1].before()
		*next = append(left, *next...)
		if i == 0 && wasEmpty(in) {
			*next = append(hujson.Extra(mark), bytes.TrimLeft(*next, " \t\r\n")...)
		}
	case i > 0 && all[i].value.AfterExtra == nil: // no comma follows the last entry
		last := &all[i-1].value.AfterExtra
		comment, _ := comments(*last)
		*end, *last = slices.Concat(comment, left, *end), nil
	default:
		*end = append(left, *end...)
		if i > 0 && all[i-1].value.AfterExtra == nil {
			all[i-1].value.AfterExtra = hujson.Extra{}
		}
	}
	switch in := in.Value.(type) {
	case *hujson.Object:
		in.Members = slices.Delete(in.Members, i, i+1)
	case *hujson.Array:
		in.Elements = slices.Delete(in.Elements, i, i+1)
	}
}

// The types of values to add. An object keeps the order of its members.
type (
	object []member
	member struct {
		key   string
		value any
	}
	list []any
)

// MarshalJSON encodes the members in their order.
func (o object) MarshalJSON() ([]byte, error) {
	var members []string
	for _, m := range o {
		members = append(members, encode(m.key, "", "")+":"+encode(m.value, "", ""))
	}
	return []byte("{" + strings.Join(members, ",") + "}"), nil
}

// encode returns the JSON of a value of this package. Without a unit it is one line.
func encode(value any, margin, unit string) string {
	var out bytes.Buffer
	to := json.NewEncoder(&out)
	to.SetEscapeHTML(false)
	to.SetIndent(margin, unit)
	_ = to.Encode(value) // texts, numbers, lists and objects can always be encoded
	return strings.TrimSuffix(out.String(), "\n")
}

// decode returns the values of a JSON file, which may have comments.
func decode(src []byte) (values map[string]any, err error) {
	plain, err := hujson.Standardize(bytes.Clone(bytes.TrimPrefix(src, bom)))
	if err == nil {
		err = json.Unmarshal(plain, &values)
	}
	return values, err
}

// tableAt returns the object at the path keys, or nil if not found.
func tableAt(values map[string]any, keys ...string) map[string]any {
	for _, key := range keys {
		values, _ = values[key].(map[string]any)
	}
	return values
}

// HasHooksOff reports whether the settings of an agent switch all hooks off.
func HasHooksOff(src []byte) bool {
	values, _ := decode(src) // the agent cannot read a broken file, either
	return values["disableAllHooks"] == true
}

// HasPlugin reports whether the settings of Claude Code switch on a plugin of ckpt, which
// brings the same hooks.
func HasPlugin(src []byte) bool {
	values, _ := decode(src) // Claude Code cannot read a broken file, either
	for name, isOn := range tableAt(values, "enabledPlugins") {
		if strings.HasPrefix(name, "ckpt@") && isOn == true {
			return true
		}
	}
	return false
}
