package parse

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// The rules under which the reader of the standard workload format counts what
// is odd. The first two groups have a rule a field.
const (
	ruleNegative = 0
	ruleZero     = Fields
	RuleExtra    = 2 * Fields
	RuleLate     = RuleExtra + 1
	ruleBackStep = RuleExtra + 2
	rules        = RuleExtra + 3
)

// oddities counts oddities in one chunk. It is Warnings without the search
// for the rule, for logs where half of the lines are odd.
type oddities struct {
	counts [rules]int64
	order  []int // rules in the order met
	first  [rules]struct {
		line int64
		saw  string
	}
}

// Count counts one and says whether it is the first of its rule, whose line
// and text the caller then gives to Note.
func (w *oddities) Count(rule int) bool {
	w.counts[rule]++
	return w.counts[rule] == 1
}

// Note keeps the line and the text of the first of a rule.
func (w *oddities) Note(rule int, line int64, saw string) {
	w.order = append(w.order, rule)
	w.first[rule].line, w.first[rule].saw = line, saw
}

// Odd counts a negative or zero value of a field.
func (w *oddities) Odd(field int, n, line int64, text []byte) {
	rule := ruleNegative + field
	if n == 0 {
		rule = ruleZero + field
	}
	if w.Count(rule) {
		w.Note(rule, line, string(bytes.TrimSpace(text)))
	}
}

// moveTo adds the counts to those of the whole log; before is the number of
// lines before this chunk.
func (w *oddities) moveTo(all *workload.Warnings, before int64) {
	for _, rule := range w.order {
		name, text := ruleText(rule)
		all.Count(workload.Warning{Rule: name, Text: text, Count: w.counts[rule], Line: before + w.first[rule].line, Saw: w.first[rule].saw})
	}
}

func ruleText(rule int) (name, text string) {
	switch {
	case rule == RuleExtra:
		return "extra-fields", "lines with more than 18 fields: the others are left out"
	case rule == RuleLate:
		return "late-comment", "comment lines after the first job: left out"
	case rule == ruleBackStep:
		return "submit-order", "jobs submitted before the previous one: kept in their place"
	case rule >= ruleZero:
		words := FieldWords(rule - ruleZero)
		return "zero-" + strings.ReplaceAll(words, " ", "-"), fmt.Sprintf("jobs with a %s of 0: kept", words)
	}
	words := FieldWords(rule)
	return "negative-" + strings.ReplaceAll(words, " ", "-"), fmt.Sprintf("jobs with a negative %s (-1 is unknown, others are not): kept", words)
}

// FieldWords is a column's name for people: "run time" for run_time_s.
func FieldWords(col int) string {
	name := workload.ColumnAt(col).Name
	for _, unit := range []string{"_s", "_kb"} {
		name = strings.TrimSuffix(name, unit)
	}
	return strings.ReplaceAll(name, "_", " ")
}
