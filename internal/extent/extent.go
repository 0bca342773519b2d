// Package extent has what may be asked of the packages that make workloads (so many days, so
// many jobs, a load) and what they have made of it.
//
// Packages generate, generate/population and workload/resample take their bounds from
// it; the last two, which make lap after lap of a log's length, their validation too.
package extent

import (
	"errors"
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Bounds of what is asked for.
const (
	MaxDays   = 3652425 // 10,000 years
	MaxLoad   = 100     // a hundred times what a machine can do
	MaxFactor = 1000    // of the load over that of the log
)

// EmptyLaps is the number of laps after which a workload that has no job yet ends
// with ErrEmpty: a number of jobs at a load near 0 would be waited for for ever.
const EmptyLaps = 1000

// ErrEmpty says that nobody submits a job.
var ErrEmpty = errors.New("nobody submits a job at so low a load: want a higher one")

// Extent is what is asked for; 0 stands for nothing.
type Extent struct {
	Days float64 `opt:"days" in:"(0,3652425]" not:"jobs"`
	Jobs int64   `opt:"jobs" in:"[1,)"`
	Load float64 `opt:"load" in:"(0,100]"`
}

// Made contains totals of the jobs made so far.
type Made struct {
	Jobs        int64
	Users       int64   // of a model of users: those of the laps begun, who may not have submitted a job yet
	Area        float64 // processor seconds; jobs without a size or a run time have none
	First, Last float64 // s, submissions
	Cut         int64   // run times that were cut to the largest estimate
	Facts       workload.FactsCounter
}

// Add adds a job and its processor seconds.
func (m *Made) Add(j *workload.Job, area float64) {
	if m.Jobs == 0 {
		m.First = j.Submit
	}
	m.Jobs++
	m.Last = j.Submit
	m.Area += area
	m.Facts.Add(j)
}

// Load returns the offered load of the jobs on a machine of that many processors: their
// processor seconds divided by the machine's capacity from the first submission to the last. It
// is NaN if either is 0.
func (m *Made) Load(processors int64) float64 {
	if load := m.Area / (float64(processors) * (m.Last - m.First)); load > 0 && !math.IsInf(load, 1) {
		return load
	}
	return math.NaN()
}
