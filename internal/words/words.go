// Package words has what messages need: the plural of what is counted, and the names that a
// misspelt one may have meant.
package words

import (
	"slices"
	"strconv"
	"strings"
)

// Counted writes a number of things: "1 job", "2 jobs" and "2 oddities".
func Counted[N ~int | ~int64](n N, noun string) string {
	return strconv.FormatInt(int64(n), 10) + " " + Noun(n, noun)
}

// Noun returns the noun that goes with n things: "job", "jobs", "classes" or "oddities".
func Noun[N ~int | ~int64](n N, noun string) string {
	more := noun + "s"
	if strings.HasSuffix(noun, "s") {
		more = noun + "es"
	}
	if stem, ok := strings.CutSuffix(noun, "y"); ok && !strings.HasSuffix(stem, "a") {
		more = stem + "ies"
	}
	return Plural(n, noun, more)
}

// Plural returns the words that go with n things, where Noun does not have them.
func Plural[N ~int | ~int64](n N, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

// mostNear is the largest number of names in a hint.
const mostNear = 3

// Near returns the names that a word which is none of them may have meant: those that begin
// with it, or else those that a few letters differ in. It is nil if they are more than three.
func Near(word string, names []string) []string {
	word = strings.ToLower(word)
	if len(word) < 3 {
		return nil
	}
	begins := func(name string) bool { return strings.HasPrefix(strings.ToLower(name), word) }
	var like []string
	for _, name := range names {
		if begins(name) || edits(strings.ToLower(name), word) <= 1+len(word)/5 {
			like = append(like, name)
		}
	}
	if slices.ContainsFunc(like, begins) {
		like = slices.DeleteFunc(like, func(name string) bool { return !begins(name) })
	}
	if len(like) > mostNear {
		return nil
	}
	return like
}

// Meant ends a message about a word that is none of some names: "; did you mean run?" It is
// "" if there is no Near one.
func Meant(word string, names []string) string {
	near := Near(word, names)
	if len(near) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(near, " or ") + "?"
}

// edits returns the Levenshtein distance of two words: the least number of bytes to insert,
// delete or replace.
func edits(a, b string) int {
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
