package git

// At returns the same repository with a ref in place of HEAD: questions about what is
// committed and about its history are answered for that ref. Nothing may be committed to it
// by [Committer.Prepare], and it has no index.
func (r *Repo) At(ref string) *Repo {
	other := *r
	other.head, other.lock = ref, nil
	return &other
}
