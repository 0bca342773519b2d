package capacity

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ResultSchema names the JSON form of Result and its version.
const ResultSchema = "loadstone.capacity/1"

// Result is the result of Compute.
type Result struct {
	Schema  string           `json:"schema"`
	Log     workload.Summary `json:"log"`
	Weeks   int              `json:"weeks"`
	Twins   int              `json:"twins"`
	Target  string           `json:"target,omitempty"`
	Limit   float64          `json:"limit_s"`
	Unit    string           `json:"unit"`  // of sizes: processors, GPUs or nodes of a pool
	Today   int64            `json:"today"` // size of today's machine
	Level   float64          `json:"level"` // of intervals and bands
	Answers []Answer         `json:"answers,omitempty"`
	Curve   []Point          `json:"curve,omitempty"`
	Limits  []LimitEffect    `json:"limits,omitempty"`  // effects of time limits, instead of answers
	Classes []ClassWait      `json:"classes,omitempty"` // waits by class of Options.By

	Warnings []workload.Warning `json:"warnings,omitempty"`
}

// Answer is the smallest machine that meets the target under a policy with the log's jobs, and its
// interval for the weeks that the site might have had.
type Answer struct {
	Policy string `json:"policy" show:"policy"`
	// RelativeOnly reports whether the waits simulated on today's machine differ from those in
	// the log by more than the factor MostFactor. Then Size, Low, High and Cost are NaN.
	RelativeOnly bool         `json:"relative_only"`
	Size         stats.Number `json:"size" show:"size,%.0f"`
	Low          stats.Number `json:"low" show:"from,%.0f"`
	High         stats.Number `json:"high" show:"to,%.0f"`
	ChangePct    stats.Number `json:"change_pct" show:"change,%"` // from today's size
	ChangeLow    stats.Number `json:"change_low_pct" show:"change from,%"`
	ChangeHigh   stats.Number `json:"change_high_pct" show:"change to,%"`
	Cost         stats.Number `json:"cost_year" show:"cost a year,%.0f"` // in the unit of Options.Price

	Log    stats.Number `json:"log_s" show:"in log,duration"`      // the target's statistic of the waits in the log
	Today  stats.Number `json:"today_s" show:"simulated,duration"` // the same for the waits simulated on today's machine
	Factor stats.Number `json:"simulated_over_log"`                // Today / Log, where a wait below a minute counts as a minute
	// Limit is the limit of the simulated statistic: that of the target in seconds, times Factor
	// with RelativeOnly, since the waits in the log are assumed to change in proportion to the
	// simulated ones.
	Limit stats.Number `json:"simulated_limit_s"`
}

// MostFactor is the largest factor between the waits simulated on today's machine and those in the
// log for which sizes are given.
const MostFactor = 1.5

// shortWait is the shortest wait in the comparison with the log; shorter waits count as this long.
// It is about the interval at which a scheduler examines its queue.
const shortWait = 60 // s

// Point is a point of the curve: the target's statistic on a machine of a size.
type Point struct {
	Policy    string       `json:"policy" show:"policy"`
	Size      int64        `json:"size" show:"size"`
	ChangePct stats.Number `json:"change_pct" show:"change,%"`
	Value     stats.Number `json:"value_s" show:"log,duration"` // for the log's jobs, s
	Low       stats.Number `json:"low_s" show:"from,duration"`
	High      stats.Number `json:"high_s" show:"to,duration"`
	Twins     stats.Number `json:"twins_s" show:"twins,duration"` // median over the twins; NaN if they were not simulated
	Cost      stats.Number `json:"cost_year" show:"cost a year,%.0f"`
}

// ClassWait contains the target's statistic for a class of jobs.
type ClassWait struct {
	Policy string       `json:"policy" show:"policy"`
	Class  string       `json:"class" show:"class"`
	Jobs   int          `json:"jobs" show:"jobs"`
	Log    stats.Number `json:"log_s" show:"in log,duration"`
	Today  stats.Number `json:"today_s" show:"today,duration"`
	Answer stats.Number `json:"answer_s" show:"answer,duration"` // on the smallest machine that meets the target
}

// warn adds a warning.
func (r *Result) warn(rule, format string, args ...any) {
	r.Warnings = append(r.Warnings, workload.Warning{Rule: rule, Count: 1, Text: fmt.Sprintf(format, args...)})
}

// Unmet returns, for each policy with only a relative answer, the reason.
func (r *Result) Unmet() (faults []string) {
	for _, a := range r.Answers {
		if a.RelativeOnly {
			faults = append(faults, a.Policy+": "+a.why())
		}
	}
	return faults
}

// unknown is the value of an unknown number.
var unknown = stats.Number(math.NaN())

// why returns the reason why an answer is only a relative change.
func (a *Answer) why() string {
	if math.IsNaN(float64(a.Log)) {
		return "relative change only: the log has no waits to compare the simulation with"
	}
	return fmt.Sprintf("relative change only, to simulated waits of %.0f s: on today's machine they are %.3g times the log's, want a factor within %g", float64(a.Limit), float64(a.Factor), MostFactor)
}
