package result

// Site is the answer of `ckpt export --html`.
type Site struct {
	Folder      string       `json:"folder"`      // as it was given
	Checkpoints int          `json:"checkpoints"` // the number of checkpoints
	Files       List[string] `json:"files"`       // the files of the site, below the folder
	DryRun      bool         `json:"dry_run"`
	Warnings    []string     `json:"warnings,omitempty"` // which files could not be read
}
