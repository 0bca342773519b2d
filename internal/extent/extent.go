// Package extent has what may be asked of the packages that make workloads: so many
// days, so many jobs, a load.
//
// Packages generate, generate/population and workload/resample take their bounds from
// it; the last two, which make lap after lap of a log's length, their validation too.
package extent

import (
	"errors"

	"github.com/loadstone-hpc/loadstone/internal/opt"
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

// Validate returns a *workload.OptionError for what cannot be made.
func (e Extent) Validate() error { return opt.Check(&e) }
