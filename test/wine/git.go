package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// The Windows build of ckpt runs git.exe. That git.exe is this program, built for Windows: it sends
// its arguments, environment and standard input in a request to this program on the host, which runs
// the host's git and answers with what that prints. Wine can start a program of the host itself, but
// gives it no pipes and no exit code.

// addressVariable names the environment variable with the host's address.
const addressVariable = "CKPT_TEST_GIT"

// call is what git.exe was started with: the header of a request whose body is the input.
type call struct {
	Args, Env []string
	Dir       string
}

// end is the trailer of a response whose body is the output.
type end struct {
	Errors []byte
	Code   int
}

// beGit makes the host run git and returns git's exit code.
func beGit() (int, error) {
	dir, err := os.Getwd()
	if err != nil {
		return 0, err
	}
	what, err := json.Marshal(call{os.Args[1:], os.Environ(), dir})
	if err != nil {
		return 0, err
	}
	req, err := http.NewRequest(http.MethodPost, "http://"+os.Getenv(addressVariable), os.Stdin)
	if err != nil {
		return 0, err
	}
	req.Header.Set("Call", string(what))
	req.Close = true // the host may still wait for the end of the input
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	if _, err := io.Copy(os.Stdout, res.Body); err != nil {
		return 0, err
	}
	var e end
	if err := json.Unmarshal([]byte(res.Trailer.Get("End")), &e); err != nil {
		return 0, err
	}
	_, _ = os.Stderr.Write(e.Errors) // an error is ignored, as git does
	return e.Code, nil
}

// host runs git for git.exe.
type host struct {
	drive string // the folder that is C: in wine
	bin   string // the folder with ckpt, which git runs as a merge driver
}

func (h host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var c call
	if err := json.Unmarshal([]byte(r.Header.Get("Call")), &c); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	for i, arg := range c.Args {
		c.Args[i] = h.path(arg)
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", c.Args...)
	cmd.Dir, cmd.Env = h.path(c.Dir), h.environ(c.Env)
	out := output{w, http.NewResponseController(w)}
	var errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = out, &errs
	w.Header().Set("Trailer", "End")
	_ = out.control.EnableFullDuplex() // HTTP/1 has it
	_ = out.control.Flush()
	input, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err == nil {
		go func() {
			_, _ = io.Copy(input, r.Body) // git may end before its input does
			_ = input.Close()
			if _, err := io.Copy(io.Discard, r.Body); err != nil {
				cancel() // git.exe was killed
			}
		}()
		err = cmd.Wait()
	}
	e := end{Errors: errs.Bytes()}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		e.Code = exit.ExitCode()
	} else if err != nil {
		e = end{[]byte(err.Error() + "\n"), 127}
	}
	trailer, _ := json.Marshal(e) // it has no values that JSON lacks
	w.Header().Set("End", string(trailer))
}

// output sends the output of git at once, with paths of `git config --show-origin` as Git for Windows
// writes them.
type output struct {
	http.ResponseWriter
	control *http.ResponseController
}

func (o output) Write(p []byte) (int, error) {
	_, err := o.ResponseWriter.Write(bytes.ReplaceAll(p, []byte("file:/"), []byte("file:Z:/")))
	return len(p), cmp.Or(err, o.control.Flush())
}

// windowsPath is an absolute path of Windows, up to the end of the text.
var windowsPath = regexp.MustCompile(`[A-Za-z]:[\\/].*`)

// path returns text with the path of Windows in it, if there is one, as the host knows it.
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

// environ returns the environment of git.exe for the host's git. HOME is found as Git for
// Windows finds it.
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
