package population

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Fit reads the jobs of a log and returns their model. Sizes are processors; in
// a log that has none, GPUs or nodes, whichever more jobs have. If processors
// is 0 the size of the machine is that of the header, or of the largest job; below 0 it is
// a *workload.OptionError. The header may be empty, but not nil.
//
// The warnings count jobs that were left out and name assumptions: "unusable"
// (jobs without submission, size or run time), "too-large", "no-user",
// "no-waits", "size-unit", "no-processors", "left-out-columns", "one-user",
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
	var w workload.Warnings
	var m population.Model
	count := func(rule, text string, n int64) {
		if n > 0 {
			w.Count(workload.Warning{Rule: rule, Count: n, Text: text})
		}
	}
	if processors < 0 {
		return m, nil, workload.OptionFault("processors", processors, "1 or more, or 0 for those of the header")
	}
	unit := c.measure()
	if n := c.unusable.jobs(); n > 0 {
		w.Count(workload.Warning{Rule: "unusable", Count: n, Text: "jobs left out of the model: " + c.unusable.reasons(), Saw: c.unusable.first})
	}
	noUser, waits := int64(0), false
	for i := range c.jobs {
		if c.jobs[i].anonymous {
			noUser++
		}
		waits = waits || c.jobs[i].wait >= 0
	}
	count("no-user", "jobs without a user: those of one week are taken as one user's", noUser)
	if len(c.jobs) == 0 {
		return m, w.List(), fmt.Errorf("nothing to fit: %w with submission, size and run time", workload.ErrNoJobs)
	}
	if unit != population.OfProcessors {
		w.Add("size-unit", fmt.Sprintf("the log has no processors: the sizes of the model are %s, and so are the machine's", unit), 0, "")
	}
	if !waits {
		w.Add("no-waits", "the log has no waits: no job of the model waits for another one ('simulate' gives waits)", 0, "")
	}
	if processors == 0 {
		processors = machine(unit, header)
	}
	if processors < 1 {
		for i := range c.jobs {
			processors = max(processors, c.jobs[i].size)
		}
		w.Add("no-processors", fmt.Sprintf("the header does not say how many %s the machine has: loads are of a machine of %d, as many as the largest job has; --procs gives the number", unit, processors), 0, "")
	}
	if others := c.combinations.others.Written()[workload.FirstOptional:]; len(others) > 0 {
		w.Add("left-out-columns", "columns of the log that a model does not have: "+strings.Join(workload.ColumnNames(others), ", "), 0, "")
	}
	all := len(c.jobs)
	c.jobs = slices.DeleteFunc(c.jobs, func(j job) bool { return j.size > processors })
	count("too-large", "jobs left out: they are larger than the machine", int64(all-len(c.jobs)))
	if len(c.jobs) == 0 {
		return m, w.List(), &workload.OptionError{Option: "processors", Saw: fmt.Sprint(processors), Want: "more: every job is larger"}
	}
	c.track()
	jobs := c.jobs
	starts := workload.NewStartsWatch(processors)
	for i := range jobs {
		starts.Add(jobs[i].submit, jobs[i].wait, jobs[i].run, jobs[i].size)
	}
	for _, odd := range starts.Warnings() {
		w.Count(odd)
	}
	clock, _ := header.Clock()
	first, last := jobs[0].submit, jobs[len(jobs)-1].submit
	span := last - first
	if !(span > 0) {
		return m, w.List(), errors.New("nothing to fit: all jobs are submitted at one moment")
	}
	h, minute, sec := clock.At(first).Clock()
	c.midnight = first - float64(3600*h+60*minute+sec)
	period := week
	if span < 3*week {
		period = day
		w.Add("short-log", "the log has less than three weeks: the model has hours of the day, not of the week", 0, "")
	}
	work := 0.0
	for i := range jobs {
		work += float64(jobs[i].size) * jobs[i].run
	}
	if !(work > 0) {
		return m, w.List(), errors.New("nothing to fit: all run times are 0 s")
	}
	n := max(1, math.Round(span/period))
	// Some parts of the model take memory by the week.
	if days := n * period / day; days > population.MaxDays {
		return m, w.List(), fmt.Errorf("the log spans %.4g days, want at most %d: the first job is submitted at %.9g s, the last at %.9g s ('sample' takes the days between two dates)", days, population.MaxDays, first, last)
	}
	scale := n * period / span // jobs of a lap over those of the log
	m = population.Model{Schema: population.Schema, Name: name, Processors: processors, Unit: unit}
	m.Log = population.Log{
		About: "offered load is from the first submission to the last; days are rounded to whole weeks, or to whole days of a short log, and jobs in proportion",
		Days:  n * period / day, Jobs: max(1, int64(math.Round(float64(len(jobs))*scale))), Load: population.Short(work / span / float64(processors)),
	}
	if clock.Known {
		monday := clock.At(first)
		monday = time.Date(monday.Year(), monday.Month(), monday.Day()-(int(monday.Weekday())+6)%7, 0, 0, 0, 0, monday.Location())
		m.Log.Start, m.Log.Zone = monday.Unix(), header.Get("TimeZoneString")
	}
	m.Load = load(jobs, first, span)
	m.Cycle = c.cycle(clock, period)
	m.Sizes = c.sizes(unit)
	m.RunTimes = c.runTimes()
	m.Waits = c.waits()
	m.Sessions = c.gaps()
	c.requests(&m, header)
	people := c.people()
	c.warnOf(people, &w)
	m.Users = c.users(people, &m, scale, n, period, first)
	return m, w.List(), m.Validate()
}

// A log of less tells nothing of a site.
const leastJobs, leastDays = 100, 7

// warnOf warns of users and jobs that tell little, and of a long time without jobs.
func (c *Collector) warnOf(people []*person, w *workload.Warnings) {
	if len(people) == 1 {
		w.Add("one-user", "the log has one user: all users of the model are alike", 0, "")
	}
	single := 0
	for _, p := range people {
		if len(p.jobs) == 1 {
			single++
		}
	}
	if len(people) > 1 && 10*single > 9*len(people) {
		w.Add("one-job-users", fmt.Sprintf("%d of %d users have one job: the model has no sessions, and a user's jobs are not alike (does the log have the right users?)", single, len(people)), 0, "")
	}
	if n, days := len(c.jobs), (c.jobs[len(c.jobs)-1].submit-c.jobs[0].submit)/day; n < leastJobs || days < leastDays {
		w.Add("few-jobs", fmt.Sprintf("the model is of %d jobs of %d users in %.2g days: too few to represent a site (want %d jobs or more, in a week or more)", n, len(people), days, leastJobs), 0, "")
	}
	gap, span := 0.0, c.jobs[len(c.jobs)-1].submit-c.jobs[0].submit
	for i := 1; i < len(c.jobs); i++ {
		gap = max(gap, c.jobs[i].submit-c.jobs[i-1].submit)
	}
	if gap > span/4 && gap > week {
		w.Add("long-gap", fmt.Sprintf("no job is submitted for %.0f consecutive days of the log's %.0f, as when a clock jumps: the model spreads its users over all days ('split --at' cuts a log at dates)", gap/day, span/day), 0, "")
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
	mean, v, lag := 0.0, 0.0, 0.0
	for _, x := range w {
		mean += x / float64(n)
	}
	for i, x := range w {
		v += (x - mean) * (x - mean)
		if i > 0 {
			lag += (x - mean) * (w[i-1] - mean)
		}
	}
	l.Weeks = int64(n)
	if mean > 0 && v > 0 {
		l.CV, l.Lag1 = population.Short(min(10, math.Sqrt(v/float64(n))/mean)), population.Short(max(0, min(.95, lag/v)))
	}
	return l
}

func normal(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*p-1) }

// scores gives each value its normal score, that of the middle of its rank among
// equals.
func scores(n int, value func(i int) float64, set func(i int, score float64)) {
	order := make([]int32, n)
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(value(int(a)), value(int(b))) })
	for lo := 0; lo < n; {
		hi := lo + 1
		for hi < n && value(int(order[hi])) == value(int(order[lo])) {
			hi++
		}
		z := normal((float64(lo) + float64(hi)) / 2 / float64(n))
		for _, i := range order[lo:hi] {
			set(int(i), z)
		}
		lo = hi
	}
}

func (c *Collector) sizes(unit population.Unit) population.Sizes {
	s := population.Sizes{About: unit.String() + " of a job and their shares", Jobs: int64(len(c.jobs))}
	count := map[int64]int{}
	for i := range c.jobs {
		count[c.jobs[i].size]++
	}
	for n := range count {
		s.Sizes = append(s.Sizes, n)
	}
	slices.Sort(s.Sizes)
	for _, n := range s.Sizes {
		s.Shares = append(s.Shares, population.Short(float64(count[n])/float64(len(c.jobs))))
	}
	scores(len(c.jobs), func(i int) float64 { return float64(c.jobs[i].size) }, func(i int, z float64) { c.jobs[i].sizeRank = z })
	return s
}

// runTimes finds the laws of run times by size, of jobs with GPUs and without apart
// where the log has enough of both.
func (c *Collector) runTimes() population.RunTimes {
	r := population.RunTimes{About: "run times by size, from the sizes named on"}
	enough := max(50, len(c.jobs)/100)
	gpus := c.combinations.taken(population.OfGPUs)
	var of [2][]int32 // without GPUs, with them
	all := make([]int32, len(c.jobs))
	for i := range c.jobs {
		all[i] = int32(i)
		if gpus[c.jobs[i].combination] > 0 {
			of[1] = append(of[1], int32(i))
		} else {
			of[0] = append(of[0], int32(i))
		}
	}
	if len(of[0]) < enough || len(of[1]) < enough {
		r.Classes = c.runClasses(all, enough)
		return r
	}
	r.Classes, r.WithoutGPUs = c.runClasses(of[1], enough), c.runClasses(of[0], enough)
	return r
}

// runClasses finds classes of sizes with enough jobs, and their laws.
func (c *Collector) runClasses(jobs []int32, enough int) (classes []population.RunClass) {
	of := map[int]int{}
	for _, i := range jobs {
		of[bits(c.jobs[i].size)]++
	}
	from, n := int64(1), 0
	for b := 0; b <= 24; b++ {
		if n += of[b]; n >= enough {
			classes = append(classes, population.RunClass{From: from, Jobs: int64(n)})
			from, n = int64(1)<<(b+1), 0
		}
	}
	if len(classes) == 0 {
		classes = append(classes, population.RunClass{From: 1})
	}
	classes[len(classes)-1].Jobs += int64(n)
	members := make([][]int32, len(classes))
	for _, i := range jobs {
		k := len(classes) - 1
		for classes[k].From > c.jobs[i].size {
			k--
		}
		members[k] = append(members[k], i)
	}
	for k, of := range members {
		scores(len(of), func(i int) float64 { return c.jobs[of[i]].run }, func(i int, z float64) { c.jobs[of[i]].runRank = z })
		x := make([]float64, len(of))
		for i, j := range of {
			x[i] = c.jobs[j].run
		}
		slices.Sort(x)
		classes[k].Quantiles = population.NewQuantiles(x)
	}
	return classes
}

func bits(n int64) (b int) {
	for n > 1 {
		n >>= 1
		b++
	}
	return b
}

var waitClasses = []float64{0, 60, 600, 3600, 14400, 43200}

func (c *Collector) waits() population.Waits {
	w := population.Waits{About: "waits in the log by run time, from the run times named on; they tell users' stamps, not the twin's waits"}
	for k, from := range waitClasses {
		to := math.Inf(1)
		if k+1 < len(waitClasses) {
			to = waitClasses[k+1]
		}
		var x []float64
		for i := range c.jobs {
			if j := &c.jobs[i]; j.run >= from && j.run < to && j.wait >= 0 {
				x = append(x, j.wait)
			}
		}
		if len(x) == 0 {
			continue
		}
		slices.Sort(x)
		w.Classes = append(w.Classes, population.WaitClass{From: from, Jobs: int64(len(x)), Quantiles: population.NewQuantiles(x)})
	}
	return w
}

// gaps finds the laws of gaps, and keeps their scores.
func (c *Collector) gaps() population.Sessions {
	s := population.Sessions{About: "times between the jobs of a session", BagGap: bagGap}
	last := map[int64]float64{}
	var x [3][]float64
	for i := range c.jobs {
		j := &c.jobs[i]
		switch j.bag {
		case inBag, apart:
			j.think = j.submit - last[j.user]
			x[j.bag] = append(x[j.bag], j.think)
		case follows:
			x[j.bag] = append(x[j.bag], j.think)
		}
		last[j.user] = j.submit
	}
	for k := range x {
		slices.Sort(x[k])
	}
	s.Within, s.Apart, s.Think = population.NewQuantiles(x[inBag]), population.NewQuantiles(x[apart]), population.NewQuantiles(x[follows])
	return s
}
