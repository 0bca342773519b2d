package score

import (
	"math"
	"time"

	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ProfileOptions are the options of NewProfile.
type ProfileOptions struct {
	Name       string         // of the workload, for messages
	Drawn      *uint64        // seed of the jobs of a model or a twin; nil for a log
	Twin       bool           // the jobs are those of a log, resampled with the seed Drawn
	Processors int64          // of the machine; 0 if unknown
	Clock      workload.Clock // of the site, for the cycles
	// Distinct is the largest number of distinct values of an attribute that
	// are kept exactly; 0 means stats.DefaultDistinctValues.
	Distinct int
}

// The attributes by which workloads are compared.
const (
	runTime = iota
	size
	work // size times run time
	interarrival
	attributes // number of attributes in every comparison
)

// Further attributes, compared if a workload has them.
const (
	nodes  = attributes + iota // allocated, else requested
	gpus                       // allocated, else requested
	memory                     // requested by the whole job
	wait                       // compared only if both logs have it
	allAttributes
)

// attributeNames are the names of attributes, with their units.
var attributeNames = [allAttributes]string{
	"run_time_s", "size_processors", "work_processor_s", "interarrival_s",
	"nodes", "gpus", "requested_memory_total_kb", "wait_time_s",
}

// latestTime is the largest absolute submission time in seconds: beyond it the
// arithmetic of slots breaks down.
const latestTime = 1e15

// The lags of autocorrelations: of hourly counts in hours (an hour, a day and a week), of
// run times in jobs.
var (
	hourLags = []int{1, 24, 168}
	jobLags  = []int{1, 10, 100}
)

// Profile summarises a workload for comparison with another: the distributions
// of its attributes, its cycles, loads and correlations. Its memory is bounded:
// it keeps distinct values with their counts up to a limit, and buckets 0.2 % wide
// beyond it. Create it with NewProfile.
//
// Jobs may be added in the order of any log. Like workload.InOrder, a profile sorts
// jobs by submission within a window of workload.OrderWindow jobs; jobs that come later
// than that are left out of interarrival times and autocorrelations, and counted.
type Profile struct {
	options ProfileOptions
	clock   slotClock

	jobs        int64
	first, last float64 // first and last submission, s; NaN if there is none
	values      [allAttributes]stats.Distribution
	moments     [allAttributes]stats.Moments
	groups      map[int]*stats.Distribution // run times by sizeGroup
	groupSizes  map[int]int64               // jobs by sizeGroup

	serial, powersOfTwo int64
	plain, logs         stats.Correlation // of size and run time
	ranks               stats.Spearman
	slots               [model.Slots]int64
	weekdays            [7]int64

	// Fields that are computed in order of submission.
	order     *workload.OrderBuffer[submission]
	leftOut   int64
	submitted int64
	previous  float64                // previous submission, s
	runs      *stats.Autocorrelation // of ln of run times above 0
	hours     *stats.EventCounts     // submissions by hour
	byHour    []float64              // autocorrelations of hours, by hourLags; set by finish
}

// submission contains the values of a job that are processed in order of submission, in seconds.
type submission struct{ submit, run float64 }

// NewProfile returns an empty profile.
func NewProfile(o ProfileOptions) *Profile {
	p := &Profile{options: o, clock: slotClock{clock: o.Clock, start: float64(o.Clock.Start.Unix()), asked: math.NaN()}, first: math.NaN(), last: math.NaN(),
		groups: map[int]*stats.Distribution{}, groupSizes: map[int]int64{}, runs: stats.NewAutocorrelation(jobLags...), hours: stats.NewEventCounts(3600, hourLags...)}
	for i := range p.values {
		p.values[i].Limit = o.Distinct
	}
	p.order = workload.NewOrderBuffer(func(s *submission) float64 { return s.submit }, func(s *submission) bool {
		if s.run > 0 && !math.IsInf(s.run, 1) {
			p.runs.Add(math.Log(s.run))
		}
		if p.submitted++; p.submitted > 1 {
			p.value(interarrival, s.submit-p.previous)
		}
		p.previous = s.submit
		p.hours.Add(s.submit)
		return true
	})
	return p
}

// Jobs returns the number of jobs added.
func (p *Profile) Jobs() int64 { return p.jobs }

// sizeGroup returns the k with 2^(k-1) < n <= 2^k, but 0 for n < 1 and at most 62.
func sizeGroup(n int64) int {
	k := 0
	for int64(1)<<k < n && k < 62 {
		k++
	}
	return k
}

// Add adds a job.
func (p *Profile) Add(j *workload.Job) {
	p.jobs++
	hasRun := j.Run >= 0 && !math.IsInf(j.Run, 1)
	if hasRun {
		p.value(runTime, j.Run)
	}
	if j.Wait >= 0 && !math.IsInf(j.Wait, 1) {
		p.value(wait, j.Wait)
	}
	if j.Size != workload.Unknown {
		p.addSize(j, hasRun)
	}
	if j.TakesNodes > 0 {
		p.value(nodes, float64(j.TakesNodes))
	}
	if j.TakesGPUs >= 0 {
		p.value(gpus, float64(j.TakesGPUs))
	}
	if j.MemoryTotal >= 0 && !math.IsInf(j.MemoryTotal, 1) {
		p.value(memory, j.MemoryTotal)
	}
	if !(math.Abs(j.Submit) <= latestTime) {
		return
	}
	if math.IsNaN(p.first) {
		p.first, p.last = j.Submit, j.Submit
	}
	p.first, p.last = min(p.first, j.Submit), max(p.last, j.Submit)
	slot, day := p.clock.at(j.Submit)
	p.slots[slot]++
	p.weekdays[day]++
	if !p.order.Add(j.Submit, &submission{j.Submit, j.Run}) {
		p.leftOut++
	}
}

func (p *Profile) addSize(j *workload.Job, hasRun bool) {
	n := j.Size
	p.value(size, float64(n))
	switch {
	case n == 1:
		p.serial++
	case n&(n-1) == 0:
		p.powersOfTwo++
	}
	g := sizeGroup(n)
	p.groupSizes[g]++
	if !hasRun {
		return
	}
	p.value(work, float64(n)*j.Run)
	p.plain.Add(float64(n), j.Run)
	p.ranks.Add(float64(n), j.Run)
	if j.Run > 0 {
		p.logs.Add(math.Log(float64(n)), math.Log(j.Run))
	}
	if p.groups[g] == nil {
		p.groups[g] = &stats.Distribution{Limit: p.options.Distinct}
	}
	p.groups[g].Add(j.Run)
}

func (p *Profile) value(attribute int, x float64) {
	if !math.IsInf(x, 0) {
		p.values[attribute].Add(x)
	}
	p.moments[attribute].Add(x)
}

// finish completes the fields that are computed in order of submission. No job can be added
// afterwards.
func (p *Profile) finish() {
	p.order.Finish()
	if p.byHour == nil {
		for _, lag := range p.hours.Finish().Autocorrelation {
			p.byHour = append(p.byHour, float64(lag.R))
		}
	}
}

// Sample returns the distinct values of an attribute, ascending, and the number of jobs with
// each, for figures. attribute is its index in Comparison.Attributes, below 4.
func (p *Profile) Sample(attribute int) (values, counts []float64) {
	p.finish()
	return p.values[attribute].Values()
}

// slotClock converts times to the half hour and the weekday of a site. It caches the result for
// the last quarter of an hour: the offset of every zone is a multiple of a quarter, and changes
// at the start of one.
type slotClock struct {
	clock        workload.Clock
	start, asked float64 // start of the log, Unix seconds; last quarter asked for
	slot         int     // half hour of the day
	weekday      time.Weekday
}

const quarter = 900

func (c *slotClock) at(seconds float64) (slot int, day time.Weekday) {
	if q := math.Floor((c.start + seconds) / quarter); q != c.asked {
		t := c.clock.At(seconds)
		h, m, _ := t.Clock()
		c.asked, c.slot, c.weekday = q, 2*h+m/30, t.Weekday()
	}
	return c.slot, c.weekday
}
