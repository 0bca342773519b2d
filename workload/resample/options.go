package resample

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/internal/extent"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Options say what twin to make. The zero value makes a twin of the log's length and load.
// At most one of Days and Jobs, and at most one of Load and UsersFactor, may be set.
type Options struct {
	Days float64 // length in days; above 0, at most MaxDays; 0 if unset
	Jobs int64   // number of jobs; at least 1; 0 if unset

	// Load is the offered load to reach on Processors by adding or removing users; above 0,
	// at most MaxLoad. UsersFactor is the same as a multiple of the log's load; above 0, at
	// most MaxFactor.
	Load        float64
	UsersFactor float64
	Processors  int64 // of the machine; 0 takes the header's value

	Seed    uint64
	Workers int    // goroutines, 0 for one per core; the result does not depend on it
	By      string // program and version, for the header

	still bool // nobody moves: for tests
}

// Bounds of Options; MaxDays is also that of the log's own length.
const (
	MaxDays   = extent.MaxDays
	MaxFactor = extent.MaxFactor
	MaxLoad   = extent.MaxLoad
)

// Validate returns a *workload.OptionError for the first invalid option.
func (o Options) Validate() error {
	if err := (extent.Extent{Days: o.Days, Jobs: o.Jobs, Load: o.Load}).Validate(); err != nil {
		return err
	}
	switch {
	case o.UsersFactor != 0 && !(o.UsersFactor > 0 && o.UsersFactor <= MaxFactor):
		return workload.OptionFault("load", o.UsersFactor, "a multiple of the log's above 0, at most %d", MaxFactor)
	case o.Load != 0 && o.UsersFactor != 0:
		return workload.OptionFault("load", o.Load, "a load or a multiple of the log's, not both")
	case o.Processors < 0:
		return workload.OptionFault("processors", o.Processors, "1 or more")
	}
	return nil
}

// factor is the load to make in multiples of the log's.
func (o Options) factor(s *source, processors int64) (float64, error) {
	switch {
	case o.UsersFactor != 0:
		return o.UsersFactor, nil
	case o.Load == 0:
		return 1, nil
	case processors < 1:
		return 0, &workload.OptionError{Option: "load", Saw: fmt.Sprintf("%g on a machine of unknown size", o.Load), Want: "`processors` too: the header has neither MaxProcs nor MaxNodes"}
	}
	now := s.load(processors)
	if math.IsNaN(now) || math.IsInf(now, 0) {
		return 0, &workload.OptionError{Option: "load", Saw: fmt.Sprintf("%g, and the log's own load is unknown", o.Load), Want: "a log with sizes and run times, submitted at two moments at least"}
	}
	if f := o.Load / now; f <= MaxFactor {
		return f, nil
	}
	return 0, &workload.OptionError{Option: "load", Saw: fmt.Sprintf("%g, and the log's is %.3g", o.Load, now), Want: fmt.Sprintf("at most %d times the log's", MaxFactor)}
}
