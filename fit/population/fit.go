package population

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/bits"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/stat"

	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Fit reads the jobs of a log and returns their model. Sizes are processors; in
// a log that has none, GPUs or nodes, whichever more jobs have. If processors
// is 0 the size of the machine is that of the header, or of the largest job; below 0 it is
// a *workload.OptionError. The header may be empty, but not nil.
//
// The warnings count jobs that were left out and name assumptions: "no-submission",
// "no-run-time", "long-run-time", "no-size", "large-size", "too-large", "no-user",
// "no-waits", "size-unit", "no-processors", "left-out-columns",
// "one-job-users", "few-jobs", "long-gap", "short-log", workload.StartsRule.
func Fit(ctx context.Context, jobs workload.JobSeq, header *workload.Header, name string, processors int64) (population.Model, []workload.Warning, error) {
	var c Collector
	for j, err := range workload.Until(ctx, jobs) {
		if err != nil {
			return population.Model{}, nil, err
		}
		c.Add(&j)
	}
	return c.Model(header, name, processors)
}

// Model returns the model of the jobs, with arguments, warnings and errors as
// in Fit. The collector cannot be used afterwards.
func (c *Collector) Model(header *workload.Header, name string, processors int64) (population.Model, []workload.Warning, error) {
	if processors < 0 {
		return population.Model{}, nil, workload.OptionFault("processors", processors, "1 or more, or 0 for those of the header")
	}
	var odd workload.Warnings
	m := population.Model{Schema: population.Schema, Name: name, Processors: processors}
	err := c.fit(&m, header, &odd)
	all := slices.Concat(c.unusable.List(), odd.List())
	if err != nil {
		return population.Model{}, all, err
	}
	return m, all, m.Validate()
}

// fit fills a model.
func (c *Collector) fit(m *population.Model, header *workload.Header, odd *workload.Warnings) error {
	m.Unit = c.measure()
	if len(c.jobs) == 0 {
		return fmt.Errorf("nothing to fit: %w with submission, size and run time", workload.ErrNoJobs)
	}
	if c.noUser > 0 {
		odd.Count(workload.Warning{Rule: "no-user", Count: c.noUser, Text: "jobs without a user: those of one week are taken as one user's"})
	}
	if m.Unit != population.OfProcessors {
		odd.Add("size-unit", fmt.Sprintf("the log has no processors: the sizes of the model are %s, and so are the machine's", m.Unit), 0, "")
	}
	if !slices.ContainsFunc(c.jobs, func(j job) bool { return j.wait >= 0 }) {
		odd.Add("no-waits", "the log has no waits: no job of the model waits for another one ('simulate' gives waits)", 0, "")
	}
	if m.Processors == 0 {
		m.Processors = machine(m.Unit, header)
	}
	if m.Processors < 1 {
		for i := range c.jobs {
			m.Processors = max(m.Processors, c.jobs[i].size)
		}
		odd.Add("no-processors", fmt.Sprintf("the header does not say how many %s the machine has: loads are of a machine of %d, as many as the largest job has; --procs gives the number", m.Unit, m.Processors), 0, "")
	}
	if others := c.combinations.others.Written()[workload.FirstOptional:]; len(others) > 0 {
		odd.Add("left-out-columns", "columns of the log that a model does not have: "+strings.Join(workload.ColumnNames(others), ", "), 0, "")
	}
	c.keep("too-large", "larger than the machine", func(j *job) bool { return j.size <= m.Processors })
	if len(c.jobs) == 0 {
		return &workload.OptionError{Option: "processors", Saw: fmt.Sprint(m.Processors), Want: "more: every job is larger"}
	}
	c.track()
	starts := workload.NewStartsWatch(m.Processors)
	work := 0.0
	for i := range c.jobs {
		j := &c.jobs[i]
		starts.Add(j.submit, j.wait, j.run, j.size)
		work += float64(j.size) * j.run
	}
	for _, w := range starts.Warnings() {
		odd.Count(w)
	}
	first, last := c.jobs[0].submit, c.jobs[len(c.jobs)-1].submit
	span := last - first
	switch {
	case !(span > 0):
		return errors.New("nothing to fit: all jobs are submitted at one moment")
	case !(work > 0):
		return errors.New("nothing to fit: all run times are 0 s")
	}
	t := times{first: first, period: week}
	if span < 3*week {
		t.period = day
		odd.Add("short-log", "the log has less than three weeks: the model has hours of the day, not of the week", 0, "")
	}
	t.periods = max(1, math.Round(span/t.period))
	t.scale = t.periods * t.period / span
	// Some parts of the model take memory by the week.
	if days := t.periods * t.period / day; days > population.MaxDays {
		return fmt.Errorf("the log spans %.4g days, want at most %d: the first job is submitted at %.9g s, the last at %.9g s ('sample' takes the days between two dates)", days, population.MaxDays, first, last)
	}
	clock, _ := header.Clock()
	start := clock.At(first)
	h, minute, sec := start.Clock()
	c.midnight = first - float64(3600*h+60*minute+sec)
	m.Log = population.Log{
		About: "offered load is from the first submission to the last; days are rounded to whole weeks, or to whole days of a short log, and jobs in proportion",
		Days:  t.periods * t.period / day, Jobs: max(1, int64(math.Round(float64(len(c.jobs))*t.scale))), Load: population.Short(work / span / float64(m.Processors)),
	}
	if clock.Known {
		monday := time.Date(start.Year(), start.Month(), start.Day()-(int(start.Weekday())+6)%7, 0, 0, 0, 0, start.Location())
		m.Log.Start, m.Log.Zone = monday.Unix(), header.Get("TimeZoneString")
	}
	m.Load = load(c.jobs, first, span)
	m.Cycle = c.cycle(clock, t.period)
	m.Sizes = c.sizes(m.Unit)
	m.RunTimes = c.runTimes()
	m.Waits = c.waits()
	m.Sessions = c.gaps()
	c.requests(m, header)
	people := c.people()
	c.warnOf(people, odd)
	m.Users = c.users(people, m, t)
	return nil
}

// times are those of a log: it has periods of period seconds, a whole number, and the model's
// are so many times as long in all.
type times struct{ first, period, periods, scale float64 }

// warnOf warns of users and jobs that tell little, and of a long time without jobs.
func (c *Collector) warnOf(people []*person, odd *workload.Warnings) {
	single := 0
	for _, p := range people {
		if len(p.jobs) == 1 {
			single++
		}
	}
	if len(people) > 1 && 10*single > 9*len(people) {
		odd.Add("one-job-users", fmt.Sprintf("%d of %d users have one job: the model has no sessions, and a user's jobs are not alike (does the log have the right users?)", single, len(people)), 0, "")
	}
	const leastJobs, leastDays = 100, 7 // a log of less tells nothing of a site
	gap, span := 0.0, c.jobs[len(c.jobs)-1].submit-c.jobs[0].submit
	if n := len(c.jobs); n < leastJobs || span/day < leastDays {
		odd.Add("few-jobs", fmt.Sprintf("the model is of %d jobs of %d users in %.2g days: too few to represent a site (want %d jobs or more, in a week or more)", n, len(people), span/day, leastJobs), 0, "")
	}
	for i := range c.jobs[1:] {
		gap = max(gap, c.jobs[i+1].submit-c.jobs[i].submit)
	}
	if gap > span/4 && gap > week {
		odd.Add("long-gap", fmt.Sprintf("no job is submitted for %.0f consecutive days of the log's %.0f, as when a clock jumps: the model spreads its users over all days ('split --at' cuts a log at dates)", gap/day, span/day), 0, "")
	}
}

func load(jobs []job, first, span float64) population.Load {
	l := population.Load{About: "work submitted by week: log-normal, first-order autocorrelation"}
	n := int(span / week)
	if n < 3 {
		return l
	}
	w := make([]float64, n)
	for i := range jobs {
		if k := int((jobs[i].submit - first) / week); k < n {
			w[k] += float64(jobs[i].size) * jobs[i].run
		}
	}
	mean, lag := stat.Mean(w, nil), 0.0
	v := stat.MomentAbout(2, w, mean, nil) * float64(n)
	for i := range w[1:] {
		lag += (w[i+1] - mean) * (w[i] - mean)
	}
	l.Weeks = int64(n)
	if mean > 0 && v > 0 {
		l.CV, l.Lag1 = population.Short(min(10, math.Sqrt(v/float64(n))/mean)), population.Short(max(0, min(.95, lag/v)))
	}
	return l
}

func (c *Collector) sizes(unit population.Unit) population.Sizes {
	s := population.Sizes{About: unit.String() + " of a job and their shares", Jobs: int64(len(c.jobs))}
	c.score(c.all(), func(j *job) float64 { return float64(j.size) }, func(j *job, z float64) { j.sizeRank = z })
	count := map[int64]int{}
	for i := range c.jobs {
		count[c.jobs[i].size]++
	}
	s.Sizes = slices.Sorted(maps.Keys(count))
	for _, n := range s.Sizes {
		s.Shares = append(s.Shares, population.Short(float64(count[n])/float64(len(c.jobs))))
	}
	return s
}

// runTimes finds the laws of run times by size, of jobs with GPUs and without apart
// where the log has enough of both.
func (c *Collector) runTimes() population.RunTimes {
	r := population.RunTimes{About: "run times by size, from the sizes named on"}
	enough := max(50, len(c.jobs)/100)
	gpus := c.combinations.taken(population.OfGPUs)
	with := c.where(func(j *job) bool { return gpus[j.combination] > 0 })
	without := c.where(func(j *job) bool { return gpus[j.combination] <= 0 })
	if len(with) < enough || len(without) < enough {
		r.Classes = c.runClasses(c.all(), enough)
	} else {
		r.Classes, r.WithoutGPUs = c.runClasses(with, enough), c.runClasses(without, enough)
	}
	return r
}

// runClasses finds classes of sizes with enough jobs, and their laws.
func (c *Collector) runClasses(jobs []int32, enough int) (classes []population.RunClass) {
	var of [25][]int32 // by the binary exponent of their size
	for _, i := range jobs {
		b := bits.Len64(uint64(c.jobs[i].size)) - 1
		of[b] = append(of[b], i)
	}
	var members [][]int32
	from := 0
	for b := range of {
		if b > from {
			of[from] = append(of[from], of[b]...)
		}
		if len(of[from]) >= enough {
			classes, members = append(classes, population.RunClass{From: int64(1) << from}), append(members, of[from])
			from = b + 1
		}
	}
	if len(classes) == 0 {
		classes, members = []population.RunClass{{From: 1}}, [][]int32{nil}
	}
	if last := len(members) - 1; from < len(of) {
		members[last] = append(members[last], of[from]...)
	}
	for k, of := range members {
		classes[k].Jobs = int64(len(of))
		classes[k].Quantiles = quantiles(c.score(of, func(j *job) float64 { return j.run }, func(j *job, z float64) { j.runRank = z }))
	}
	return classes
}

// waitClasses are where classes of run times begin, in seconds.
var waitClasses = []float64{0, 60, 600, 3600, 14400, 43200}

// classOf is the place of a run time in waitClasses.
func classOf(run float64) int {
	k := len(waitClasses) - 1
	for waitClasses[k] > run {
		k--
	}
	return k
}

func (c *Collector) waits() population.Waits {
	w := population.Waits{About: "waits in the log by run time, from the run times named on; they tell users' stamps, not the twin's waits"}
	x := make([][]float64, len(waitClasses))
	for i := range c.jobs {
		if j := &c.jobs[i]; j.wait >= 0 {
			k := classOf(j.run)
			x[k] = append(x[k], j.wait)
		}
	}
	for k, of := range x {
		if len(of) > 0 {
			w.Classes = append(w.Classes, population.WaitClass{From: waitClasses[k], Jobs: int64(len(of)), Quantiles: quantiles(of)})
		}
	}
	return w
}

// gaps finds the laws of gaps, and puts the normal scores of those within a session in their place.
func (c *Collector) gaps() population.Sessions {
	last := map[int64]float64{}
	for i := range c.jobs {
		j := &c.jobs[i]
		if j.bag == inBag || j.bag == apart {
			j.think = j.submit - last[j.user]
		}
		last[j.user] = j.submit
	}
	law := func(k kind) population.Quantiles {
		return quantiles(c.score(c.where(func(j *job) bool { return j.bag == k }), func(j *job) float64 { return j.think }, func(j *job, z float64) { j.think = z }))
	}
	return population.Sessions{About: "times between the jobs of a session", BagGap: bagGap, Within: law(inBag), Apart: law(apart), Think: law(follows)}
}
