package population

import (
	"time"

	"github.com/loadstone-hpc/loadstone/internal/extent"
	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Options say what to make of a model. The zero value makes one lap, as long as
// the log, of its load. At most one of Days and Jobs is given.
type Options struct {
	Days float64 // the jobs submitted in so many days; above 0, at most MaxDays
	Jobs int64   // so many jobs; at least 1
	Load float64 // offered load to reach on the model's processors; 0 is the log's
	// Processors is the machine's; 0 is the model's. A larger machine has more users,
	// to the same load.
	Processors int64
	Start      time.Time // of second 0, a midnight, and a Monday's where the model has weeks; zero is the log's
	Seed       uint64
	Workers    int // goroutines; 0 is one a core. The jobs do not depend on it
}

// Bounds of Options.
const (
	MaxDays   = extent.MaxDays
	MaxLoad   = extent.MaxLoad
	MaxFactor = extent.MaxFactor // of the load over the log's
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
