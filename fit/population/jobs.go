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

// job holds the fields of a job that the fit uses.
type job struct {
	user   int64
	submit float64
	run    float64
	wait   float64
	asks   [population.AsksResources]float64 // estimate in s, memory in KB, rank of the queue
	size   int64                             // 0: no processors
	app    int64
	queue  int64
	status int64   // -1: unknown
	think  float64 // s since the end of the previous job, or the gap; later its score

	sizeRank     float64 // normal scores
	runRank      float64
	runOfAll     float32 // among all jobs
	resourceRank float32 // among jobs of its size; NaN if all have the same combination
	asked        [population.AsksResources]float32
	combination  int32 // its number in fitter.combinations
	bag          kind
}

func (j *job) work() float64 { return float64(j.size) * j.run }

// kind classifies a job by its relation to the user's previous job.
type kind uint8

const (
	inBag   kind = iota // within bagGap
	apart               // in the session, but not after the end of the previous job
	follows             // in the session, after the end of the previous job
	opens               // a session
)

// bagGap is the longest time between two jobs of a bag, in seconds.
const bagGap = 60

// add keeps a job if a model can represent it, and counts it as left out otherwise.
func (f *fitter) add(j *workload.Job) {
	switch {
	case math.IsNaN(j.Submit) || math.IsInf(j.Submit, 0):
		f.leaveOut("no-submission", "submission time unknown", 1, j)
		return
	case !(j.Run >= 0):
		f.leaveOut("no-run-time", "run time unknown or negative", 1, j)
		return
	case j.Run > population.MaxSeconds:
		f.leaveOut("long-run-time", fmt.Sprintf("run time above %g s", population.MaxSeconds), 1, j)
		return
	case j.Size > population.MaxProcessors:
		f.leaveOut("large-size", fmt.Sprintf("size above %d", population.MaxProcessors), 1, j)
		return
	}
	k := job{user: j.User, submit: j.Submit, run: j.Run, wait: j.Wait, size: max(0, j.Size), app: j.Application, queue: j.Queue, status: j.Status, combination: f.combinations.add(j)}
	if k.size == 0 && k.combination == 0 {
		f.leaveOut("no-size", "size unknown", 1, j)
		return
	}
	for what, x := range []float64{population.AsksTime: j.Time, population.AsksMemory: j.Memory} {
		if x > 0 && x <= population.MaxSeconds { // 0: no request
			k.asks[what] = x
		}
	}
	if k.user == workload.Unknown { // those of one week are taken as one user's
		f.noUser++
		k.user = math.MinInt64 + 1 + int64(math.Floor(j.Submit/week))
	}
	if !(k.wait >= 0 && k.wait <= population.MaxSeconds) {
		k.wait = math.NaN()
	}
	if k.status < 0 || k.status > population.MaxJobs { // not a code that a model can have
		k.status = -1
	}
	f.jobs = append(f.jobs, &k)
}

// leaveOut counts jobs left out of the model. It records the first job of a rule, if first is not
// nil.
func (f *fitter) leaveOut(rule, why string, jobs int, first *workload.Job) {
	if jobs > 0 {
		w := workload.Warning{Rule: rule, Count: int64(jobs), Text: "jobs left out of the model: " + why}
		if first != nil && !f.odd.Has(rule) {
			w.Saw = first.Label()
		}
		f.odd.Count(w)
	}
}

// keep leaves out the jobs for which kept returns false.
func (f *fitter) keep(rule, why string, kept func(j *job) bool) {
	all := len(f.jobs)
	f.jobs = slices.DeleteFunc(f.jobs, func(j *job) bool { return !kept(j) })
	f.leaveOut(rule, why, all-len(f.jobs), nil)
}

// person is a user of the log.
type person struct {
	jobs      []*job   // by submission
	templates [][]*job // consecutive jobs with the same size and requests
	work      float64
	bags      groups // number of jobs in each
	sessions  groups // number of bags in each
	traits    population.Traits
}

// groups holds the sizes of a user's bags or sessions, and the scores of the sizes above 1.
type groups struct{ sizes, scores []float64 }

// track sorts the jobs by submission, groups them by user, and divides those of each user into
// sessions and bags.
func (f *fitter) track() {
	slices.SortStableFunc(f.jobs, func(a, b *job) int { return cmp.Compare(a.submit, b.submit) })
	byUser := map[int64]*person{}
	for _, j := range f.jobs {
		p := byUser[j.user]
		if p == nil {
			p = &person{}
			byUser[j.user] = p
			f.people = append(f.people, p)
		}
		p.jobs = append(p.jobs, j)
		p.work += j.work()
	}
	for _, p := range f.people {
		p.track()
	}
}

func (p *person) track() {
	t := sessions.NewTracker()
	bags, perSession := &p.bags.sizes, &p.sessions.sizes
	var before sessions.Place
	var k workload.Job
	for i, j := range p.jobs {
		end := sessions.End(&k) // of the job before
		k.Submit, k.Wait, k.Run = j.submit, j.wait, j.run
		place := t.Add(&k)
		j.think = place.Gap
		switch {
		case i == 0 || place.Session != before.Session:
			j.bag = opens
			*perSession = append(*perSession, 0)
		case place.Gap <= bagGap:
			j.bag = inBag
		case place.Batch != before.Batch:
			j.bag, j.think = follows, j.submit-end
		default:
			j.bag = apart
		}
		if j.bag != inBag {
			*bags = append(*bags, 0)
			(*perSession)[len(*perSession)-1]++
		}
		(*bags)[len(*bags)-1]++
		before = place
	}
}

// where returns the jobs for which holds returns true.
func (f *fitter) where(holds func(j *job) bool) (jobs []*job) {
	for _, j := range f.jobs {
		if holds(j) {
			jobs = append(jobs, j)
		}
	}
	return jobs
}

// values returns the value of each job.
func values(jobs []*job, of func(j *job) float64) []float64 {
	x := make([]float64, len(jobs))
	for i, j := range jobs {
		x[i] = of(j)
	}
	return x
}

// law returns the quantiles of a value of jobs, and sets the jobs' scores.
func law(jobs []*job, of func(j *job) (value float64, score *float64)) population.Quantiles {
	x := values(jobs, func(j *job) float64 { value, _ := of(j); return value })
	for i, z := range scores(x) {
		_, score := of(jobs[i])
		*score = z
	}
	return quantiles(x)
}

// quantiles sorts x and returns its quantiles.
func quantiles(x []float64) population.Quantiles {
	slices.Sort(x)
	return population.NewQuantiles(x)
}

func normal(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*p-1) }

// scores returns the normal score of each value. Equal values have the score of their mean rank.
func scores(x []float64) []float64 {
	order := make([]int32, len(x))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(x[a], x[b]) })
	z := make([]float64, len(x))
	for lo, hi := 0, 0; lo < len(x); lo = hi {
		for hi = lo; hi < len(x) && x[order[hi]] == x[order[lo]]; {
			hi++
		}
		score := normal((float64(lo) + float64(hi)) / 2 / float64(len(x)))
		for _, i := range order[lo:hi] {
			z[i] = score
		}
	}
	return z
}
