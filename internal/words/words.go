// Package words helps to compose messages: it forms plurals, and finds the names that a
// misspelt one may have meant.
package words

import (
	"slices"
	"strconv"
	"strings"
)

// Counted returns a number with its noun, such as "1 job", "2 jobs" or "2 oddities".
func Counted[N ~int | ~int64](n N, noun string) string {
	return strconv.FormatInt(int64(n), 10) + " " + Noun(n, noun)
}

// Noun returns the form of a noun for n things, such as "job", "jobs", "classes" or "oddities".
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

// Plural returns one if n is 1, and more otherwise. It is for plurals that Noun cannot form.
func Plural[N ~int | ~int64](n N, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

// mostNear is the largest number of names in a hint.
const mostNear = 3

// Near returns the names that a misspelt word may have meant: those that begin with it or, if
// there are none, those that differ from it in a few letters. It returns nil if there are more
// than three, or if the word has fewer than three letters.
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

// Meant returns the end of a message about a word that is not one of names, such as
// "; did you mean run?" It returns "" if there is no Near name.
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
