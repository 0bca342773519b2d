package thresholds

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/internal/field"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Requirement is a condition on one score that a pipeline sets:
// "accuracy(last2,user)>=0.48".
type Requirement struct {
	Text   string // as it was given
	Metric string
	Of     []string // what the score is of, in the order in which it is named
	Than   string   // ">=", "<=", ">" or "<"
	Limit  float64
}

var requirementForm = regexp.MustCompile(`^\s*([a-z][a-z0-9_]*)\s*\(((?:[^()]|\([^()]*\))*)\)\s*(>=|<=|>|<)\s*(\S+)\s*$`)

// ParseRequirement reads one; form is an example of the command's. What the
// score is of is checked by the command.
func ParseRequirement(text, form string, metrics []string) (Requirement, error) {
	parts := requirementForm.FindStringSubmatch(text)
	if parts == nil {
		return Requirement{}, fmt.Errorf("saw %q, want a score and its limit, such as '%s'", text, form)
	}
	r := Requirement{Text: strings.TrimSpace(text), Metric: parts[1], Than: parts[3]}
	names := []string{r.Metric, r.Metric + "_mean"}
	if r.Metric == "covered" { // the heading for people
		names = []string{"bound_coverage", "coverage"}
	}
	i := slices.IndexFunc(names, func(name string) bool { return slices.Contains(metrics, name) })
	if i < 0 {
		return r, fmt.Errorf("%q: %q is none of %s", r.Text, r.Metric, strings.Join(metrics, ", "))
	}
	r.Metric = names[i]
	r.Of = workload.SplitList(parts[2])
	limit, err := strconv.ParseFloat(parts[4], 64)
	if err != nil || math.IsNaN(limit) || math.IsInf(limit, 0) {
		return r, fmt.Errorf("%q: saw the limit %q, want a number", r.Text, parts[4])
	}
	if share := slices.ContainsFunc([]string{"coverage", "accuracy"}, func(of string) bool { return strings.HasPrefix(r.Metric, of) }); share && (limit < 0 || limit > 1) {
		return r, fmt.Errorf("%q: saw the limit %s, want a share from 0 to 1", r.Text, parts[4])
	}
	r.Limit = limit
	return r, nil
}

// Faults says what is wrong with a row's score, if anything is. The score is the number of
// the requirement's name that the row, a struct, declares.
func Faults(r Requirement, row any) []string {
	x, known := field.Number(row, r.Metric)
	if !known {
		x = math.NaN()
	}
	if fault := r.Fault(x); fault != "" {
		return []string{fault}
	}
	return nil
}

// Fault says how a score falls short, in six digits; empty where it does not. A
// score without a value meets no condition.
func (r Requirement) Fault(score float64) string {
	switch {
	case r.met(score):
		return ""
	case math.IsNaN(score):
		return fmt.Sprintf("--require '%s': there is no such score, nothing was predicted", r.Text)
	}
	short := strconv.FormatFloat(score, 'g', 6, 64)
	if x, _ := strconv.ParseFloat(short, 64); r.met(x) {
		short = view.Full(score) // six digits of which would meet the condition
	}
	return fmt.Sprintf("--require '%s': it is %s", r.Text, short)
}

// met says whether a score meets the condition.
func (r Requirement) met(score float64) bool {
	switch r.Than {
	case ">=":
		return score >= r.Limit
	case "<=":
		return score <= r.Limit
	case ">":
		return score > r.Limit
	}
	return score < r.Limit
}

// Conditions are those of a command line.
type Conditions struct {
	Texts []string `opt:"require" repeat:"true" common:"true" want:"a score and its limit, such as '%s'" help:"exit with code 3 unless this <condition> holds, such as '%s'; repeatable. Scores: %s" brief:"exit with code 3 unless this <condition> holds, such as '%s'; repeatable"`
}
