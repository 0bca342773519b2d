package score

import (
	"math"

	"github.com/loadstone-hpc/loadstone/internal/num"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Traits contains what a Verdict compares of a workload: measures,
// distributions, and the scores of its schedules. Memory is bounded.
type Traits struct {
	values        [measures]float64 // NaN where it is not known
	distributions [distances]stats.DistinctCounts
	schedules     []ScheduleTraits
}

// The numbers of a workload.
const (
	loadOf = iota
	usersOf
	jobsGini
	workGini
	sameUser
	runLag
	sizeLag
	gapLag
	burst5min
	burstHour
	burstDay
	sizeRank
	estimateRank
	estimateAccuracy
	estimateReached

	// Not all workloads have these.
	gpuJobs
	gpusMean
	measures
)

// The distributions of a workload.
const (
	jobsByUser = attributes + iota // after run time, size, work and interarrival time
	workByUser
	accuracyOf

	// Not all workloads have these. The first three are in the order of attributes.
	nodesOfJob
	gpusOfJob
	memoryOfJob
	gpuWork
	gpusOfWork
	gpuTypes
	distances
)

const (
	// traitDistinct is how many distinct values of a distribution are kept
	// exactly, traitPairs how many pairs of a rank correlation.
	traitDistinct = 1 << 14
	traitPairs    = 1 << 16
)

// dispersionWidths are the intervals, s, whose counts of arrivals are looked at.
var dispersionWidths = [...]float64{300, 3600, 86400}

// TraitsTally accumulates the traits of jobs that are added in order of
// submission (workload.InOrder). Create it with NewTraitsTally.
type TraitsTally struct {
	processors  int64 // 0 where they are unknown
	out         Traits
	jobs        int64
	first, last float64 // s
	work        float64 // processor seconds
	user        int64   // of the job before
	pairs, same int64   // of jobs that follow each other, with known users
	users       map[int64]userShare
	lags        [3]*stats.Autocorrelation // ln of run time, size, interarrival time
	counts      [len(dispersionWidths)]*stats.EventCounts
	sizes       stats.Spearman // size and run time
	estimates   stats.Spearman // estimate and run time
	accuracy    stats.Moments
	reached     int64
	gpus        gpuTally
}

// userShare is what a user did. The work is a compensated sum, so that a twin that has
// the same jobs in another order has the same work to the last digit.
type userShare struct {
	jobs float64
	work num.Sum // processor seconds
}

// NewTraitsTally returns an empty tally of the jobs of a machine; processors is
// 0 if its size is unknown.
func NewTraitsTally(processors int64) *TraitsTally {
	t := &TraitsTally{processors: processors, user: workload.Unknown, users: map[int64]userShare{}, gpus: gpuTally{byCount: map[int64]float64{}}}
	for i := range t.lags {
		t.lags[i] = stats.NewAutocorrelation(1)
	}
	for i, width := range dispersionWidths {
		t.counts[i] = stats.NewEventCounts(width)
	}
	for i := range t.out.distributions {
		t.out.distributions[i].Limit = traitDistinct
	}
	t.sizes.Exact, t.estimates.Exact = traitPairs, traitPairs
	return t
}

// Add adds a job. One whose submission time is unknown, or earlier than that of
// the job before, is not counted.
func (t *TraitsTally) Add(j *workload.Job) {
	if !finite(j.Submit) || math.Abs(j.Submit) > latestTime || t.jobs > 0 && j.Submit < t.last {
		return
	}
	d := &t.out.distributions
	if t.jobs == 0 {
		t.first = j.Submit
	} else {
		gap := j.Submit - t.last
		d[interarrival].Add(gap)
		t.lags[2].Add(math.Log(max(1, gap)))
	}
	t.jobs++
	t.last = j.Submit
	for _, c := range t.counts {
		c.Add(j.Submit)
	}
	ran, done := j.Run >= 0 && finite(j.Run), 0.0
	if ran {
		d[runTime].Add(j.Run)
		if j.Run > 0 {
			t.lags[0].Add(math.Log(j.Run))
		}
	}
	if j.Size > 0 {
		d[size].Add(float64(j.Size))
		t.lags[1].Add(math.Log(float64(j.Size)))
		if ran {
			done = float64(j.Size) * j.Run
			d[work].Add(done)
			t.sizes.Add(float64(j.Size), j.Run)
		}
	}
	t.work += done
	if j.Asked != nil {
		t.addAsked(j, ran)
	}
	if ran && j.Time > 0 && finite(j.Time) {
		a := stats.Accuracy(j.Time, j.Run)
		d[accuracyOf].Add(a)
		t.accuracy.Add(a)
		t.estimates.Add(j.Time, j.Run)
		if j.Run >= j.Time {
			t.reached++
		}
	}
	t.addUser(j.User, done)
}

func (t *TraitsTally) addUser(user int64, done float64) {
	if user != workload.Unknown {
		u := t.users[user]
		u.jobs++
		u.work.Add(done)
		t.users[user] = u
		if t.user != workload.Unknown {
			t.pairs++
			if t.user == user {
				t.same++
			}
		}
	}
	t.user = user
}

// Finish returns the traits. Nothing can be added afterwards.
func (t *TraitsTally) Finish() *Traits {
	nan := math.NaN()
	v := &t.out.values
	for i := range v {
		v[i] = nan
	}
	if span := t.last - t.first; t.processors > 0 && span > 0 && t.out.distributions[work].N() > 0 {
		v[loadOf] = t.work / span / float64(t.processors)
	}
	if len(t.users) > 0 {
		var jobs, done []float64
		for _, u := range t.users {
			total := u.work.Value()
			jobs, done = append(jobs, u.jobs), append(done, total)
			t.out.distributions[jobsByUser].Add(u.jobs)
			t.out.distributions[workByUser].Add(total)
		}
		v[usersOf], v[jobsGini], v[workGini] = float64(len(t.users)), stats.Gini(jobs), stats.Gini(done)
	}
	if t.pairs > 0 {
		v[sameUser] = float64(t.same) / float64(t.pairs)
	}
	for i, m := range []int{runLag, sizeLag, gapLag} {
		v[m] = t.lags[i].R()[0]
	}
	for i, m := range []int{burst5min, burstHour, burstDay} {
		if t.jobs > 0 {
			v[m] = float64(t.counts[i].Finish().Dispersion)
		}
	}
	v[sizeRank] = t.sizes.R()
	if n := t.accuracy.N(); n > 0 {
		v[estimateRank] = t.estimates.R()
		v[estimateAccuracy], v[estimateReached] = t.accuracy.Mean(), float64(t.reached)/float64(n)
	}
	t.finishGPUs()
	return &t.out
}
