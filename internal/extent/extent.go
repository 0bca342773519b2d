// Package extent defines the requested length of a generated workload (a number of days or jobs,
// or a load) and the totals of the jobs generated so far.
//
// Packages generate, generate/population and workload/resample use its bounds. The last two,
// which generate repeated laps of a log's length, also use its validation.
package extent

import (
	"errors"
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Upper limits of an Extent.
const (
	MaxDays   = 3652425 // 10,000 years
	MaxLoad   = 100     // a hundred times the capacity of the machine
	MaxFactor = 1000    // ratio of the load to that of the log
)

// EmptyLaps is the number of laps after which a workload without jobs ends with
// ErrEmpty. Without this limit, a request for a number of jobs at a load near 0
// might never end.
const EmptyLaps = 1000

// ErrEmpty is the error if no job has been generated after EmptyLaps laps.
var ErrEmpty = errors.New("nobody submits a job at so low a load: want a higher one")

// Extent is the requested length and load of a workload. A value of 0 means that nothing is
// requested.
type Extent struct {
	Days float64 `opt:"days" in:"(0,3652425]" not:"jobs"`
	Jobs int64   `opt:"jobs" in:"[1,)"`
	Load float64 `opt:"load" in:"(0,100]"`
}

// Made contains totals of the jobs generated so far.
type Made struct {
	Jobs int64
	// Users is the number of users in the laps that have begun, in a model of users. Some may
	// not have submitted a job yet.
	Users       int64
	Area        float64 // processor seconds; jobs without a size or a run time count as 0
	First, Last float64 // s, submission times of the first and the last job
	Cut         int64   // number of run times that were reduced to the largest estimate
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

// Load returns the offered load of the jobs on a machine with the given number of processors:
// their processor seconds divided by the machine's capacity from the first submission to the
// last. It is NaN if either is 0.
func (m *Made) Load(processors int64) float64 {
	if load := m.Area / (float64(processors) * (m.Last - m.First)); load > 0 && !math.IsInf(load, 1) {
		return load
	}
	return math.NaN()
}
