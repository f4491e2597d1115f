package git

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git/index"
)

// Config reads git's configuration and the user's identity in it.
type Config struct{ repo *Repo }

// Config returns the configuration of the repository.
func (r *Repo) Config() Config { return Config{repo: r} }

// config is the configuration as git reads it: system, global, local and worktree files, includes,
// and the environment.
type config struct {
	values  map[string]string // the values of the keys that needed accepts
	release string            // the version of the git that printed the configuration
}

// Get returns the value that git would use for key, and whether key is set. If key is set several times, the last value
// counts. A key without a value is "true". The section and the variable name are in lower case ("user.name"), and
// needed must accept the key. The first call runs git once, or not at all if the cached configuration is still valid.
func (c Config) Get(ctx context.Context, key string) (value string, ok bool, err error) {
	if c.repo.conf == nil {
		c.repo.conf, err = c.readConfig(ctx)
		if err != nil {
			return "", false, err
		}
	}
	value, ok = c.repo.conf.values[key]
	return value, ok, nil
}

// Set sets a key in the configuration of the clone itself; an empty value removes it.
func (c Config) Set(ctx context.Context, key, value string) error {
	args := []string{"config", "--local", key, value}
	if value == "" {
		args = []string{"config", "--local", "--unset", key}
	}
	_, err := c.repo.Run(ctx, args...)
	c.repo.conf = nil
	return err
}

// Setting returns the value of key, or otherwise if key is not set.
func (c Config) Setting(ctx context.Context, key, otherwise string) (string, error) {
	value, ok, err := c.Get(ctx, key)
	if err != nil || !ok {
		return otherwise, err
	}
	return value, nil
}

// Reading the configuration takes a git process, which takes most of the time of a small commit. Therefore git's answer
// is cached in <gitdir>/ckpt/config, with git's version and the state of everything that the answer depends on: the
// environment, git itself, and every file that git read or would have read, including included files. If any of these
// has changed, git is asked again.

const cacheVersion = "ckpt config 6"

// readConfig returns the configuration, from the cache if that is still valid.
func (cfg Config) readConfig(ctx context.Context) (*config, error) {
	env := cfg.configEnv()
	if c := cfg.loadConfig(env); c != nil {
		return c, nil
	}
	out, err := cfg.repo.Git(ctx, nil, "config", "--list", "-z", "--show-origin", "--includes")
	if err != nil {
		return nil, err
	}
	c, files := parseOrigins(cfg.repo.root, out)
	program, err := exec.LookPath("git")
	if files != nil && err == nil {
		c.release = cfg.repo.program.release.name
		cfg.storeConfig(env, c, append(append(files, program), cfg.configFiles()...))
	}
	return c, nil
}

// configEnv returns a fingerprint of the environment and of HEAD, on which settings depend by includeIf "onbranch".
func (c Config) configEnv() string {
	h := fnv.New128a()
	fmt.Fprintln(h, cacheVersion, os.Geteuid(), home(), c.repo.root, c.repo.gitDir)
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		// on Windows the variable may be called Path
		if strings.HasPrefix(name, "GIT_CONFIG") || name == "XDG_CONFIG_HOME" || strings.EqualFold(name, "PATH") {
			fmt.Fprintln(h, v)
		}
	}
	head, _ := disk.Bytes(filepath.Join(c.repo.gitDir, "HEAD"))
	h.Write(head)
	return fmt.Sprintf("%x", h.Sum(nil))
}

// configFiles returns the files that git reads, whether or not they exist.
func (c Config) configFiles() []string {
	return []string{
		"/etc/gitconfig", "/usr/local/etc/gitconfig", "/opt/homebrew/etc/gitconfig",
		filepath.Join(UserConfigDir(), "config"), filepath.Join(home(), ".gitconfig"),
		filepath.Join(c.repo.commonDir, "config"), filepath.Join(c.repo.gitDir, "config.worktree"),
	}
}

// parseOrigins parses the output of `git config -lz --show-origin`: for each setting its origin and then the setting,
// each ended by NUL. Files are the files on which the output depends. They are nil if an origin is not a file and its
// changes cannot be detected.
func parseOrigins(root string, out []byte) (c *config, files []string) {
	c = &config{values: map[string]string{}}
	seen := map[string]bool{}
	known := true
	fields := strings.Split(string(out), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		key, value, hasValue := strings.Cut(fields[i+1], "\n")
		if !hasValue {
			value = "true"
		}
		if isHookEvent(key) {
			value = joinEvents(c.values[key], value)
		}
		if needed(key) {
			c.values[key] = value
		}
		file, isFile := strings.CutPrefix(fields[i], "file:")
		if !isFile {
			known = known && fields[i] == "command line:" // this includes GIT_CONFIG_*, which configEnv covers
			continue
		}
		file = disk.From(root, file)
		seen[file] = true
		if key == "include.path" || strings.HasPrefix(key, "includeif.") && strings.HasSuffix(key, ".path") {
			seen[fromHome(filepath.Dir(file), value)] = true // the included file may be created later
		}
	}
	if !known {
		return c, nil
	}
	for file := range seen {
		files = append(files, file)
	}
	return c, files
}

// state returns a text that changes whenever the file changes, and the time of its last change.
func state(path string) (state string, changed time.Time) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return "none", time.Time{}
	}
	if err != nil {
		return err.Error(), time.Time{}
	}
	c, m, numbers := index.Times(info)
	latest := slices.MaxFunc([]time.Time{c, m}, time.Time.Compare)
	return fmt.Sprintf("%d %d %d %v", c.UnixNano(), m.UnixNano(), info.Size(), numbers), latest
}

// loadConfig returns the cached configuration, or nil if it is missing or outdated. The cache has these fields, each
// ended by NUL: fingerprint, version of git, files with their states, an empty field, settings.
func (cfg Config) loadConfig(env string) *config {
	data, err := disk.Bytes(cfg.configCache())
	if err != nil {
		return nil
	}
	fields := strings.Split(string(data), "\x00")
	if len(fields) < 4 || fields[0] != env || fields[len(fields)-1] != "end" {
		return nil
	}
	i := 2
	for ; i+1 < len(fields) && fields[i] != ""; i += 2 {
		if now, _ := state(fields[i]); now != fields[i+1] {
			return nil
		}
	}
	c := &config{values: map[string]string{}, release: fields[1]}
	for _, setting := range fields[min(i+1, len(fields)-1) : len(fields)-1] {
		key, value, _ := strings.Cut(setting, "\n")
		c.values[key] = value
	}
	return c
}

// storeConfig writes the cache, unless one of files was changed in the last two seconds. In that case another change
// within the time resolution of the file system could go unnoticed.
func (cfg Config) storeConfig(env string, c *config, files []string) {
	slices.Sort(files)
	fields := []string{env, c.release}
	for _, file := range slices.Compact(files) {
		now, changed := state(file)
		if time.Since(changed) < 2*time.Second {
			return
		}
		fields = append(fields, file, now)
	}
	fields = append(fields, "")
	for key, value := range c.values {
		fields = append(fields, key+"\n"+value)
	}
	fields = append(fields, "end")
	replaceCache(cfg.configCache(), strings.Join(fields, "\x00"))
}

// replaceCache replaces a cache file, which only this user can read. An error is ignored: without the cache, later
// commands only take longer.
func replaceCache(path, data string) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".ckpt-*") // CreateTemp uses mode 0600
	if err != nil {
		return
	}
	_, err = f.WriteString(data)
	if errors.Join(err, f.Close()) != nil || disk.Rename(f.Name(), path) != nil {
		_ = os.Remove(f.Name())
	}
}

func (c Config) configCache() string { return filepath.Join(c.repo.gitDir, "ckpt", "config") }

// needed reports whether ckpt needs the setting key. Other settings are not cached: some (http, credential, ...) may
// contain secrets.
func needed(key string) bool {
	section, _, _ := strings.Cut(key, ".")
	switch section {
	case "hook":
		return isHookEvent(key) || strings.HasSuffix(key, ".enabled")
	case "ckpt", "user", "author", "committer", "core", "commit", "color", "maintenance", "merge":
		return true
	}
	return false
}

// Setting is one line of the configuration as git reads it.
type Setting struct {
	Scope string // "system", "global", "command", "local" or "worktree"
	Key   string
	Value string
}

// Own reports whether the setting comes from the user or the system, and not from this repository.
func (s Setting) Own() bool {
	return s.Scope == "system" || s.Scope == "global" || s.Scope == "command"
}

// All returns the whole configuration with the scope of each setting, in the order in which git
// reads it. It runs git; [Config.Get] seldom does.
func (c Config) All(ctx context.Context) ([]Setting, error) {
	out, err := c.repo.Git(ctx, nil, "config", "--list", "-z", "--show-scope", "--includes")
	if err != nil {
		return nil, err
	}
	var all []Setting
	fields := strings.Split(string(out), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		key, value, _ := strings.Cut(fields[i+1], "\n")
		all = append(all, Setting{fields[i], key, value})
	}
	return all, nil
}

// home returns the user's home folder as git finds it.
func home() string {
	if dir := os.Getenv("HOME"); dir != "" || runtime.GOOS != "windows" {
		return dir
	}
	return windowsHome(os.Getenv)
}

// windowsHome returns the folder that Git for Windows uses if HOME is not set: the home share if it
// exists, otherwise the profile.
func windowsHome(getenv func(string) string) string {
	if drive, path := getenv("HOMEDRIVE"), getenv("HOMEPATH"); drive != "" && path != "" {
		if info, err := os.Stat(drive + path); err == nil && info.IsDir() {
			return drive + path
		}
	}
	return getenv("USERPROFILE")
}

// fromHome returns an absolute path for a path in the configuration: "~/" is the home folder, and
// other relative paths start in dir.
func fromHome(dir, path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		path = filepath.Join(home(), rest)
	}
	return disk.From(dir, path)
}

// UserConfigDir returns the user's folder for git's configuration files other than .gitconfig.
func UserConfigDir() string {
	base := os.Getenv("XDG_CONFIG_HOME")
	if base == "" {
		base = filepath.Join(home(), ".config")
	}
	return filepath.Join(base, "git")
}
