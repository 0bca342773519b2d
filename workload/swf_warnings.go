package workload

import (
	"fmt"
	"strings"
)

// The rules under which the reader of the standard workload format counts what
// is odd. The first two groups have a rule a field.
const (
	swfNegative = 0
	swfZero     = swfFields
	swfExtra    = 2 * swfFields
	swfLate     = swfExtra + 1
	swfBackStep = swfExtra + 2
	swfRules    = swfExtra + 3
)

// swfWarnings counts oddities in one chunk. It is Warnings without the search
// for the rule, for logs where half of the lines are odd.
type swfWarnings struct {
	counts [swfRules]int64
	order  []int // rules in the order met
	first  [swfRules]struct {
		line int64
		saw  string
	}
}

// count counts one and says whether it is the first of its rule, whose line
// and text the caller then gives to note.
func (w *swfWarnings) count(rule int) bool {
	w.counts[rule]++
	return w.counts[rule] == 1
}

func (w *swfWarnings) note(rule int, line int64, saw string) {
	w.order = append(w.order, rule)
	w.first[rule].line, w.first[rule].saw = line, saw
}

// moveTo adds the counts to those of the whole log; before is the number of
// lines before this chunk.
func (w *swfWarnings) moveTo(all *Warnings, before int64) {
	for _, rule := range w.order {
		name, text := swfRule(rule)
		all.Count(Warning{Rule: name, Text: text, Count: w.counts[rule], Line: before + w.first[rule].line, Saw: w.first[rule].saw})
	}
}

func swfRule(rule int) (name, text string) {
	switch {
	case rule == swfExtra:
		return "extra-fields", "lines with more than 18 fields: the others are left out"
	case rule == swfLate:
		return "late-comment", "comment lines after the first job: left out"
	case rule == swfBackStep:
		return "submit-order", "jobs submitted before the one above them: kept in their place"
	case rule >= swfZero:
		words := fieldWords(rule - swfZero)
		return "zero-" + strings.ReplaceAll(words, " ", "-"), fmt.Sprintf("jobs with a %s of 0: kept", words)
	}
	words := fieldWords(rule)
	return "negative-" + strings.ReplaceAll(words, " ", "-"), fmt.Sprintf("jobs with a negative %s (-1 is unknown, others are not): kept", words)
}

// fieldWords is a column's name for people: "run time" for run_time_s.
func fieldWords(col int) string {
	name := ColumnAt(col).Name
	for _, unit := range []string{"_s", "_kb"} {
		name = strings.TrimSuffix(name, unit)
	}
	return strings.ReplaceAll(name, "_", " ")
}
