package term

import (
	"bytes"
	"testing"
	"time"
)

func TestProgress(t *testing.T) {
	var remarks bytes.Buffer
	clock := &clock{}
	s := Streams{Out: &bytes.Buffer{}, Err: Screen(&remarks), Env: []string{"COLUMNS=12"}}
	p := s.Progress(clock.now)

	p.Show("1 of 900")
	clock.pass(900 * time.Millisecond)
	p.Show("2 of 900")
	if remarks.Len() != 0 {
		t.Fatalf("drawn within the first second: %q", remarks.String())
	}
	clock.pass(200 * time.Millisecond)
	p.Show("120 of 900")
	p.Show("121 of 900") // too soon
	clock.pass(time.Second)
	p.Show("\x1b[31mrunning\nfor ever")
	p.Done()
	p.Done()
	want := "\r\x1b[K120 of 900" + "\r\x1b[Krunning fo…" + "\r\x1b[K"
	if got := remarks.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestNobodySeesProgress(t *testing.T) {
	var remarks bytes.Buffer
	clock := &clock{}
	for _, s := range []Streams{
		{Err: &remarks},
		{Err: Screen(&remarks), Env: []string{"TERM=dumb"}},
	} {
		p := s.Progress(clock.now)
		clock.pass(time.Hour)
		p.Show("1 of 2")
		p.Done()
	}
	if remarks.Len() != 0 {
		t.Errorf("drew %q", remarks.String())
	}
}

type clock struct{ t time.Time }

func (c *clock) now() time.Time       { return c.t }
func (c *clock) pass(d time.Duration) { c.t = c.t.Add(d) }
