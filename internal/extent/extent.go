// Package extent has what may be asked of the packages that make workloads: so many
// days, so many jobs, a load.
//
// Packages generate, generate/population and workload/resample take their bounds from
// it; the last two, which make lap after lap of a log's length, their validation too.
package extent

import (
	"errors"

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
	Days float64 // above 0, at most MaxDays; not with Jobs
	Jobs int64   // at least 1
	Load float64 // above 0, at most MaxLoad
}

// Validate returns a *workload.OptionError for what cannot be made.
func (e Extent) Validate() error {
	switch {
	case e.Days != 0 && !(e.Days > 0 && e.Days <= MaxDays):
		return workload.OptionFault("days", e.Days, "a number above 0, at most %d", MaxDays)
	case e.Jobs < 0:
		return workload.OptionFault("jobs", e.Jobs, "1 or more")
	case e.Days != 0 && e.Jobs != 0:
		return workload.OptionFault("days", e.Days, "either `days` or `jobs`")
	case e.Load != 0 && !(e.Load > 0 && e.Load <= MaxLoad):
		return workload.OptionFault("load", e.Load, "a number above 0, at most %d", MaxLoad)
	}
	return nil
}
