package cli

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
)

// requirement is a condition on one score that a pipeline sets:
// "accuracy(last2,user)>=0.48".
type requirement struct {
	text   string // as it was given
	metric string
	of     []string // what the score is of, in the order in which it is named
	than   string   // ">=", "<=", ">" or "<"
	limit  float64
}

var requirementForm = regexp.MustCompile(`^\s*([a-z][a-z0-9_]*)\s*\(([^()]*)\)\s*(>=|<=|>|<)\s*(\S+)\s*$`)

// parseRequirement reads one; form is an example of the command's. What the
// score is of is checked by the command.
func parseRequirement(text, form string, metrics []string) (requirement, error) {
	parts := requirementForm.FindStringSubmatch(text)
	if parts == nil {
		return requirement{}, fmt.Errorf("saw %q, want a score and its limit, such as '%s'", text, form)
	}
	r := requirement{text: strings.TrimSpace(text), metric: parts[1], than: parts[3]}
	if !slices.Contains(metrics, r.metric) {
		return r, fmt.Errorf("%q: %q is none of %s", r.text, r.metric, strings.Join(metrics, ", "))
	}
	for _, name := range strings.Split(parts[2], ",") {
		r.of = append(r.of, strings.TrimSpace(name))
	}
	limit, err := strconv.ParseFloat(parts[4], 64)
	if err != nil || math.IsNaN(limit) || math.IsInf(limit, 0) {
		return r, fmt.Errorf("%q: saw the limit %q, want a number", r.text, parts[4])
	}
	if share := slices.ContainsFunc([]string{"coverage", "accuracy"}, func(of string) bool { return strings.HasPrefix(r.metric, of) }); share && (limit < 0 || limit > 1) {
		return r, fmt.Errorf("%q: saw the limit %s, want a share from 0 to 1", r.text, parts[4])
	}
	r.limit = limit
	return r, nil
}

// fault says how a score falls short, in six digits; empty where it does not. A
// score without a value meets no condition.
func (r requirement) fault(score float64) string {
	switch {
	case r.met(score):
		return ""
	case math.IsNaN(score):
		return fmt.Sprintf("--require '%s': there is no such score, nothing was predicted", r.text)
	}
	short := strconv.FormatFloat(score, 'g', 6, 64)
	if x, _ := strconv.ParseFloat(short, 64); r.met(x) {
		short = present.Full(score) // six digits of which would meet the condition
	}
	return fmt.Sprintf("--require '%s': it is %s", r.text, short)
}

// met says whether a score meets the condition.
func (r requirement) met(score float64) bool {
	switch r.than {
	case ">=":
		return score >= r.limit
	case "<=":
		return score <= r.limit
	case ">":
		return score > r.limit
	}
	return score < r.limit
}

// addRequireFlag adds --require.
func addRequireFlag(cmd *cobra.Command, texts *[]string, form string, metrics []string) {
	cmd.Flags().StringArrayVar(texts, "require", nil,
		fmt.Sprintf("exit with code 3 where this `condition` is not met, such as '%s'; may be given again. Scores: %s", form, strings.Join(metrics, ", ")))
}
