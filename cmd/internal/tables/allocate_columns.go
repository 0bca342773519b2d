package tables

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/study/allocate"
)

// allocateColumn shows a quantity of a strategy.
type allocateColumn struct {
	name     string  // in JSON and CSV
	head     string  // in tables for people; empty leaves it out there
	unit     float64 // of tables for people, in that of JSON
	decimals int
}

// applicationColumns are those of the paper's table 1 and of section 5.
var applicationColumns = []allocateColumn{
	{"spoiled_pct", "spoiled %", 1, 1},
	{"docile_pct", "docile %", 1, 1},
	{"rebels_pct", "rebels %", 1, 1},
	{"rebels", "", 1, 0},
	{"saved_per_job_s", "saved/job min", 60, 2},
	{"saved_of_opt_pct", "of opt %", 1, 1},
	{"saved_per_rebel_s", "saved/rebel h", 3600, 2},
	{"saved_median_s", "median min", 60, 1},
	{"losers_pct", "losers % of rebels", 1, 1},
	{"lost_per_loser_s", "lost/loser min", 60, 1},
	{"predictions", "", 1, 0},
	{"correlation_log", "correlation", 1, 2},
	{"bias_slope", "slope", 1, 2},
	{"bias_intercept", "intercept", 1, 2},
}

// systemColumns are those of the paper's table 2 and of section 6.
var systemColumns = []allocateColumn{
	{"turnaround_mean_s", "turnaround s", 1, 0},
	{"turnaround_change_pct", "to avg %", 1, 1},
	{"wait_mean_s", "wait s", 1, 0},
	{"utilisation", "utilisation", 1, 3},
	{"utilisation_change_pct", "to avg %", 1, 1},
	{"utilisation_whole", "", 1, 3},
	{"last_end_s", "", 1, 0},
	{"spoiled_pct", "spoiled %", 1, 1},
	{"docile_pct", "docile %", 1, 1},
	{"rebels_pct", "rebels %", 1, 1},
	{"sooner_pct", "sooner %", 1, 1},
	{"later_pct", "later %", 1, 1},
	{"predictions", "", 1, 0},
	{"correlation_log", "", 1, 2},
	{"bias_slope", "", 1, 2},
	{"bias_intercept", "", 1, 2},
}

// people writes an interval as its mean and half its width, or with its ends
// where one was cut to what can be.
func (c allocateColumn) people(v allocate.Interval) string {
	number := func(x stats.Number) string { return present.Fixed(float64(x)/c.unit, c.decimals) }
	text := number(v.Mean)
	if text == "-" || math.IsNaN(float64(v.Low)) {
		return text
	}
	if low, high := number(v.Low), number(v.High); low != number(v.Mean-v.Half) || high != number(v.Mean+v.Half) {
		return fmt.Sprintf("%s (%s to %s)", text, low, high)
	}
	return text + " ±" + number(v.Half)
}
