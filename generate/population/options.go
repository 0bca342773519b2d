package population

import (
	"time"

	"github.com/loadstone-hpc/loadstone/internal/extent"
	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Options determine what to generate. The zero value generates one lap, as long
// as the log and with its load. At most one of Days and Jobs may be set.
type Options struct {
	Days float64 // the time in which jobs are submitted, in days; above 0, at most MaxDays
	Jobs int64   // the number of jobs; at least 1
	Load float64 // offered load to reach on the model's processors, at most MaxLoad; 0 means that of the log
	// Processors is the size of the machine; 0 means that of the model. A
	// larger machine has more users, at the same load.
	Processors int64     `opt:"procs" in:"[1,)"`
	Start      time.Time // time of second 0: a midnight, of a Monday if the model has weeks; zero means that of the log; see workload.Header.AddStart
	Seed       uint64
	Workers    int // goroutines; 0 means one for each core. The jobs do not depend on it
}

// Bounds of Options.
const (
	MaxDays   = extent.MaxDays   // 10,000 years
	MaxLoad   = extent.MaxLoad   // 100 times what the machine can do
	MaxFactor = extent.MaxFactor // of the load, relative to that of the log
	// MaxLapJobs bounds the jobs that are submitted in the time of the log. Memory
	// holds them, some 600 bytes each.
	MaxLapJobs = 1e7
)

// Validate returns a *workload.OptionError for an option that cannot be used.
func (o Options) Validate() error {
	if o.Processors < 0 || o.Processors > population.MaxProcessors {
		return workload.OptionFault("processors", o.Processors, "1 to %d", population.MaxProcessors)
	}
	return extent.Extent{Days: o.Days, Jobs: o.Jobs, Load: o.Load}.Validate()
}
