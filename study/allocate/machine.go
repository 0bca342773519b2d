package allocate

import (
	"fmt"
	"math"
)

// Machine is a space-sharing computer with one first-come-first-served queue,
// and its days.
type Machine struct {
	Processors int `json:"processors"` // at least 1
	// Day is the length of the part of a day in which jobs are submitted, and
	// Night the least time from its end to the beginning of the next day, both
	// in seconds. The next day begins when the night is over and no job is
	// queued, whichever is later.
	Day   float64 `json:"day_s"`
	Night float64 `json:"least_night_s"`
	// Open fixes submissions, as in a log: a job is submitted at Day times its
	// day plus its Offset, whatever is queued.
	Open bool `json:"submissions_fixed"`
}

// HalfDay is 12 hours, the length of days and nights in Downey (1997), section
// 4.
const HalfDay = 12 * 3600.0

// Validate returns an error for the first field that is out of range.
func (m Machine) Validate() error {
	switch {
	case m.Processors < 1 || m.Processors > MaxProcessors:
		return fmt.Errorf("a machine of %d processors, want 1 to %d", m.Processors, MaxProcessors)
	case !(m.Day >= 0) || math.IsInf(m.Day, 1) || !(m.Night >= 0) || math.IsInf(m.Night, 1):
		return fmt.Errorf("a day of %g s and a night of %g s, want 0 s or more", m.Day, m.Night)
	}
	return nil
}

// MaxProcessors is the largest machine: choices are searched processor by
// processor.
const MaxProcessors = 1 << 20

// occupant is a job that runs.
type occupant struct {
	start, end float64
	size       int
	job        int32
}

// view is what there is to know at a decision: the machine, and how many jobs
// are queued, the one that decides with them.
type view struct {
	now     float64
	free    int
	queued  int
	running []occupant // ascending in end; jobs that started earlier first among equals
}

// occupy has a job run.
func (v *view) occupy(o occupant) {
	v.free -= o.size
	i := len(v.running)
	v.running = append(v.running, o)
	for ; i > 0 && v.running[i-1].end > o.end; i-- {
		v.running[i] = v.running[i-1]
	}
	v.running[i] = o
}

// release ends the jobs that end by now.
func (v *view) release() {
	k := 0
	for k < len(v.running) && v.running[k].end <= v.now {
		v.free += v.running[k].size
		k++
	}
	// Jobs move down so that the slice does not creep through memory.
	v.running = v.running[:copy(v.running, v.running[k:])]
}

// until is Q(n), the seconds until n processors are free if no job starts.
func (v *view) until(n int) float64 {
	free := v.free
	for i := range v.running {
		if free >= n {
			break
		}
		free += v.running[i].size
		if free >= n {
			return v.running[i].end - v.now
		}
	}
	return 0
}
