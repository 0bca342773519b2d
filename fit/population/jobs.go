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

// job is the part of a job that is kept.
type job struct {
	user   int64
	submit float64
	run    float64
	wait   float64
	asks   [population.AsksResources]float64 // estimate, s; memory, KB; queue, its rank
	size   int64                             // 0: no processors
	app    int64
	queue  int64
	status int64   // -1: unknown
	think  float64 // s, from the end of the job before, or the gap; then its score

	sizeRank     float64 // normal scores
	runRank      float64
	runOfAll     float32 // among all jobs
	resourceRank float32 // among jobs of its size; NaN if all have the same
	asked        [population.AsksResources]float32
	combination  int32 // number of its values of resourceColumns
	bag          kind
}

func (j *job) work() float64 { return float64(j.size) * j.run }

// kind is how a job comes after the one before of its user.
type kind uint8

const (
	inBag   kind = iota // within bagGap
	apart               // in the session, and not after the end of the job before
	follows             // in the session, after the end of the job before
	opens               // a session
)

// bagGap is the longest time between two jobs of a bag, in seconds.
const bagGap = 60

// add adds a job that a model can hold.
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
		if x > 0 && x <= population.MaxSeconds { // 0: asks for nothing
			k.asks[what] = x
		}
	}
	if k.user == workload.Unknown { // all of one week are taken as one user's
		f.noUser++
		k.user = math.MinInt64 + 1 + int64(math.Floor(j.Submit/week))
	}
	if !(k.wait >= 0 && k.wait <= population.MaxSeconds) {
		k.wait = math.NaN()
	}
	if k.status < 0 || k.status > population.MaxJobs { // no code that a model can have
		k.status = -1
	}
	f.jobs = append(f.jobs, &k)
}

// leaveOut counts jobs that a model is fitted without, and keeps the first, where it is known.
func (f *fitter) leaveOut(rule, why string, jobs int, first *workload.Job) {
	if jobs > 0 {
		w := workload.Warning{Rule: rule, Count: int64(jobs), Text: "jobs left out of the model: " + why}
		if first != nil && !f.odd.Has(rule) {
			w.Saw = first.Label()
		}
		f.odd.Count(w)
	}
}

// keep leaves out the jobs that are not to be kept.
func (f *fitter) keep(rule, why string, kept func(j *job) bool) {
	all := len(f.jobs)
	f.jobs = slices.DeleteFunc(f.jobs, func(j *job) bool { return !kept(j) })
	f.leaveOut(rule, why, all-len(f.jobs), nil)
}

// person is a user of the log.
type person struct {
	jobs      []*job   // by submission
	templates [][]*job // parts of jobs: consecutive jobs of one size and request
	work      float64
	bags      groups // jobs of each
	sessions  groups // bags of each
	traits    population.Traits
}

// groups are how many are in each bag or session of a user, and the scores of those numbers
// that are not 1.
type groups struct{ sizes, scores []float64 }

// track sorts the jobs by submission and finds their users, and the sessions and bags of each.
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

// where returns the jobs for which a condition holds.
func (f *fitter) where(holds func(j *job) bool) (jobs []*job) {
	for _, j := range f.jobs {
		if holds(j) {
			jobs = append(jobs, j)
		}
	}
	return jobs
}

// values returns a value of each job.
func values(jobs []*job, of func(j *job) float64) []float64 {
	x := make([]float64, len(jobs))
	for i, j := range jobs {
		x[i] = of(j)
	}
	return x
}

// law returns the law of a value of jobs, and sets their scores.
func law(jobs []*job, of func(j *job) (value float64, score *float64)) population.Quantiles {
	x := values(jobs, func(j *job) float64 { value, _ := of(j); return value })
	for i, z := range scores(x) {
		_, score := of(jobs[i])
		*score = z
	}
	return quantiles(x)
}

// quantiles returns the law of values, which it sorts.
func quantiles(x []float64) population.Quantiles {
	slices.Sort(x)
	return population.NewQuantiles(x)
}

func normal(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*p-1) }

// scores returns the normal score of each value, at the mean rank of equal values.
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
