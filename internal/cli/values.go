package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// choice is the value of a flag that takes one of some words.
type choice struct {
	to    *string
	words []string
}

// choose adds a flag that takes one of some words. The shell completes them.
func choose(cmd *cobra.Command, to *string, name, usage string, words ...string) {
	cmd.Flags().Var(choice{to, words}, name, usage)
	completeFlag(cmd, name, words...)
}

func (c choice) String() string { return *c.to }
func (c choice) Type() string   { return "string" }

// Set sets the value to one of the words.
func (c choice) Set(word string) error {
	if !slices.Contains(c.words, word) {
		return errors.New("want " + either(c.words))
	}
	*c.to = word
	return nil
}

// number is the value of a flag that takes a whole number.
type number struct {
	to      *int
	least   int
	example int // a likely number, for the hint
}

func (n number) String() string { return strconv.Itoa(*n.to) }
func (n number) Type() string   { return "int" }

// Set sets the value to a number that is not too small.
func (n number) Set(word string) error {
	value, err := strconv.Atoi(word)
	if err != nil || value < n.least {
		return fmt.Errorf("want a number from %d", n.least)
	}
	*n.to = value
	return nil
}

// limitFlag adds -n, --limit, as git log and gh have it.
func limitFlag(cmd *cobra.Command, to *int, usage string) {
	cmd.Flags().VarP(number{to: to, example: 10}, "limit", "n", usage)
}

// either lists words as a person would: "text, html or svg".
func either(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
