package cli

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/thresholds"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/score"
)

// verdictRequirement is an example of a condition.
const verdictRequirement = "factor(wait_mean_s,easy)<=1.4"

// verdictOptions are of a verdict.
type verdictOptions struct {
	evaluate.VerdictOptions
	Like                  bool `opt:"like" help:"compare A with a twin of it, as 'generate --like' makes it"`
	thresholds.Conditions `of:"factor(wait_mean_s,easy)<=1.4|ratio, factor, difference, distance, rank, inside_pct"`

	requirements []thresholds.Requirement
	asked        bool // a verdict is
}

// verdictConditions are the columns of a row that --require knows.
func verdictConditions() []string {
	return []string{"ratio", "factor", "difference", "distance", "rank", "inside_pct"}
}

// read reads what was typed for a verdict.
func (o *verdictOptions) read(cmd *cobra.Command) error {
	o.asked = slices.ContainsFunc(opt.Fields(o), func(f *opt.Field) bool { return cmd.Flags().Changed(f.Name) })
	if err := o.Validate(); err != nil {
		return err
	}
	for _, text := range o.Conditions.Texts {
		r, err := thresholds.ParseRequirement(text, verdictRequirement, verdictConditions())
		if err == nil {
			err = o.checkRequirement(r)
		}
		if err != nil {
			return flags.Usagef("--require: %v", err)
		}
		o.requirements = append(o.requirements, r)
	}
	return nil
}

// checkRequirement refuses a condition on what is no row, or is compared in
// another way.
func (o *verdictOptions) checkRequirement(r thresholds.Requirement) error {
	workloads, schedules := score.VerdictNames()
	fault := func(want string) error {
		return fmt.Errorf("%q: saw %q, want %s", r.Text, strings.Join(r.Of, ","), want)
	}
	name := r.Of[0]
	switch {
	case isMarginal(r) && r.Metric != score.AsDistance:
		return fmt.Errorf("%q: %s is compared as a %s, not as a %s", r.Text, strings.Join(r.Of, ","), score.AsDistance, r.Metric)
	case isMarginal(r):
		return nil
	case r.Metric == "inside_pct" && !slices.Equal(r.Of, []string{"all"}):
		return fault("all: the share is of all rows")
	case r.Metric == "inside_pct" && o.Replicas < score.LeastReplicas:
		return fmt.Errorf("%q: want --replicas %d or more with it", r.Text, score.LeastReplicas)
	case r.Metric == "inside_pct":
		return nil
	case r.Metric == "rank" && o.Replicas == 0:
		return fmt.Errorf("%q: want --replicas with it", r.Text)
	case slices.Contains(workloads, name) && len(r.Of) > 1:
		return fault(name + " alone: it is of no schedule")
	case slices.Contains(schedules, name) && (len(r.Of) < 2 || !slices.Contains(o.Policies, r.Of[1])):
		return fault(name + " and a policy of --schedule")
	case slices.Contains(schedules, name) && (len(r.Of) > 3 || len(r.Of) == 3 && !slices.Contains(o.Loops(), r.Of[2])):
		return fault("after the policy " + strings.Join(o.Loops(), " or "))
	case !slices.Contains(workloads, name) && !slices.Contains(schedules, name):
		return fault("a row: " + strings.Join(slices.Concat(workloads, []string{runTimes + ",FROM-TO"}, cycles, schedules), ", "))
	}
	metric := r.Metric
	if metric == "factor" {
		metric = score.AsRatio
	}
	if as := score.ComparedAs(name); metric != "rank" && metric != as {
		return fmt.Errorf("%q: %s is compared as a %s, not as a %s", r.Text, name, as, metric)
	}
	return nil
}

// The names of what is compared beside the rows of a verdict: run times, of a range of
// sizes, and the cycles of submissions.
const runTimes = "run_time_s"

var cycles = []string{"daily_cycle", "weekly_cycle"}

var sizeRange = regexp.MustCompile(`^[0-9]+(-[0-9]+)?$`)

// isMarginal reports whether a condition is on one of these.
func isMarginal(r thresholds.Requirement) bool {
	return len(r.Of) == 1 && slices.Contains(cycles, r.Of[0]) || len(r.Of) == 2 && r.Of[0] == runTimes && sizeRange.MatchString(r.Of[1])
}

// marginal is the distance that such a condition is on; why there is none, else.
func marginal(r thresholds.Requirement, c *score.Comparison) (d float64, why string) {
	if len(r.Of) == 1 {
		cycle := c.Day
		if r.Of[0] == cycles[1] {
			cycle = c.Week
		}
		if cycle == nil {
			return 0, "submissions are unknown"
		}
		return float64(cycle.D), ""
	}
	var ranges []string
	for _, g := range c.SizeGroups {
		text := strconv.FormatInt(g.To, 10)
		if g.From < g.To {
			text = fmt.Sprintf("%d-%d", g.From, g.To)
		}
		if text == r.Of[1] && g.JobsA > 0 && g.JobsB > 0 {
			return float64(g.D), ""
		}
		ranges = append(ranges, text)
	}
	return 0, "there are no run times of these sizes in both, the ranges are " + strings.Join(ranges, ", ")
}

// thresholds says which conditions are not met.
func (o *verdictOptions) thresholds(input string, r *score.Compared) error {
	v := r.Verdict
	var faults []string
	for _, q := range o.requirements {
		if q.Metric == "inside_pct" {
			if fault := q.Fault(float64(v.InsidePct)); fault != "" {
				faults = append(faults, fault)
			}
			continue
		}
		if isMarginal(q) {
			d, why := marginal(q, &r.Comparison)
			if why != "" {
				faults = append(faults, fmt.Sprintf("--require '%s': %s", q.Text, why))
			} else if fault := q.Fault(d); fault != "" {
				faults = append(faults, fault)
			}
			continue
		}
		of := append(slices.Clone(q.Of), "", "")
		row := v.Row(of[0], of[1], of[2])
		if row == nil || row.Why != "" {
			why := "there is no such row"
			if row != nil {
				why = "it is " + row.Why
			}
			faults = append(faults, fmt.Sprintf("--require '%s': %s", q.Text, why))
			continue
		}
		x := float64(row.Compared)
		switch q.Metric {
		case "factor":
			x = row.Factor()
		case "rank":
			x = float64(row.Rank)
		}
		if fault := q.Fault(x); fault != "" {
			faults = append(faults, fault)
		}
	}
	return thresholds.Unmet(input, faults)
}

// twinName is what the twin of --like is called.
const twinName = "twin"
