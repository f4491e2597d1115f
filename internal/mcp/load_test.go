package mcp

import (
	"strings"
	"sync"
	"testing"
)

func TestManyAtOnce(t *testing.T) {
	c := connect(t)
	c.must("checkpoint_save", protocolArguments)
	var all sync.WaitGroup
	for i := range 12 {
		all.Go(func() {
			if i%3 == 0 {
				c.must("checkpoint_list", `{}`)
			} else {
				c.must("checkpoint_delta", `{"changed": "Step `+string(rune('a'+i))+`"}`)
			}
		})
	}
	all.Wait()
	_, v := c.must("checkpoint_list", `{}`)
	if n := v["checkpoints"].([]any)[0].(map[string]any)["deltas"]; n != 8.0 {
		t.Errorf("%v deltas of 8", n)
	}
}

func TestAMegabyte(t *testing.T) {
	c := connect(t)
	_, v := c.must("checkpoint_save", strings.Replace(protocolArguments, "Found 3 docs", strings.Repeat("Found 3 docs. ", 80_000), 1))
	if v["committed"] != true {
		t.Errorf("saved %v", v)
	}
}
