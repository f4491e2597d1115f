package doc

import (
	"testing"

	"example.com/ckpt/internal/checkpoint/value"
)

// FuzzYAML: an object comes back from YAML as it was in JSON.
func FuzzYAML(f *testing.F) {
	for _, src := range []string{
		`{}`, `{"a":{"b":[[],[{}],[[1,"1"]]]}}`, `{"1.0":1.0,"true":true,"null":null,"~":"~","":""}`, `{"a":"two\nlines","b":"\u0000\u0085\u2028\ufeff","c":"- x"}`,
		`{"yes":"no","0x10":"0x10","2026-01-02":"2026-01-02","a: b":"c #d","e":"'","f":"&a","g":"*a","h":"<<"}`, `{"n":[1e400,-0,1.50,12345678901234567890123]}`,
	} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		v, err := value.Parse([]byte(src))
		o, ok := v.(value.Object)
		if err != nil || !ok {
			return
		}
		text := YAML(o)
		back, err := ReadYAML([]byte(text))
		if err != nil {
			t.Fatalf("%v\n%s\n%s", err, src, text)
		}
		if len(o) == 0 && len(back) == 0 {
			return
		}
		if !value.Equal(o, back) {
			got, _ := value.JSON(back)
			t.Fatalf("%s became %s by way of\n%s", src, got, text)
		}
	})
}
