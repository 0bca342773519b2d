package population

import (
	"maps"
	"math/bits"
	"slices"

	"github.com/loadstone-hpc/loadstone/model/population"
)

// sizes fits the distribution of sizes, and sets the jobs' scores.
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

// runTimes fits the distributions of run times by size, separately for jobs with and without GPUs
// if the log has enough of both.
func (f *fitter) runTimes() {
	r := &f.m.RunTimes
	r.About = "run times by lower bound of size"
	enough := f.enough()
	gpus := f.combinations.taken(population.OfGPUs)
	with := f.where(func(j *job) bool { return gpus[j.combination] > 0 })
	without := f.where(func(j *job) bool { return gpus[j.combination] <= 0 })
	if len(with) < enough || len(without) < enough {
		r.Classes = runClasses(f.jobs, enough)
	} else {
		r.Classes, r.WithoutGPUs = runClasses(with, enough), runClasses(without, enough)
	}
}

// enough returns the smallest number of jobs in a class of sizes.
func (f *fitter) enough() int { return max(50, len(f.jobs)/100) }

// sizeClass holds the jobs with sizes from a power of two up to the next class.
type sizeClass struct {
	from float64
	jobs []*job
}

// sizeClasses divides jobs into classes of sizes with enough jobs each. If the last class has too
// few, it is merged into the one before it.
func sizeClasses(jobs []*job, enough int) []sizeClass {
	var bySize [25][]*job // by the binary exponent of the size
	for _, j := range jobs {
		b := bits.Len64(uint64(j.size)) - 1
		bySize[b] = append(bySize[b], j)
	}
	found := []sizeClass{{from: 1}}
	for b, more := range bySize {
		last := &found[len(found)-1]
		if last.jobs = append(last.jobs, more...); len(last.jobs) >= enough && b < len(bySize)-1 {
			found = append(found, sizeClass{from: float64(int64(2) << b)})
		}
	}
	if n := len(found); n > 1 && len(found[n-1].jobs) < enough {
		found[n-2].jobs = append(found[n-2].jobs, found[n-1].jobs...)
		found = found[:n-1]
	}
	return found
}

func (c *sizeClass) with(q population.Quantiles) population.LawClass {
	return population.LawClass{Class: population.Class{From: c.from, Jobs: int64(len(c.jobs))}, Quantiles: q}
}

// runClasses fits the distributions of run times by size, and sets the jobs' scores.
func runClasses(jobs []*job, enough int) (classes []population.LawClass) {
	for _, c := range sizeClasses(jobs, enough) {
		classes = append(classes, c.with(law(c.jobs, func(j *job) (float64, *float64) { return j.run, &j.runRank })))
	}
	return classes
}

// runTimeClasses holds the lower bounds, in seconds, of the classes of run times by which jobs
// end differently.
var runTimeClasses = []float64{0, 60, 600, 3600, 14400, 43200}

// classOf returns the index of the class of a run time in runTimeClasses.
func classOf(run float64) int {
	k := len(runTimeClasses) - 1
	for runTimeClasses[k] > run {
		k--
	}
	return k
}

// waits fits the distributions of waits by size, on which a wait depends more than on the run
// time. The model's users see the waits of the log, because other waits would throttle them.
func (f *fitter) waits() {
	w := &f.m.Waits
	w.About = "waits in the log by lower bound of size; used for submission times, not as waits of the twin"
	waited := f.where(func(j *job) bool { return j.wait >= 0 })
	if len(waited) == 0 {
		return
	}
	for _, c := range sizeClasses(waited, f.enough()) {
		w.Classes = append(w.Classes, c.with(quantiles(values(c.jobs, func(j *job) float64 { return j.wait }))))
	}
}

// gaps fits the distributions of the times between jobs of a session, and replaces these times by
// their scores.
func (f *fitter) gaps() {
	of := func(k kind) population.Quantiles {
		return law(f.where(func(j *job) bool { return j.bag == k }), func(j *job) (float64, *float64) { return j.think, &j.think })
	}
	f.m.Sessions = population.Sessions{About: "times between the jobs of a session", BagGap: bagGap, Within: of(inBag), Apart: of(apart), Think: of(follows)}
}
