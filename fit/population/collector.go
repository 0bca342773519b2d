package population

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/sessions"
)

// Collector gathers the jobs of a log. The zero value is empty.
// It uses 160 bytes for each job.
type Collector struct {
	jobs         []job
	unusable     workload.Warnings // jobs left out, by reason
	noUser       int64
	combinations combinations
	midnight     float64 // s, before the first job
}

// job is what is kept of one.
type job struct {
	user   int64
	submit float64
	run    float64
	wait   float64
	asks   [asks]float64 // estimate, s; memory, KB; queue, its rank
	size   int64         // 0: no processors
	app    int64
	queue  int64
	status int64
	think  float64 // s, from the end of the job before, or the gap; then its score

	sizeRank     float64 // normal scores
	runRank      float64
	runOfAll     float32 // among all jobs
	resourceRank float32 // among those of its size; NaN where all have the same
	asked        [asks]float32
	combination  int32 // number of what it has beside its size
	bag          kind
}

// kind is how a job comes after the one before of its user.
type kind uint8

const (
	inBag   kind = iota // within bagGap
	apart               // in the session, and not after the end of the job before
	follows             // in the session, after the end of the job before
	opens               // a session
)

// What users ask for beside processors.
const (
	asksTime = iota
	asksMemory
	asksQueue
	asks
)

const (
	day  = 86400.0 // s
	week = 7 * day
	// bagGap is the longest time between two jobs of a bag, in seconds.
	bagGap = 60
)

// Add adds a job.
func (c *Collector) Add(j *workload.Job) {
	switch {
	case math.IsNaN(j.Submit) || math.IsInf(j.Submit, 0):
		c.leaveOut("no-submission", "submission time unknown", 1, j)
		return
	case !(j.Run >= 0):
		c.leaveOut("no-run-time", "run time unknown or negative", 1, j)
		return
	case j.Run > population.MaxSeconds:
		c.leaveOut("long-run-time", fmt.Sprintf("run time above %g s", population.MaxSeconds), 1, j)
		return
	case j.Size > population.MaxProcessors:
		c.leaveOut("large-size", fmt.Sprintf("size above %d", population.MaxProcessors), 1, j)
		return
	}
	k := job{user: j.User, submit: j.Submit, run: j.Run, wait: j.Wait, size: max(0, j.Size), app: j.Application, queue: j.Queue, status: j.Status}
	if k.combination = c.combinations.add(j); k.size == 0 && k.combination == 0 {
		c.leaveOut("no-size", "size unknown", 1, j)
		return
	}
	k.asks = [asks]float64{asksTime: asked(j.Time), asksMemory: asked(j.Memory)}
	if k.user == workload.Unknown { // those of one week are taken as one user's
		c.noUser++
		k.user = math.MinInt64 + 1 + int64(math.Floor(j.Submit/week))
	}
	if !(k.wait >= 0 && k.wait <= population.MaxSeconds) {
		k.wait = math.NaN()
	}
	if k.status < 0 || k.status > population.MaxJobs { // no code that a model can have
		k.status = workload.Unknown
	}
	c.jobs = append(c.jobs, k)
}

// leaveOut counts jobs that a model is fitted without, and keeps the first, where it is known.
func (c *Collector) leaveOut(rule, why string, jobs int, first *workload.Job) {
	if jobs > 0 {
		w := workload.Warning{Rule: rule, Count: int64(jobs), Text: "jobs left out of the model: " + why}
		if first != nil && !c.unusable.Has(rule) {
			w.Saw = first.Label()
		}
		c.unusable.Count(w)
	}
}

// asked is what a user asks for, 0 where that is nothing.
func asked(x float64) float64 {
	if x > 0 && x <= population.MaxSeconds {
		return x
	}
	return 0
}

// keep leaves out the jobs that are not to be kept.
func (c *Collector) keep(rule, why string, kept func(j *job) bool) {
	all := len(c.jobs)
	c.jobs = slices.DeleteFunc(c.jobs, func(j job) bool { return !kept(&j) })
	c.leaveOut(rule, why, all-len(c.jobs), nil)
}

// measure chooses the unit of sizes and sets the sizes of jobs in it: processors or, in a log
// without processors, GPUs or nodes, whichever more jobs have (GPUs if equal). It leaves out
// and counts jobs without a size.
func (c *Collector) measure() population.Unit {
	unit := population.OfProcessors
	if !slices.ContainsFunc(c.jobs, func(j job) bool { return j.size > 0 }) {
		gpus, nodes := c.combinations.taken(population.OfGPUs), c.combinations.taken(population.OfNodes)
		haveGPUs, haveNodes := 0, 0
		for i := range c.jobs {
			k := c.jobs[i].combination
			haveGPUs, haveNodes = haveGPUs+int(min(1, max(0, gpus[k]))), haveNodes+int(min(1, max(0, nodes[k])))
		}
		sizes := gpus
		switch {
		case haveNodes > haveGPUs:
			unit, sizes = population.OfNodes, nodes
		case haveGPUs > 0:
			unit = population.OfGPUs
		}
		for i := range c.jobs {
			c.jobs[i].size = sizes[c.jobs[i].combination]
		}
	}
	c.keep("no-size", "size unknown", func(j *job) bool { return j.size >= 1 && j.size <= population.MaxProcessors })
	return unit
}

// machine returns the machine's size in a unit, 0 if the header does not have it.
func machine(unit population.Unit, header *workload.Header) (n int64) {
	switch unit {
	case population.OfGPUs:
		n, _ = header.Int(workload.MaxGPUs)
	case population.OfNodes:
		n, _ = header.Int("MaxNodes")
	default:
		n, _ = header.Processors()
	}
	return n
}

// track finds the sessions.
func (c *Collector) track() {
	slices.SortStableFunc(c.jobs, func(a, b job) int { return cmp.Compare(a.submit, b.submit) })
	t := sessions.NewTracker()
	type last struct {
		end     float64
		batch   int64
		session int64
	}
	ends := map[int64]last{}
	var j workload.Job
	for i := range c.jobs {
		k := &c.jobs[i]
		j.Row, j.ID, j.User, j.Submit, j.Wait, j.Run = int64(i), int64(i), k.user, k.submit, k.wait, k.run
		p := t.Add(&j)
		before, known := ends[k.user]
		k.bag = opens
		if known && p.Session == before.session {
			switch {
			case p.Gap <= bagGap:
				k.bag = inBag
			case p.Batch != before.batch:
				k.bag, k.think = follows, k.submit-before.end
			default:
				k.bag = apart
			}
		}
		ends[k.user] = last{sessions.End(&j), p.Batch, p.Session}
	}
}
