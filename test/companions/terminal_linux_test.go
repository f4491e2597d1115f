package companions

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
	"golang.org/x/sys/unix"

	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/text"
)

// terminal is a pseudo terminal with a program. A test sees its screen.
type terminal struct {
	t       *testing.T
	control *os.File
	cmd     *exec.Cmd

	mu     sync.Mutex
	screen *screen
	said   strings.Builder // all that the program wrote
	ended  bool
	news   chan struct{} // has a value when the screen has changed
}

// openTerminal runs a program on a new terminal.
func openTerminal(t *testing.T, columns, rows int, cmd *exec.Cmd) *terminal {
	t.Helper()
	control, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	fd := int(control.Fd())
	gittest.Must(t, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	gittest.Must(t, err)
	tty, err := os.OpenFile("/dev/pts/"+strconv.Itoa(number), os.O_RDWR|syscall.O_NOCTTY, 0)
	gittest.Must(t, err)
	defer tty.Close()
	x := &terminal{t: t, control: control, cmd: cmd, screen: newScreen(columns, rows), news: make(chan struct{}, 1)}
	x.size(columns, rows)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	gittest.Must(t, cmd.Start())
	go x.read()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = control.Close()
	})
	return x
}

func (x *terminal) size(columns, rows int) {
	gittest.Must(x.t, unix.IoctlSetWinsize(int(x.control.Fd()), unix.TIOCSWINSZ,
		&unix.Winsize{Col: uint16(columns), Row: uint16(rows)}))
}

// resize changes the size of the terminal, as a user does with a window.
func (x *terminal) resize(columns, rows int) {
	x.mu.Lock()
	x.screen = newScreen(columns, rows)
	x.mu.Unlock()
	x.size(columns, rows)
}

// read draws the output of the program, until it ends.
func (x *terminal) read() {
	buf := make([]byte, 64<<10)
	rest := ""
	for {
		n, err := x.control.Read(buf)
		x.mu.Lock()
		x.said.Write(buf[:n])
		rest = x.screen.write(rest + string(buf[:n]))
		x.ended = err != nil
		x.mu.Unlock()
		select {
		case x.news <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

// keys types a text.
func (x *terminal) keys(text string) {
	x.t.Helper()
	_, err := x.control.WriteString(text)
	gittest.Must(x.t, err)
}

// text returns what is on the screen.
func (x *terminal) text() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.screen.String()
}

// until waits until all texts are on the screen. A text that begins with "!" must not be there.
func (x *terminal) until(texts ...string) {
	x.t.Helper()
	x.wait(strings.Join(texts, ", "), func() bool {
		screen := x.screen.String()
		for _, text := range texts {
			never, not := strings.CutPrefix(text, "!")
			if strings.Contains(screen, never) == not {
				return false
			}
		}
		return true
	})
}

// untilSaid waits until the program has written a text.
func (x *terminal) untilSaid(text string) {
	x.t.Helper()
	x.wait(fmt.Sprintf("%q", text), func() bool { return strings.Contains(x.said.String(), text) })
}

// untilEnd waits until the program has ended, and returns its exit code.
func (x *terminal) untilEnd() int {
	x.t.Helper()
	x.wait("the end", func() bool { return x.ended })
	_ = x.cmd.Wait() // the exit code tells
	return x.cmd.ProcessState.ExitCode()
}

// wait waits until there returns true.
func (x *terminal) wait(what string, there func() bool) {
	x.t.Helper()
	late := time.After(30 * time.Second)
	for {
		x.mu.Lock()
		ok, ended := there(), x.ended
		x.mu.Unlock()
		if ok {
			return
		}
		if ended {
			x.t.Fatalf("it ended before: %s\n%s", what, x.text())
		}
		select {
		case <-x.news:
		case <-late:
			x.t.Fatalf("not on the screen: %s\n%s", what, x.text())
		}
	}
}

// screen is the screen of a terminal. It has the part of xterm that the tests need.
type screen struct {
	columns, rows int
	cells         [][]string // "" after a character of two columns
	x, y          int
	top, bottom   int // the scrolling region
	last          string
}

func newScreen(columns, rows int) *screen {
	s := &screen{columns: columns, rows: rows, bottom: rows - 1}
	for range rows {
		s.cells = append(s.cells, s.blank())
	}
	return s
}

func (s *screen) blank() []string {
	line := make([]string, s.columns)
	for i := range line {
		line[i] = " "
	}
	return line
}

// String returns the lines without the spaces at their ends.
func (s *screen) String() string {
	var lines []string
	for _, line := range s.cells {
		lines = append(lines, strings.TrimRight(strings.Join(line, ""), " "))
	}
	return strings.Join(lines, "\n")
}

// escape matches a whole escape sequence: CSI, OSC, DCS and the like, or a short one.
var escape = text.Regexp(`^\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)|[PX^_][^\x1b]*\x1b\\|[ -/]*[0-OQ-WYZ\\a-~])`)

// write draws a text. It returns an incomplete sequence or character at its end.
func (s *screen) write(text string) (rest string) {
	for text != "" {
		if !utf8.FullRuneInString(text) {
			return text
		}
		sequence, width := text[:1], 0
		switch {
		case text[0] == '\x1b':
			if sequence = escape.Get().FindString(text); sequence == "" {
				return text // its end is still to come
			}
		case text[0] >= ' ':
			graphemes := displaywidth.StringGraphemes(text)
			graphemes.Next()
			sequence, width = graphemes.Value(), graphemes.Width()
		}
		text = text[len(sequence):]
		if width > 0 {
			s.put(sequence, width)
		} else {
			s.obey(sequence)
		}
	}
	return ""
}

func (s *screen) put(char string, width int) {
	if s.x+width > s.columns {
		s.x = 0
		s.down()
	}
	s.cells[s.y][s.x] = char
	for i := 1; i < width; i++ {
		s.cells[s.y][s.x+i] = ""
	}
	s.x, s.last = s.x+width, char
}

// down moves the cursor to the next line. In the last line of the region it scrolls.
func (s *screen) down() {
	if s.y == s.bottom {
		s.scroll(1, s.top)
		return
	}
	s.y = min(s.y+1, s.rows-1)
}

// scroll moves the lines of the region from a line on up by n, or down if n is negative.
func (s *screen) scroll(n, from int) {
	for ; n > 0; n-- {
		copy(s.cells[from:s.bottom], s.cells[from+1:s.bottom+1])
		s.cells[s.bottom] = s.blank()
	}
	for ; n < 0; n++ {
		copy(s.cells[from+1:s.bottom+1], s.cells[from:s.bottom])
		s.cells[from] = s.blank()
	}
}

func (s *screen) obey(sequence string) {
	switch {
	case sequence == "\r":
		s.x = 0
	case sequence == "\n":
		s.down()
	case sequence == "\b":
		s.x = max(s.x-1, 0)
	case sequence == "\t":
		s.x = min((s.x/8+1)*8, s.columns-1)
	case sequence == "\x1bM":
		if s.y == s.top {
			s.scroll(-1, s.top)
		} else {
			s.y = max(s.y-1, 0)
		}
	case strings.HasPrefix(sequence, "\x1b["):
		s.control(sequence[2:len(sequence)-1], sequence[len(sequence)-1])
	}
}

// control executes a control sequence.
func (s *screen) control(parameters string, command byte) {
	var numbers []int
	for field := range strings.SplitSeq(parameters, ";") {
		n, _ := strconv.Atoi(field) // 0 if it is left out
		numbers = append(numbers, n)
	}
	numbers = append(numbers, 0)
	n := max(numbers[0], 1)
	line := s.cells[s.y]
	clear := func(from, to int) {
		for i := max(from, 0); i < min(to, s.columns); i++ {
			line[i] = " "
		}
	}
	switch command {
	case 'A':
		s.y = max(s.y-n, 0)
	case 'B', 'e':
		s.y = min(s.y+n, s.rows-1)
	case 'C', 'a':
		s.x = min(s.x+n, s.columns-1)
	case 'D':
		s.x = max(s.x-n, 0)
	case 'E':
		s.x, s.y = 0, min(s.y+n, s.rows-1)
	case 'F':
		s.x, s.y = 0, max(s.y-n, 0)
	case 'G', '`':
		s.x = min(n, s.columns) - 1
	case 'd':
		s.y = min(n, s.rows) - 1
	case 'H', 'f':
		s.y, s.x = min(n, s.rows)-1, min(max(numbers[1], 1), s.columns)-1
	case 'I':
		s.x = min((s.x/8+n)*8, s.columns-1)
	case 'Z':
		s.x = max(((s.x+7)/8-n)*8, 0)
	case 'J':
		s.erase(numbers[0])
	case 'K':
		clear([]int{s.x, 0, 0}[numbers[0]], []int{s.columns, s.x + 1, s.columns}[numbers[0]])
	case 'X':
		clear(s.x, s.x+n)
	case '@':
		copy(line[min(s.x+n, s.columns):], append([]string{}, line[s.x:]...))
		clear(s.x, s.x+n)
	case 'P':
		copy(line[s.x:], append(append([]string{}, line[min(s.x+n, s.columns):]...), s.blank()...))
	case 'L':
		s.scroll(-n, s.y)
	case 'M':
		s.scroll(n, s.y)
	case 'S':
		s.scroll(n, s.top)
	case 'T':
		s.scroll(-n, s.top)
	case 'b':
		for range n {
			s.put(s.last, displaywidth.String(s.last))
		}
	case 'r':
		s.top, s.bottom = n-1, s.rows-1
		if numbers[1] > 0 {
			s.bottom = numbers[1] - 1
		}
		s.x, s.y = 0, 0
	}
}

// erase clears the screen below the cursor, above it, or all of it.
func (s *screen) erase(what int) {
	for y := range s.cells {
		from, to := 0, s.columns
		switch {
		case what == 0 && y < s.y, what == 1 && y > s.y:
			continue
		case what == 0 && y == s.y:
			from = s.x
		case what == 1 && y == s.y:
			to = s.x + 1
		}
		for x := from; x < to && x < s.columns; x++ {
			s.cells[y][x] = " "
		}
	}
}
