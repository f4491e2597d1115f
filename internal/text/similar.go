package text

import (
	"slices"
	"strings"
)

// Similar returns the words that begin with the typed one or differ from it in at most two letters,
// the nearest first. From a typed word of up to three letters they may differ in one letter only.
func Similar(typed string, words []string) []string {
	typed = strings.ToLower(typed)
	var all []string
	for distance := 1; distance <= min(2, max(len(typed)-2, 1)); distance++ {
		for _, w := range words {
			lower := strings.ToLower(w)
			near := distanceOf(typed, lower) <= distance || typed != "" && strings.HasPrefix(lower, typed)
			if near && !slices.Contains(all, w) {
				all = append(all, w)
			}
		}
	}
	return all
}

// distanceOf returns how many letters have to be added, removed or replaced to make b from a.
func distanceOf(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(row[j+1]+1, row[j]+1, replaced)
		}
	}
	return row[len(b)]
}
