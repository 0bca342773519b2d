package population

import (
	"cmp"
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
	unusable     leftOut
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
	anonymous    bool // its user is unknown: those of one week are taken as one user's
}

// kind is how a job comes after the one before of its user.
type kind uint8

const (
	inBag   kind = iota // within BagGap
	apart               // in the session, and not after the end of the job before
	follows             // in the session, after the end of the job before
	opens               // a session
)

const (
	day  = 86400.0 // s
	week = 7 * day
)

// Add adds a job.
func (c *Collector) Add(j *workload.Job) {
	if reason := unusable(j); reason != usable {
		c.unusable.add(reason, j)
		return
	}
	k := job{user: j.User, submit: j.Submit, run: j.Run, wait: j.Wait, size: max(0, j.Size), app: j.Application, queue: j.Queue, status: j.Status}
	k.combination = c.combinations.add(j)
	if k.size == 0 && k.combination == 0 {
		c.unusable.add(noSize, j)
		return
	}
	k.asks = [asks]float64{asksTime: asked(j.Time), asksMemory: asked(j.Memory)}
	if k.user == workload.Unknown {
		k.anonymous = true
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

// asked is what a user asks for, 0 where that is nothing.
func asked(x float64) float64 {
	if x > 0 && x <= population.MaxSeconds {
		return x
	}
	return 0
}

// track finds the sessions.
func (c *Collector) track() {
	slices.SortStableFunc(c.jobs, func(a, b job) int { return cmp.Compare(a.submit, b.submit) })
	t := sessions.NewTracker(sessions.Defaults())
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

// bagGap is the longest time between two jobs of a bag, in seconds.
const bagGap = 60
