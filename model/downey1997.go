package model

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
)

// The names of the presets of Downey's workload of malleable jobs.
const (
	Downey1997      = "downey1997"       // sequential time, average parallelism, sigma
	Downey1997Rigid = "downey1997-rigid" // each job on its average parallelism, rounded up
)

// downey1997 is the workload of Downey (1997), "Using queue time predictions
// for processor allocation", sections 2.2 and 4: 128 processors, sequential
// lifetimes uniform-log on [e^2, e^12] s, average parallelism uniform-log on
// [1, 128], sigma uniform on [0, 2], Poisson arrivals in a day of 12 hours and
// none at night, at the offered load 0.75 of the daytime (half of that over
// whole days). The day is the first half of 24 hours: a job's day is its
// submission divided by 86,400 s, rounded down, and what is left is its offset
// in the day. (In the paper a night lasts until all queued jobs have been
// scheduled, so that the next morning follows from the schedule; a study that
// schedules moves the days.)
func downey1997() Site {
	const (
		processors = 128
		load       = 0.75
	)
	lifetime := dist.UniformLog{TMin: math.Exp(2), TMax: math.Exp(12)}
	var day DayWeights
	for i := range Slots / 2 {
		day[i] = 2
	}
	return Site{
		Schema:     Schema,
		Name:       Downey1997,
		Source:     "Downey (1997), Using queue time predictions for processor allocation, section 2; days of 12 h from second 0 of every 24 h, offered load 0.75 in the day",
		Processors: processors,
		Classes: []Class{{
			Name: "all",
			Malleable: &Malleable{
				SequentialTime:     lifetime,
				AverageParallelism: dist.UniformLog{TMin: 1, TMax: processors},
				Sigma:              dist.Uniform{Low: 0, High: 2},
			},
			Arrivals: Arrivals{
				Method: SlotWeights,
				// Over whole days the mean is twice that of the day.
				Gaps:  SecondsGaps{Law: dist.Exponential{Mean: 2 * lifetime.Mean() / (load * processors)}},
				Cycle: day,
			},
		}},
	}
}

func downey1997Rigid() Site {
	s := downey1997()
	s.Name = Downey1997Rigid
	s.Source += "; every job on its average parallelism rounded up"
	s.Classes[0].Malleable.Allocation = AverageParallelism
	return s
}
