package population

import (
	"maps"
	"math/bits"
	"slices"

	"github.com/loadstone-hpc/loadstone/model/population"
)

// sizes finds the law of sizes, and the jobs' scores.
func (f *fitter) sizes() {
	law(f.jobs, func(j *job) (float64, *float64) { return float64(j.size), &j.sizeRank })
	count := map[int64]int{}
	for _, j := range f.jobs {
		count[j.size]++
	}
	s := population.Sizes{About: f.m.Unit.String() + " of a job and their shares", Jobs: int64(len(f.jobs)), Sizes: slices.Sorted(maps.Keys(count))}
	for _, n := range s.Sizes {
		s.Shares = append(s.Shares, population.Short(float64(count[n])/float64(len(f.jobs))))
	}
	f.m.Sizes = s
}

// runTimes finds the laws of run times by size, of jobs with GPUs and without apart
// where the log has enough of both.
func (f *fitter) runTimes() {
	r := &f.m.RunTimes
	r.About = "run times by size, from the sizes named on"
	enough := max(50, len(f.jobs)/100)
	gpus := f.combinations.taken(population.OfGPUs)
	with := f.where(func(j *job) bool { return gpus[j.combination] > 0 })
	without := f.where(func(j *job) bool { return gpus[j.combination] <= 0 })
	if len(with) < enough || len(without) < enough {
		r.Classes = runClasses(f.jobs, enough)
	} else {
		r.Classes, r.WithoutGPUs = runClasses(with, enough), runClasses(without, enough)
	}
}

// runClasses finds the laws of run times of classes of sizes with enough jobs each, which
// begin at powers of two. Too few jobs of large sizes are of the last class.
func runClasses(jobs []*job, enough int) (classes []population.LawClass) {
	var bySize [25][]*job // by the binary exponent of their size
	for _, j := range jobs {
		b := bits.Len64(uint64(j.size)) - 1
		bySize[b] = append(bySize[b], j)
	}
	type class struct {
		from int
		jobs []*job
	}
	found := []class{{}}
	for b, more := range bySize {
		last := &found[len(found)-1]
		if last.jobs = append(last.jobs, more...); len(last.jobs) >= enough && b < len(bySize)-1 {
			found = append(found, class{from: b + 1})
		}
	}
	if n := len(found); n > 1 && len(found[n-1].jobs) < enough {
		found[n-2].jobs = append(found[n-2].jobs, found[n-1].jobs...)
		found = found[:n-1]
	}
	for _, c := range found {
		q := law(c.jobs, func(j *job) (float64, *float64) { return j.run, &j.runRank })
		classes = append(classes, population.LawClass{Class: population.Class{From: float64(int64(1) << c.from), Jobs: int64(len(c.jobs))}, Quantiles: q})
	}
	return classes
}

// runTimeClasses are where classes of run times begin, in seconds, of the laws of waits and of
// how jobs end.
var runTimeClasses = []float64{0, 60, 600, 3600, 14400, 43200}

// classOf is the place of a run time in runTimeClasses.
func classOf(run float64) int {
	k := len(runTimeClasses) - 1
	for runTimeClasses[k] > run {
		k--
	}
	return k
}

// waits finds the laws of waits by run time.
func (f *fitter) waits() {
	w := &f.m.Waits
	w.About = "waits in the log by run time, from the run times named on; they tell users' stamps, not the twin's waits"
	x := make([][]float64, len(runTimeClasses))
	for _, j := range f.jobs {
		if j.wait >= 0 {
			k := classOf(j.run)
			x[k] = append(x[k], j.wait)
		}
	}
	for k, waits := range x {
		if len(waits) > 0 {
			w.Classes = append(w.Classes, population.LawClass{Class: population.Class{From: runTimeClasses[k], Jobs: int64(len(waits))}, Quantiles: quantiles(waits)})
		}
	}
}

// gaps finds the laws of the times between jobs of a session, and puts their scores in the
// place of these.
func (f *fitter) gaps() {
	of := func(k kind) population.Quantiles {
		return law(f.where(func(j *job) bool { return j.bag == k }), func(j *job) (float64, *float64) { return j.think, &j.think })
	}
	f.m.Sessions = population.Sessions{About: "times between the jobs of a session", BagGap: bagGap, Within: of(inBag), Apart: of(apart), Think: of(follows)}
}
