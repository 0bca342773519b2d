package live

import "github.com/loadstone-hpc/loadstone/stats"

// AdviceSchema names the JSON form of Advice and its version.
const AdviceSchema = "loadstone.live-advice/1"

// AdviceQuestion asks which size and time limit to request for a program whose run time
// depends on its size.
type AdviceQuestion struct {
	Question
	// RunTimes are run times, s, by size: half of the runs are shorter.
	RunTimes map[int64]float64
	// Spread is how many times longer than that one run in twenty takes, and how many times
	// shorter another one, at least 1; 0 stands for 1, run times that are exact.
	Spread float64
	// Limits are the time limits, s, to compare; none stands for some about the run times.
	Limits []float64
}

// Advice is the candidates, by expected turnaround.
type Advice struct {
	Schema string      `json:"schema"`
	State  Moment      `json:"state"`
	Best   *Candidate  `json:"best"` // null if no candidate has an expected wait
	All    []Candidate `json:"candidates"`
}

// Candidate is one size and time limit.
type Candidate struct {
	Size       int64        `json:"size"`
	Limit      stats.Number `json:"time_s"`
	Wait       stats.Number `json:"expected_wait_s"`
	Run        stats.Number `json:"run_time_s"`
	Turnaround stats.Number `json:"expected_turnaround_s"`
	Killed     stats.Number `json:"killed_chance"` // that the limit ends the job, in [0, 1]
}
