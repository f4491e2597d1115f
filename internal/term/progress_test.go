package term

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestProgress(t *testing.T) {
	var remarks bytes.Buffer
	clock := &clock{}
	s := Streams{Out: &bytes.Buffer{}, Err: Screen(&remarks)}
	p := s.Progress("Scanning", 900, clock.now)

	p.Set(1)
	clock.pass(900 * time.Millisecond)
	p.Set(2)
	if remarks.Len() != 0 {
		t.Fatalf("drawn within the first second: %q", remarks.String())
	}
	clock.pass(200 * time.Millisecond)
	p.Set(120)
	p.Set(121) // too soon
	clock.pass(time.Second)
	p.Set(800)
	p.Done()
	p.Done()
	want := "\r\x1b[KScanning: 120 of 900" + "\r\x1b[KScanning: 800 of 900" + "\r\x1b[K"
	if got := remarks.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestProgressFitsTheScreen(t *testing.T) {
	var remarks bytes.Buffer
	clock := &clock{}
	s := Streams{Err: Screen(&remarks), Env: []string{"COLUMNS=10"}}
	p := s.Progress("A title that is too long", 0, clock.now)
	clock.pass(time.Minute)
	p.Set(77)
	if got := strings.TrimPrefix(remarks.String(), "\r\x1b[K"); Columns(got) != 9 || !strings.HasSuffix(got, "77") {
		t.Errorf("got %q", got)
	}
}

func TestProgressSays(t *testing.T) {
	var remarks bytes.Buffer
	clock := &clock{}
	s := Streams{Err: Screen(&remarks), Env: []string{"COLUMNS=12"}}
	p := s.Progress("", 0, clock.now)
	clock.pass(time.Second)
	p.Say("\x1b[31mrunning\nfor ever")
	p.Done()
	if want := "\r\x1b[Krunning fo…" + "\r\x1b[K"; remarks.String() != want {
		t.Errorf("got %q, want %q", remarks.String(), want)
	}
}

func TestNobodySeesProgress(t *testing.T) {
	var remarks bytes.Buffer
	clock := &clock{}
	for _, s := range []Streams{
		{Err: &remarks},
		{Err: Screen(&remarks), Env: []string{"TERM=dumb"}},
	} {
		p := s.Progress("Scanning", 2, clock.now)
		clock.pass(time.Hour)
		p.Set(1)
		p.Done()
	}
	if remarks.Len() != 0 {
		t.Errorf("drew %q", remarks.String())
	}
}

type clock struct{ t time.Time }

func (c *clock) now() time.Time       { return c.t }
func (c *clock) pass(d time.Duration) { c.t = c.t.Add(d) }
