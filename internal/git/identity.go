package git

import (
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
// does and in git's order: the environment, author.* or committer.*, user.*. If that is not enough
// (the name is missing or has a dot at an end, or the date is in words), it asks git.
func (c Config) Identity(ctx context.Context, role string, now time.Time) (object.Signature, error) {
	env := "GIT_" + strings.ToUpper(role)
	name, err := c.firstOf(ctx, env+"_NAME", role+".name", "user.name")
	if err != nil {
		return "", err
	}
	email, err := c.firstOf(ctx, env+"_EMAIL", role+".email", "user.email")
	if err != nil {
		return "", err
	}
	date, dateOK := now.Format("-0700"), true
	date = strconv.FormatInt(max(0, now.Unix()), 10) + " " + date // git has no dates before 1970
	if given := os.Getenv(env + "_DATE"); given != "" {
		date, dateOK = parseDate(given, now)
	}
	dotted := endsInDot(name) || endsInDot(email)
	name, email = clean(name), clean(email)
	known := name != "" && email != "" && dateOK
	if known && !dotted {
		return object.Signature(name + " <" + email + "> " + date), nil
	}
	return c.askIdentity(ctx, env, date, dateOK)
}

// AuthorEmail returns the address of the user; "" if git does not know it.
func (c Config) AuthorEmail(ctx context.Context) (string, error) {
	return c.firstOf(ctx, "GIT_AUTHOR_EMAIL", "author.email", "user.email")
}

// askIdentity asks git for the identity; git's error explains what is missing.
func (c Config) askIdentity(ctx context.Context, env, date string, dateOK bool) (object.Signature, error) {
	ask := c.repo.Git
	if os.Getenv("GEMINI_CLI") != "" {
		ask = c.gitWithUserConfig
	}
	out, err := ask(ctx, nil, "var", env+"_IDENT")
	if err != nil {
		return "", fault.New(fault.Failed, "git does not know who you are: %w", err).
			WithHint("git config user.email you@example.com   (and user.name)")
	}
	ident := strings.TrimSpace(string(out))
	if i := strings.LastIndexByte(ident, '>'); i >= 0 && dateOK {
		ident = ident[:i+1] + " " + date // replace the date, since git uses the system clock and not the caller's
	}
	return object.Signature(ident), nil
}

// gitWithUserConfig runs git with the user's own configuration. Gemini CLI hides that configuration
// from the commands that it runs, as protection against programs that it may start. Without it the
// user's name would be missing or invented.
func (c Config) gitWithUserConfig(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	cmd := c.repo.Command(ctx, args...)
	cmd.Env = slices.DeleteFunc(cmd.Env, func(v string) bool {
		return strings.HasPrefix(v, "GIT_CONFIG_GLOBAL=") || strings.HasPrefix(v, "GIT_CONFIG_SYSTEM=") ||
			strings.HasPrefix(v, "GIT_CONFIG_NOSYSTEM=")
	})
	return Output(cmd, stdin)
}

// firstOf returns the environment variable, or the first of the keys that is set.
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

// clean removes from a name what git removes: line breaks and angle brackets, and punctuation at
// both ends.
func clean(name string) string {
	name = strings.TrimFunc(name, func(c rune) bool { return c == '.' || crud(c) })
	return strings.Map(func(c rune) rune {
		if c == '\n' || c == '<' || c == '>' {
			return -1
		}
		return c
	}, name)
}

func crud(c rune) bool { return c <= ' ' || strings.ContainsRune(`,:;<>"\'`, c) }

// endsInDot reports whether the name begins or ends with a dot, as in "Sammy Davis Jr.": git 2.42
// and later keep that dot.
func endsInDot(name string) bool {
	name = strings.TrimFunc(name, crud)
	return strings.HasPrefix(name, ".") || strings.HasSuffix(name, ".")
}

// parseDate parses the unambiguous forms of git's dates and returns "SECONDS ZONE". It leaves the
// other forms to git. A date without a zone has the zone of now.
func parseDate(s string, now time.Time) (string, bool) {
	s = strings.TrimSpace(s)
	if seconds, zone, ok := strings.Cut(strings.TrimPrefix(s, "@"), " "); ok {
		n, err := strconv.ParseInt(seconds, 10, 64)
		_, zoneErr := time.Parse("-0700", zone)
		isSeconds := s[0] == '@' && n >= 0 || n >= 100_000_000 // git reads a smaller number as a calendar date
		if err == nil && zoneErr == nil && isSeconds {
			return strconv.FormatInt(n, 10) + " " + zone, true
		}
	}
	for _, layout := range [...]string{time.RFC3339, "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05 Z0700",
		time.RFC1123Z} {
		if t, err := time.Parse(layout, s); err == nil && t.Unix() >= 0 {
			return strconv.FormatInt(t.Unix(), 10) + " " + t.Format("-0700"), true
		}
	}
	for _, layout := range [...]string{"2006-01-02T15:04:05", "2006-01-02 15:04:05"} {
		if t, err := time.ParseInLocation(layout, s, now.Location()); err == nil && t.Unix() >= 0 {
			return strconv.FormatInt(t.Unix(), 10) + " " + t.Format("-0700"), true
		}
	}
	return "", false
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
