package evaluate

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/score"
)

// Conditions of a pipeline on a verdict name a metric and what it is of:
//
//	factor(wait_mean_s,easy)     the ratio of a row or its inverse, whichever is above 1
//	distance(run_time_s,33-64)   run times of some sizes
//	distance(daily_cycle)        a cycle of submissions
//	inside_pct(all)              share of the rows where A is inside
//
// VerdictMetrics are the metrics.
func VerdictMetrics() []string {
	return []string{score.AsRatio, "factor", score.AsDifference, score.AsDistance, "rank", "inside_pct"}
}

// The names of what is compared beside the rows of a verdict: run times, of a range of
// sizes, and the cycles of submissions.
const runTimeRow = "run_time_s"

var cycles = []string{"daily_cycle", "weekly_cycle"}

var sizeRange = regexp.MustCompile(`^[0-9]+(-[0-9]+)?$`)

// isMarginal reports whether a condition is on one of these.
func isMarginal(of []string) bool {
	return len(of) == 1 && slices.Contains(cycles, of[0]) || len(of) == 2 && of[0] == runTimeRow && sizeRange.MatchString(of[1])
}

// CheckCondition refuses a condition on what is no row, or is compared in another way.
func (o *VerdictOptions) CheckCondition(metric string, of []string) error {
	workloads, schedules := score.VerdictNames()
	saw, name := strings.Join(of, ","), of[0]
	fault := func(want string) error { return fmt.Errorf("saw %q, want %s", saw, want) }
	compared := func(as string) error { return fmt.Errorf("%s is compared as a %s, not as a %s", saw, as, metric) }
	ofJobs, ofSchedule := slices.Contains(workloads, name), slices.Contains(schedules, name)
	switch {
	case isMarginal(of) && metric != score.AsDistance:
		return compared(score.AsDistance)
	case isMarginal(of):
		return nil
	case metric == "inside_pct" && saw != "all":
		return fault("all: the share is of all rows")
	case metric == "inside_pct" && o.Replicas < score.LeastReplicas:
		return fmt.Errorf("want --replicas %d or more with it", score.LeastReplicas)
	case metric == "inside_pct":
		return nil
	case metric == "rank" && o.Replicas == 0:
		return fmt.Errorf("want --replicas with it")
	case ofJobs && len(of) > 1:
		return fault(name + " alone: it is of no schedule")
	case ofSchedule && (len(of) < 2 || !slices.Contains(o.Policies, of[1])):
		return fault(name + " and a policy of --schedule")
	case ofSchedule && (len(of) > 3 || len(of) == 3 && !slices.Contains(o.Loops(), of[2])):
		return fault("after the policy " + strings.Join(o.Loops(), " or "))
	case !ofJobs && !ofSchedule:
		return fault("a row: " + strings.Join(slices.Concat(workloads, []string{runTimeRow + ",FROM-TO"}, cycles, schedules), ", "))
	case metric == "rank":
		return nil
	}
	as := score.ComparedAs(name)
	if metric != as && !(metric == "factor" && as == score.AsRatio) {
		if metric == "factor" {
			metric = score.AsRatio
		}
		saw = name
		return compared(as)
	}
	return nil
}

// ConditionValue is what a condition is on; why there is none, else.
func ConditionValue(c *score.Compared, metric string, of []string) (x float64, why string) {
	switch {
	case metric == "inside_pct":
		return float64(c.Verdict.InsidePct), ""
	case isMarginal(of):
		return marginal(&c.Comparison, of)
	}
	named := append(slices.Clone(of), "", "")
	row := c.Verdict.Row(named[0], named[1], named[2])
	switch {
	case row == nil:
		return 0, "there is no such row"
	case row.Why != "":
		return 0, "it is " + row.Why
	case metric == "factor":
		return row.Factor(), ""
	case metric == "rank":
		return float64(row.Rank), ""
	}
	return float64(row.Compared), ""
}

// marginal is the distance that such a condition is on; why there is none, else.
func marginal(c *score.Comparison, of []string) (d float64, why string) {
	if len(of) == 1 {
		cycle := c.Day
		if of[0] == cycles[1] {
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
		if text == of[1] && g.JobsA > 0 && g.JobsB > 0 {
			return float64(g.D), ""
		}
		ranges = append(ranges, text)
	}
	return 0, "there are no run times of these sizes in both, the ranges are " + strings.Join(ranges, ", ")
}
