// Package words has what messages need: the plural of what is counted, and the names that a
// misspelt one may have meant.
package words

import (
	"slices"
	"strconv"
	"strings"
)

// Counted writes a number of things: "1 job" and "2 jobs".
func Counted[N ~int | ~int64](n N, noun string) string {
	return strconv.FormatInt(int64(n), 10) + " " + Plural(n, noun, noun+"s")
}

// Plural returns the word that goes with n things.
func Plural[N ~int | ~int64](n N, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

// mostNear is the largest number of names in a hint.
const mostNear = 3

// Meant ends a message about a word that is none of some names: "; did you mean run?" It is
// "" if no name is like the word, or more than three are.
func Meant(word string, names []string) string {
	word = strings.ToLower(word)
	if len(word) < 3 {
		return ""
	}
	begins := func(name string) bool { return strings.HasPrefix(name, word) }
	var like []string
	for _, name := range names {
		if begins(name) || Edits(name, word) <= 1+len(word)/5 {
			like = append(like, name)
		}
	}
	if slices.ContainsFunc(like, begins) {
		like = slices.DeleteFunc(like, func(name string) bool { return !begins(name) })
	}
	if len(like) == 0 || len(like) > mostNear {
		return ""
	}
	return "; did you mean " + strings.Join(like, " or ") + "?"
}

// Edits returns the Levenshtein distance of two words: the least number of bytes to insert,
// delete or replace.
func Edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := corner
			if a[i] != b[j] {
				change++
			}
			corner = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
