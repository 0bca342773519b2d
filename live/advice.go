package live

import "github.com/loadstone-hpc/loadstone/stats"

// AdviceSchema names the JSON form of Advice and its version.
const AdviceSchema = "loadstone.live-advice/1"

// AdviceQuestion asks which size and time limit to request for a program whose run time
// depends on its size.
type AdviceQuestion struct {
	Question
	// RunTimes are the median run times in seconds, by size.
	RunTimes map[int64]float64
	// Spread is the factor, at least 1, by which one run in twenty takes
	// longer than the median, and one in twenty shorter; 0 means 1, exact run
	// times.
	Spread float64
	// Limits are the time limits, in seconds, to compare; empty means several
	// near the run times.
	Limits []float64
}

// Advice contains the candidates in order of expected turnaround.
type Advice struct {
	Schema string `json:"schema"`
	State  Moment `json:"state"`
	// Withheld is why no candidate can start now, or the state is too old: there are no
	// candidates then. Null otherwise. Sizes that cannot start now are candidates without
	// a wait.
	Withheld *Withheld   `json:"withheld"`
	Best     *Candidate  `json:"best"` // null if no candidate has an expected wait
	All      []Candidate `json:"candidates"`
}

// Candidate is one size and time limit.
type Candidate struct {
	Size       int64        `json:"size"`
	Limit      stats.Number `json:"time_s"`
	Wait       stats.Number `json:"expected_wait_s"`
	Run        stats.Number `json:"run_time_s"`
	Turnaround stats.Number `json:"expected_turnaround_s"`
	Killed     stats.Number `json:"killed_chance"` // probability that the limit ends the job, in [0, 1]
}
