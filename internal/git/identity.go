package git

import (
	"cmp"
	"context"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/object"
)

// Identities returns the author and the committer of a commit.
func (c Config) Identities(ctx context.Context, now time.Time) (author, committer object.Signature, err error) {
	author, err = c.Identity(ctx, "author", now)
	if err == nil {
		committer, err = c.Identity(ctx, "committer", now)
	}
	return author, committer, err
}

// Identity returns the author or the committer of a commit, for the given role. It looks where git
// does and in git's order: the environment, author.* or committer.*, user.*. If git would change
// or refuse a name or a date, Identity asks git.
func (c Config) Identity(ctx context.Context, role string, now time.Time) (object.Signature, error) {
	env := "GIT_" + strings.ToUpper(role)
	name, failed := c.firstOf(ctx, env+"_NAME", role+".name", "user.name")
	email, err := c.firstOf(ctx, env+"_EMAIL", role+".email", "user.email")
	if err := cmp.Or(failed, err); err != nil {
		return "", err
	}
	known := isClean(name) && isClean(email)
	given := os.Getenv(env + "_DATE")
	if given != "" {
		now, err = time.Parse(time.RFC3339, strings.TrimSpace(given))
		known = known && err == nil && now.Unix() >= 0
	}
	date := strconv.FormatInt(max(0, now.Unix()), 10) + " " + now.Format("-0700") // git has no dates before 1970
	if known {
		return object.Signature(name + " <" + email + "> " + date), nil
	}
	ident, err := c.askIdentity(ctx, env)
	if i := strings.LastIndexByte(ident, '>'); i >= 0 && given == "" {
		ident = ident[:i+1] + " " + date // git uses the system's clock and not the caller's
	}
	return object.Signature(ident), err
}

// isClean reports whether git takes a name as it is: the name is not empty and has no line breaks, no angle brackets,
// and no punctuation at either end.
func isClean(name string) bool {
	trimmed := strings.TrimFunc(name, func(c rune) bool { return c <= ' ' || strings.ContainsRune(`.,:;<>"\'`, c) })
	return name != "" && name == trimmed && !strings.ContainsAny(name, "\n<>")
}

// AuthorEmail returns the address of the user; "" if git does not know it.
func (c Config) AuthorEmail(ctx context.Context) (string, error) {
	return c.firstOf(ctx, "GIT_AUTHOR_EMAIL", "author.email", "user.email")
}

// askIdentity asks git for the identity; git's error explains what is missing.
func (c Config) askIdentity(ctx context.Context, env string) (string, error) {
	ask := c.repo.Git
	if os.Getenv("GEMINI_CLI") != "" {
		ask = c.gitWithUserConfig
	}
	out, err := ask(ctx, nil, "var", env+"_IDENT")
	if err != nil {
		return "", fault.New(fault.Failed, "git does not know who you are: %w", err).
			WithHint("git config --global user.email you@example.com   (and user.name)")
	}
	return strings.TrimSpace(string(out)), nil
}

// gitWithUserConfig runs git with the user's own configuration. Gemini CLI hides that configuration
// from the commands that it runs, as protection against programs that the configuration may start.
// Without the configuration the user's name would be missing or invented.
func (c Config) gitWithUserConfig(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	cmd := c.repo.Command(ctx, args...)
	cmd.Env = slices.DeleteFunc(cmd.Env, func(v string) bool {
		return strings.HasPrefix(v, "GIT_CONFIG_GLOBAL=") || strings.HasPrefix(v, "GIT_CONFIG_SYSTEM=") ||
			strings.HasPrefix(v, "GIT_CONFIG_NOSYSTEM=")
	})
	return Output(cmd, stdin)
}

// firstOf returns the value of the environment variable env, or else of the first key that is set. For an address, the
// last resort is the variable EMAIL.
func (c Config) firstOf(ctx context.Context, env string, keys ...string) (string, error) {
	if value := os.Getenv(env); value != "" {
		return value, nil
	}
	for _, key := range keys {
		if value, ok, err := c.Get(ctx, key); ok || err != nil {
			return value, err
		}
	}
	if strings.HasSuffix(env, "_EMAIL") {
		return os.Getenv("EMAIL"), nil
	}
	return "", nil
}

// Sync reports whether commits must survive a power cut: git config ckpt.fsync, on by default.
func (c Config) Sync(ctx context.Context) (bool, error) {
	value, err := c.Setting(ctx, "ckpt.fsync", "on")
	switch strings.ToLower(value) {
	case "true", "yes", "on", "1":
		return true, err
	case "false", "no", "off", "0", "":
		return false, err
	}
	return true, fault.New(fault.Invalid, "git config ckpt.fsync: %q is neither on nor off", value).
		WithHint("git config ckpt.fsync on")
}
