package cli

import "github.com/spf13/cobra"

// NewRoot returns the whole command tree, from which the documentation is generated.
func NewRoot(w World) *cobra.Command { return newRoot(&Env{World: w}) }
