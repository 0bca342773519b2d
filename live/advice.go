package live

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// AdviceSchema names the JSON form of Advice and its version.
const AdviceSchema = "loadstone.live-advice/1"

// AdviceQuestion asks which size and time limit to request for a program whose run time
// depends on its size.
type AdviceQuestion struct {
	Question `without:"size time"`
	// RunTimes are the median run times in seconds, by size.
	RunTimes RunTimes `opt:"run_times" required:"true" most:"64" help:"run times by size: <SIZE:TIME> separated by commas, such as 1:7200,4:2400"`
	// Spread is 0 for exact run times, as 1 is.
	Spread float64 `opt:"spread" in:"[1,)" help:"how many times longer than its run time the program takes in one run of twenty, and how many times shorter in another one; 1 if absent, for run times that are exact"`
	// Limits are in seconds.
	Limits []float64 `opt:"limits" unit:"seconds" in:"(0,)" most:"64" help:"time limits to compare, separated by commas; some about the run times if absent"`
}

// RunTimes are run times in seconds, by size. They are read from a text such as 1:7200,4:40m.
type RunTimes map[int64]float64

// Set reads a text.
func (r *RunTimes) Set(text string) error {
	all := RunTimes{}
	for pair := range strings.SplitSeq(text, ",") {
		left, right, _ := strings.Cut(pair, ":")
		size, err := strconv.ParseInt(left, 10, 64)
		if err != nil || size < 1 {
			return workload.OptionFault("run_times", strconv.Quote(pair), "a size and a run time, such as 4:2400")
		}
		run, err := opt.Seconds(right)
		if err != nil || !(run > 0) || math.IsInf(run, 1) {
			return workload.OptionFault("run_times", strconv.Quote(pair), "seconds above 0, or a time such as 2:00:00, 1-12:00 or 90m, after the size")
		}
		if _, ok := all[size]; ok {
			return workload.OptionFault("run_times", fmt.Sprintf("the size %d twice", size), "each once")
		}
		all[size] = run
	}
	*r = all
	return nil
}

// String returns the text.
func (r *RunTimes) String() string {
	var pairs []string
	for _, size := range slices.Sorted(maps.Keys(*r)) {
		pairs = append(pairs, fmt.Sprintf("%d:%g", size, (*r)[size]))
	}
	return strings.Join(pairs, ",")
}

// Type names the kind of value.
func (r *RunTimes) Type() string { return "run times" }

// Advice contains the candidates in order of expected turnaround.
type Advice struct {
	Schema   string      `json:"schema"`
	State    Moment      `json:"state"`
	Withheld *Withheld   `json:"withheld" help:"Why no candidate can start now, or the state is too old: there are no candidates then. Sizes that cannot start now are candidates without a wait."`
	Best     *Candidate  `json:"best" help:"The candidate with the least expected turnaround; null if none has an expected wait."`
	All      []Candidate `json:"candidates"`
}

// Candidate is one size and time limit.
type Candidate struct {
	Size       int64        `json:"size" help:"Processors."`
	Limit      stats.Number `json:"time_s" help:"The time limit in seconds."`
	Wait       stats.Number `json:"expected_wait_s"`
	Run        stats.Number `json:"run_time_s"`
	Turnaround stats.Number `json:"expected_turnaround_s"`
	Killed     stats.Number `json:"killed_chance" help:"The chance that the limit ends the job, in [0, 1]."`
}
