package score

import (
	"math"

	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ProfileOptions are the options of NewProfile.
type ProfileOptions struct {
	Name       string         // of the workload, for messages
	Drawn      *uint64        // seed of the jobs if they were generated from a model; nil for a log
	Twin       bool           // the jobs are a log's, resampled with the seed Drawn
	Processors int64          // of the machine; 0 where it is not known
	Clock      workload.Clock // of the site, for the cycles
	// Classes sorts jobs into classes that are also profiled separately, at
	// most MostClasses of them; nil for none. By names the classification in
	// results.
	Classes *workload.Classifier
	By      string
	// Distinct is the largest number of distinct values of an attribute that
	// are kept exactly; 0 means stats.DefaultCounted. A class keeps at most
	// ClassDistinct.
	Distinct int
}

// The attributes of jobs that workloads are compared by.
const (
	RunTimeOf      = "run_time"     // s
	SizeOf         = "size"         // processors
	WorkOf         = "work"         // processor seconds: size times run time
	InterarrivalOf = "interarrival" // s, between two submissions

	// Workloads are compared by these where one of them has them.
	NodesOf  = "nodes"  // allocated, else requested
	GPUsOf   = "gpus"   // allocated, else requested
	MemoryOf = "memory" // KB, requested by the whole job

	// Workloads are compared by the waits in both logs.
	WaitOf = "wait" // s
)

// Attributes returns the names of the attributes that every comparison has.
func Attributes() []string { return []string{RunTimeOf, SizeOf, WorkOf, InterarrivalOf} }

const (
	runTime = iota
	size
	work
	interarrival
	attributes
)

// The attributes that not all workloads have come after them.
const (
	nodes = attributes + iota
	gpus
	memory
	wait
	allAttributes
)

var attributeUnits = [allAttributes]string{"s", "processors", "processor s", "s", "nodes", "GPUs", "KB", "s"}

const (
	// ClassDistinct is the largest number of distinct values of an attribute
	// that is kept exactly for a class.
	ClassDistinct = 1 << 14
	// MostClasses is the largest number of classes in a Profile. Classes met
	// after that many are not profiled.
	MostClasses = 64
	// mostHours bounds the hours with submissions that are kept: 120 years.
	mostHours = 1 << 20
	// latestTime bounds what can be a time, in seconds: beyond it the
	// arithmetic of slots breaks down.
	latestTime = 1e15
)

// Profile summarises a workload for comparison with another: the distributions
// of its attributes, its cycles, loads and correlations. Its memory is bounded:
// it keeps distinct values with counts up to a limit, and buckets 0.2 % wide
// beyond. Create it with NewProfile.
//
// Jobs may be added in the order of any log: as workload.InOrder does, a
// profile puts up to workload.OrderWindow jobs in order of submission; later
// ones are left out of interarrival times and autocorrelations, and counted.
type Profile struct {
	options ProfileOptions
	clock   slotClock

	part
	order   *workload.OrderBuffer[submission]
	leftOut int64 // of order
	classes map[workload.ClassKey]*part
	// lost are jobs of classes that came after MostClasses others, unknown
	// those without a class.
	lost, unknown int64
}

// part is what is gathered of all jobs, and of those of a class.
type part struct {
	jobs        int64
	first, last float64 // s, submissions; NaN of none
	values      [allAttributes]stats.DistinctCounts
	moments     [allAttributes]stats.Moments
	groups      map[int]*stats.DistinctCounts // run times by sizeGroup
	groupSizes  map[int]int64                 // jobs by sizeGroup

	serial, powersOfTwo int64
	plain, logs         stats.Correlation // of size and run time
	ranks               stats.Spearman
	slots               [model.Slots]int64
	weekdays            [7]int64
	hours               map[int64]int64 // submissions; nil once there are too many
	series              series
}

// NewProfile returns an empty profile.
func NewProfile(o ProfileOptions) *Profile {
	if o.By != "" && o.Classes == nil {
		panic("score: NewProfile by " + o.By + " without the classes")
	}
	p := &Profile{options: o, clock: newSlotClock(o.Clock)}
	p.part = newPart(o.Distinct)
	p.series = newSeries()
	p.classes = map[workload.ClassKey]*part{}
	p.order = workload.NewOrderBuffer(func(s *submission) float64 { return s.submit }, func(s *submission) bool {
		p.submitted(*s)
		return true
	})
	return p
}

func newPart(distinct int) part {
	p := part{first: math.NaN(), last: math.NaN(), groups: map[int]*stats.DistinctCounts{}, groupSizes: map[int]int64{}, hours: map[int64]int64{}}
	for i := range p.values {
		p.values[i].Limit = distinct
	}
	return p
}

// sizeGroup is k of the sizes above 2^(k-1) and up to 2^k.
func sizeGroup(n int64) int {
	k := 0
	for int64(1)<<k < n && k < 62 {
		k++
	}
	return k
}

// Add adds a job.
func (p *Profile) Add(j *workload.Job) {
	submit := j.Submit
	if math.Abs(submit) > latestTime {
		submit = math.NaN()
	}
	var at moment
	if !math.IsNaN(submit) {
		at = p.clock.at(submit)
	}
	p.add(j, submit, at)
	s := submission{submit: submit, run: j.Run}
	if p.options.Classes != nil {
		if s.class = p.class(p.options.Classes.Key(j)); s.class != nil {
			s.class.add(j, submit, at)
		}
	}
	if !math.IsNaN(submit) && !p.order.Add(submit, &s) {
		p.leftOut++
	}
}

// class is the part of the jobs of a class; nil of those without one, and of
// classes that come too late.
func (p *Profile) class(key workload.ClassKey) *part {
	c := p.classes[key]
	switch {
	case c != nil:
	case p.options.Classes.Unknown(key):
		p.unknown++
	case len(p.classes) == MostClasses:
		p.lost++
	default:
		limit := ClassDistinct
		if n := p.options.Distinct; n > 0 {
			limit = min(limit, n)
		}
		q := newPart(limit)
		q.series = newSeries()
		c = &q
		p.classes[key] = c
	}
	return c
}

func (p *part) add(j *workload.Job, submit float64, at moment) {
	p.jobs++
	known := j.Run >= 0 && !math.IsInf(j.Run, 1)
	if known {
		p.value(runTime, j.Run)
	}
	if j.Wait >= 0 && !math.IsInf(j.Wait, 1) {
		p.value(wait, j.Wait)
	}
	if n := j.Size; n != workload.Unknown {
		p.value(size, float64(n))
		switch {
		case n == 1:
			p.serial++
		case n&(n-1) == 0:
			p.powersOfTwo++
		}
		g := sizeGroup(n)
		p.groupSizes[g]++
		if known {
			p.value(work, float64(n)*j.Run)
			p.plain.Add(float64(n), j.Run)
			p.ranks.Add(float64(n), j.Run)
			if j.Run > 0 {
				p.logs.Add(math.Log(float64(n)), math.Log(j.Run))
			}
			to := p.groups[g]
			if to == nil {
				to = &stats.DistinctCounts{Limit: p.values[runTime].Limit}
				p.groups[g] = to
			}
			to.Add(j.Run)
		}
	}
	if j.Asked != nil {
		eachAsked(j.Asked, p.value)
	}
	if math.IsNaN(submit) {
		return
	}
	if math.IsNaN(p.first) {
		p.first, p.last = submit, submit
	}
	p.first, p.last = min(p.first, submit), max(p.last, submit)
	p.slots[at.slot]++
	p.weekdays[at.weekday]++
	if p.hours != nil {
		p.hours[at.hour]++
		if len(p.hours) > mostHours {
			p.hours = nil
		}
	}
}

// eachAsked calls with the attributes that a job asks for beyond processors.
func eachAsked(a *workload.Asked, value func(attribute int, x float64)) {
	if a.TakesNodes > 0 {
		value(nodes, float64(a.TakesNodes))
	}
	if a.TakesGPUs >= 0 {
		value(gpus, float64(a.TakesGPUs))
	}
	if a.Memory >= 0 && !math.IsInf(a.Memory, 1) {
		value(memory, a.Memory)
	}
}

func (p *part) value(attribute int, x float64) {
	p.values[attribute].Add(x)
	p.moments[attribute].Add(x)
}

// submitted is called for each submission in order of time.
func (p *Profile) submitted(s submission) {
	p.part.submitted(s)
	if s.class != nil {
		s.class.submitted(s)
	}
}

func (p *part) submitted(s submission) {
	if gap, ok := p.series.add(s); ok {
		p.value(interarrival, gap)
	}
}
