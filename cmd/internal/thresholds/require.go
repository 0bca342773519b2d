package thresholds

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/internal/field"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Requirement is a condition on one score that a pipeline sets:
// "accuracy(last2,user)>=0.48".
type Requirement struct {
	Text   string // the condition as given
	Metric string
	Of     []string // the names in parentheses, such as a predictor and its classes
	Than   string   // ">=", "<=", ">" or "<"
	Limit  float64
}

var requirementForm = regexp.MustCompile(`^\s*([a-z][a-z0-9_]*)\s*\(((?:[^()]|\([^()]*\))*)\)\s*(>=|<=|>|<)\s*(\S+)\s*$`)

// ParseRequirement parses a condition on one of metrics. form is an example for error
// messages. The command must check Of.
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

// lacks describes a score that does not meet the condition, in six digits if these do not meet
// it; "" for a score that does. NaN, a score without a value, meets no condition.
func (r Requirement) lacks(score float64) string {
	switch {
	case r.met(score):
		return ""
	case math.IsNaN(score):
		return "there is no such score, nothing was predicted"
	}
	short := strconv.FormatFloat(score, 'g', 6, 64)
	if x, _ := strconv.ParseFloat(short, 64); r.met(x) {
		short = view.Full(score) // the six digits alone would meet the condition
	}
	return "it is " + short
}

// met reports whether a score meets the condition.
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

// Conditions are the conditions of a command line.
type Conditions struct {
	Texts []string `opt:"require" repeat:"true" common:"true" want:"a score and its limit, such as '%s'" help:"exit with code 3 unless this <condition> holds, such as '%s'; repeatable. Scores: %s" brief:"exit with code 3 unless this <condition> holds, such as '%s'; repeatable"`
}

// Parse parses the conditions. form is an example for error messages, metrics are the available
// scores, and check returns an error if there is no score for Requirement.Of.
func (c Conditions) Parse(form string, metrics []string, check func(Requirement) error) (all []Requirement, err error) {
	for _, text := range c.Texts {
		r, err := ParseRequirement(text, form, metrics)
		if err == nil {
			err = check(r)
		}
		var option *workload.OptionError
		if errors.As(err, &option) {
			return nil, err
		}
		if err != nil {
			return nil, flags.Usagef("--require: %w", err)
		}
		all = append(all, r)
	}
	return all, nil
}

// Faults returns a message for each condition that is not met. find returns the score of a
// condition, or the reason why there is none.
func Faults(all []Requirement, find func(Requirement) (x float64, why string)) (faults []string) {
	for _, r := range all {
		x, why := find(r)
		if why == "" {
			why = r.lacks(x)
		}
		if why != "" {
			faults = append(faults, fmt.Sprintf("--require '%s': %s", r.Text, why))
		}
	}
	return faults
}

// Score returns the field of row, a struct, that is the metric of the condition; NaN if it has
// none.
func (r Requirement) Score(row any) float64 {
	if x, known := field.Number(row, r.Metric); known {
		return x
	}
	return math.NaN()
}
