package wine

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
)

// The Windows build of ckpt runs git.exe, which is this program, built for Windows. It sends its
// arguments, environment and standard input over a local connection to this program on the host. The
// host runs its git and sends back the output. Wine itself can start a program of the host, but
// without pipes and an exit code.

// addressVariable names the environment variable with the host's address.
const addressVariable = "CKPT_TEST_GIT"

// call has the arguments, environment and folder with which git.exe was started.
type call struct {
	Args, Env []string
	Dir       string
}

// part is a piece of a stream, or its end. The last one from the host has the exit code.
type part struct {
	Stream byte // 0 is the input, 1 the output, 2 the errors, 3 the exit code
	Data   []byte
	Code   int
}

// stream is a writer that sends the data as parts.
type stream struct {
	to     *gob.Encoder
	mutex  *sync.Mutex // several streams share one connection
	number byte
	change func([]byte) []byte // changes the data before it is sent; may be nil
}

func (s stream) Write(p []byte) (int, error) {
	data := p
	if s.change != nil {
		data = s.change(p)
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return len(p), s.to.Encode(part{Stream: s.number, Data: data})
}

// beGit makes the host run git and returns git's exit code.
func beGit() (int, error) {
	conn, err := net.Dial("tcp", os.Getenv(addressVariable))
	if err != nil {
		return 0, err
	}
	dir, err := os.Getwd()
	if err != nil {
		return 0, err
	}
	to, from := gob.NewEncoder(conn), gob.NewDecoder(conn)
	if err := to.Encode(call{os.Args[1:], os.Environ(), dir}); err != nil {
		return 0, err
	}
	go func() {
		input := stream{to: to, mutex: &sync.Mutex{}}
		_, _ = io.Copy(input, os.Stdin) // git may end before its input does
		_, _ = input.Write(nil)
	}()
	for {
		var p part
		if err := from.Decode(&p); err != nil {
			return 0, err
		}
		switch p.Stream {
		case 1:
			_, _ = os.Stdout.Write(p.Data) // an error is ignored, as git does
		case 2:
			_, _ = os.Stderr.Write(p.Data)
		default:
			return p.Code, nil
		}
	}
}

// host runs git on the host when a program in wine starts git.exe.
type host struct {
	drive string // the folder that is C: in wine
	bin   string // the folder with ckpt, which git runs as a merge driver
}

// serve runs one git for each connection, until the listener is closed.
func (h host) serve(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer conn.Close()
			h.run(gob.NewDecoder(conn), gob.NewEncoder(conn))
		}()
	}
}

func (h host) run(from *gob.Decoder, to *gob.Encoder) {
	var c call
	if from.Decode(&c) != nil {
		return
	}
	for i, arg := range c.Args {
		c.Args[i] = h.path(arg)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, "git", c.Args...)
	cmd.Dir, cmd.Env = h.path(c.Dir), h.environ(c.Env)
	mutex := &sync.Mutex{}
	cmd.Stdout, cmd.Stderr = stream{to, mutex, 1, windowsOrigins}, stream{to, mutex, 2, nil}
	input, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	started, left := err == nil, make(chan bool) // closed when git.exe has ended; an earlier close resets the connection
	defer func() { <-left }()
	go func() {
		defer close(left)
		defer cancel()
		for {
			var p part
			if from.Decode(&p) != nil {
				return
			}
			if started && len(p.Data) > 0 {
				_, _ = input.Write(p.Data) // git may end before its input does
			} else if started {
				_ = input.Close()
			}
		}
	}()
	if started {
		err = cmd.Wait()
	}
	end := part{Stream: 3}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		end.Code = exit.ExitCode()
	} else if err != nil {
		end.Code = 127
		_ = to.Encode(part{Stream: 2, Data: []byte(err.Error() + "\n")})
	}
	_ = to.Encode(end) // an error is ignored: git.exe may have been killed
}

// windowsPath is an absolute path of Windows, up to the end of the text.
var windowsPath = regexp.MustCompile(`[A-Za-z]:[\\/].*`)

// path returns a text in which a Windows path, if there is one, is replaced by the host's path.
func (h host) path(text string) string {
	if text == "core.hooksPath=NUL" {
		return "core.hooksPath=/dev/null"
	}
	return windowsPath.ReplaceAllStringFunc(text, func(path string) string {
		rest := strings.ReplaceAll(path[2:], `\`, "/")
		switch path[0] {
		case 'Z', 'z':
			return rest
		case 'C', 'c':
			return h.drive + rest
		}
		return path
	})
}

// environ returns the environment of git.exe for the host's git. It determines HOME as Git for
// Windows does.
func (h host) environ(env []string) []string {
	var given []string
	windows := map[string]string{}
	for _, v := range env {
		name, value, _ := strings.Cut(v, "=")
		windows[strings.ToUpper(name)] = value
		switch strings.ToUpper(name) {
		case "PATH", "TEMP", "TMP", "HOME":
		default:
			given = append(given, name+"="+h.path(value))
		}
	}
	home := windows["HOME"]
	if home == "" && windows["HOMEDRIVE"] != "" && windows["HOMEPATH"] != "" {
		home = windows["HOMEDRIVE"] + windows["HOMEPATH"]
		if info, err := os.Stat(h.path(home)); err != nil || !info.IsDir() {
			home = ""
		}
	}
	if home == "" {
		home = windows["USERPROFILE"]
	}
	return append(given, "PATH="+h.bin+":"+os.Getenv("PATH"), "HOME="+filepath.Clean(h.path(home)))
}

// windowsOrigins returns the output of `git config --show-origin` with Windows paths, as Git for
// Windows prints them.
func windowsOrigins(out []byte) []byte {
	return bytes.ReplaceAll(out, []byte("file:/"), []byte("file:Z:/"))
}
