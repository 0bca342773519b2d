package model

import "github.com/loadstone-hpc/loadstone/dist"

// RunTimes is the law of run times: LnRunTimes, SecondsRunTimes or WorkRunTimes.
type RunTimes interface {
	visit(f *form, processors int64, work *Work) RunTimes
	// at returns the law at a size, before it is cut to the largest estimate.
	at(size int64, work *Work) RunTimeLaw
	// mean returns the mean at a size, in seconds; longer run times than most
	// count as most.
	mean(work *Work, most float64) func(size int64) float64
}

// visitRunTimes goes over run times, whose form a file tells by its fields.
func visitRunTimes(f *form, r RunTimes, processors int64, work *Work) RunTimes {
	switch {
	case f.task == read && f.has("speedup"):
		r = WorkRunTimes{}
	case f.task == read && (f.has("first") || f.has("second") || f.has("max_s")):
		r = SecondsRunTimes{}
	case f.task == read:
		r = LnRunTimes{}
	case r == nil:
		f.fail(&FieldError{Path: f.path, Saw: "missing", Want: "a distribution of run times"})
		return nil
	}
	return r.visit(f, processors, work)
}

// RunTimeAt returns the law of the run times of jobs of a size. It must not be
// called for malleable jobs, whose run times do not follow from the size.
func (c Class) RunTimeAt(size int64) RunTimeLaw {
	l := c.RunTimes.at(size, c.Work)
	l.most = c.LongestRun()
	return l
}

// oneLaw is the law of run times of one part, times the speedup.
func oneLaw(l dist.Law, speedup float64) RunTimeLaw {
	return RunTimeLaw{parts: [2]dist.Law{l}, weights: [2]float64{1}, mass: 1, speedup: speedup}
}

// truncated are the mass and the moment E[t; t not cut] of the two laws, from
// which the mean at any p follows without another integral.
type truncated struct {
	mass, moment [2]float64
}

func (t truncated) mean(p float64) float64 {
	return (p*t.moment[0] + (1-p)*t.moment[1]) / (p*t.mass[0] + (1-p)*t.mass[1])
}

// over is the mean over the sizes by a line.
func (t truncated) over(l Line) func(size int64) float64 {
	return func(n int64) float64 { return t.mean(l.P(n)) }
}
