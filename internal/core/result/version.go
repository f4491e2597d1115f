package result

// Version is what this ckpt was made of, and what it works with.
type Version struct {
	Ckpt      string
	Commit    string // "" for an unknown one
	Go        string
	Git       string // the git in PATH; "" for none
	OldestGit string // the oldest git that ckpt works with
}
