package object

import (
	"bytes"
	"strconv"
	"strings"

	"example.com/ckpt/internal/fault"
)

// Signature is the line for an author or a committer in a commit: "Ann <ann@example.com> 1700000000
// +0100".
type Signature string

// Email returns the address in the angle brackets.
func (s Signature) Email() string {
	_, rest, _ := strings.Cut(string(s), "<")
	email, _, _ := strings.Cut(rest, ">")
	return email
}

// Seconds returns the date as Unix time.
func (s Signature) Seconds() (int64, error) {
	_, date, _ := strings.Cut(string(s), "> ")
	seconds, _, _ := strings.Cut(date, " ")
	return strconv.ParseInt(seconds, 10, 64)
}

// Env returns the environment variables with which git uses this name, address and date. Prefix is GIT_AUTHOR or
// GIT_COMMITTER.
func (s Signature) Env(prefix string) []string {
	name, _, _ := strings.Cut(string(s), " <")
	_, date, _ := strings.Cut(string(s), "> ")
	return []string{prefix + "_NAME=" + name, prefix + "_EMAIL=" + s.Email(), prefix + "_DATE=@" + date}
}

// CommitText is the content of a commit object.
type CommitText struct {
	Tree      string
	Parents   []string
	Author    Signature
	Committer Signature
	Message   string
}

// Encode returns the object as git stores it, unsigned.
func (c CommitText) Encode() []byte {
	var b bytes.Buffer
	b.WriteString("tree " + c.Tree + "\n")
	for _, parent := range c.Parents {
		b.WriteString("parent " + parent + "\n")
	}
	b.WriteString("author " + string(c.Author) + "\ncommitter " + string(c.Committer) + "\n")
	b.WriteString("\n" + c.Message)
	return b.Bytes()
}

// ReadCommit returns the content of a commit; it is empty for an empty hash.
func ReadCommit(r Reader, hash string) (CommitText, error) {
	if hash == "" {
		return CommitText{}, nil
	}
	data, err := r.Read(Commit, hash)
	if err != nil {
		return CommitText{}, err
	}
	head, message, _ := strings.Cut(string(data), "\n\n")
	c := CommitText{Message: message}
	for line := range strings.SplitSeq(head, "\n") {
		key, value, _ := strings.Cut(line, " ")
		switch key {
		case "tree":
			c.Tree = value
		case "parent":
			c.Parents = append(c.Parents, value)
		case "author":
			c.Author = Signature(value)
		case "committer":
			c.Committer = Signature(value)
		}
	}
	if c.Tree == "" {
		return c, fault.New(fault.Failed, "commit %s is damaged", hash).WithHint("git fsck")
	}
	return c, nil
}

// Descends reports whether base is head or an ancestor of it. It follows only 50 first parents, so false may also mean
// that base is farther away or on another line.
func Descends(r Reader, head, base string) bool {
	for range 50 {
		if head == base {
			return true
		}
		c, err := ReadCommit(r, head)
		if err != nil || len(c.Parents) == 0 {
			return false
		}
		head = c.Parents[0]
	}
	return false
}
