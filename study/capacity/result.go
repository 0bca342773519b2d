package capacity

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ResultSchema names the JSON form of Result and its version.
const ResultSchema = "loadstone.capacity/1"

// Result says how large a machine has to be.
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
	Limits  []LimitEffect    `json:"limits,omitempty"`  // of time limits, in the place of answers
	Classes []ClassWait      `json:"classes,omitempty"` // of Options.By

	Warnings []workload.Warning `json:"warnings,omitempty"`
}

// Answer is the smallest machine that meets the target under a policy: that on which the log's
// jobs do, and the interval for the weeks that the site might have had.
type Answer struct {
	Policy string `json:"policy" show:"policy"`
	// RelativeOnly says that the simulation of today's machine does not give the waits of the
	// log within MostFactor. Then Size, Low, High and Cost are NaN.
	RelativeOnly bool         `json:"relative_only"`
	Size         stats.Number `json:"size" show:"size,%.0f"`
	Low          stats.Number `json:"low" show:"from,%.0f"`
	High         stats.Number `json:"high" show:"to,%.0f"`
	ChangePct    stats.Number `json:"change_pct" show:"change,%"` // of today's size
	ChangeLow    stats.Number `json:"change_low_pct" show:"change from,%"`
	ChangeHigh   stats.Number `json:"change_high_pct" show:"change to,%"`
	Cost         stats.Number `json:"cost_year" show:"cost a year,%.0f"` // in the unit of Options.Price

	Log    stats.Number `json:"log_s" show:"in log,duration"`      // the target's statistic of the log's waits
	Today  stats.Number `json:"today_s" show:"simulated,duration"` // and of those simulated on today's machine
	Factor stats.Number `json:"simulated_over_log"`                // ratio of the two, of which a wait below a minute counts as one
	// Limit is what the simulated statistic may be: the target's, s, or with RelativeOnly that times
	// Factor, since the waits of the log change as the simulated ones do.
	Limit stats.Number `json:"simulated_limit_s"`
}

// MostFactor is the largest factor between the simulated waits of today's machine and those of the
// log with which sizes are given.
const MostFactor = 1.5

// shortWait is what shorter waits count as in the comparison: what a scheduler takes to look at its
// queue.
const shortWait = 60 // s

// Point is a point of the curve: what the target's statistic is on a machine.
type Point struct {
	Policy    string       `json:"policy" show:"policy"`
	Size      int64        `json:"size" show:"size"`
	ChangePct stats.Number `json:"change_pct" show:"change,%"`
	Value     stats.Number `json:"value_s" show:"log,duration"` // s, of the log's jobs
	Low       stats.Number `json:"low_s" show:"from,duration"`
	High      stats.Number `json:"high_s" show:"to,duration"`
	Twins     stats.Number `json:"twins_s" show:"twins,duration"` // median over the twins; NaN if they were not simulated there
	Cost      stats.Number `json:"cost_year" show:"cost a year,%.0f"`
}

// ClassWait is the target's statistic of a class of jobs.
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

// Unmet returns, for each policy, why the size is not to be relied on.
func (r *Result) Unmet() (faults []string) {
	for _, a := range r.Answers {
		if a.RelativeOnly {
			faults = append(faults, a.Policy+": "+a.why())
		}
	}
	return faults
}

// unknown is a number that is not given.
var unknown = stats.Number(math.NaN())

// why says why an answer is a relative change alone.
func (a *Answer) why() string {
	if math.IsNaN(float64(a.Log)) {
		return "relative change only: the log has no waits to compare the simulation with"
	}
	return fmt.Sprintf("relative change only, to simulated waits of %.0f s: on today's machine they are %.3g times the log's, want a factor within %g", float64(a.Limit), float64(a.Factor), MostFactor)
}
