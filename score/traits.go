package score

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/num"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Traits contains the traits of a workload that a Verdict compares: measures,
// distributions, and the scores of its schedules. Its memory is bounded.
type Traits struct {
	values        [traits]float64 // NaN if unknown; those of distributions are not used
	distributions [distributions]stats.Distribution
	schedules     []scheduleTraits
}

// scheduleTraits contains the scores of one schedule of a workload.
type scheduleTraits struct {
	policy, loop string
	values       [scheduleMeasures]float64
}

// The traits of a workload. Distributions come first: those of the attributes run time, size,
// work and interarrival time, then these.
const (
	jobsByUser = attributes + iota
	workByUser
	accuracyOf
	distributions
)

const (
	loadOf = distributions + iota
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
	traits
)

// trait is the name of a row of a verdict and how it is compared.
type trait struct {
	name, as string
	// ofUsers marks traits of users as a whole. Bootstraps of weeks do not show their
	// variation: they contain some weeks of a user twice and others not at all, and often
	// lack users who were active in only one week.
	ofUsers bool
	offset  float64 // added to both values of a ratio
}

var traitsOfWorkload = [traits]trait{
	runTime:          {name: "run_time_s", as: AsDistance},
	size:             {name: "size_processors", as: AsDistance},
	work:             {name: "work_processor_s", as: AsDistance},
	interarrival:     {name: "interarrival_s", as: AsDistance},
	jobsByUser:       {name: "jobs_by_user", as: AsDistance, ofUsers: true},
	workByUser:       {name: "work_by_user_processor_s", as: AsDistance, ofUsers: true},
	accuracyOf:       {name: "estimate_accuracy", as: AsDistance},
	loadOf:           {name: "offered_load", as: AsRatio},
	usersOf:          {name: "users", as: AsRatio, ofUsers: true},
	jobsGini:         {name: "jobs_by_user_gini", as: AsDifference, ofUsers: true},
	workGini:         {name: "work_by_user_gini", as: AsDifference, ofUsers: true},
	sameUser:         {name: "same_user_as_before", as: AsDifference},
	runLag:           {name: "run_time_ln_lag_1", as: AsDifference},
	sizeLag:          {name: "size_ln_lag_1", as: AsDifference},
	gapLag:           {name: "interarrival_ln_lag_1", as: AsDifference},
	burst5min:        {name: "dispersion_5_min", as: AsRatio},
	burstHour:        {name: "dispersion_1_h", as: AsRatio},
	burstDay:         {name: "dispersion_1_d", as: AsRatio},
	sizeRank:         {name: "size_run_time_spearman", as: AsDifference},
	estimateRank:     {name: "estimate_run_time_spearman", as: AsDifference},
	estimateAccuracy: {name: "estimate_accuracy_mean", as: AsDifference},
	estimateReached:  {name: "estimate_reached_share", as: AsDifference},
}

const (
	scheduleMeasures = 5
	// waitOffset is added to both waits of a ratio, in seconds: differences below a minute
	// do not matter to users.
	waitOffset = 60
)

var traitsOfSchedule = [scheduleMeasures]trait{
	{name: "wait_mean_s", as: AsRatio, offset: waitOffset}, {name: "wait_median_s", as: AsRatio, offset: waitOffset}, {name: "wait_q90_s", as: AsRatio, offset: waitOffset},
	{name: "bounded_slowdown_mean", as: AsRatio}, {name: "utilisation", as: AsRatio},
}

// The loops of a simulation. In an open loop jobs are submitted at the log's
// times. In a closed loop a job that depends on another is submitted after that
// job has ended.
const (
	OpenLoop   = "open"
	ClosedLoop = "closed"
)

// AddSchedule adds the scores of the workload's schedule under a policy. Workloads can be
// compared only if they have the same schedules in the same order.
func (t *Traits) AddSchedule(policy, loop string, s Schedule) {
	t.schedules = append(t.schedules, scheduleTraits{policy, loop, [scheduleMeasures]float64{
		float64(s.Wait.Mean), float64(s.Wait.Median), float64(s.Wait.Q90), float64(s.BoundedSlowdown.Mean), float64(s.Utilisation)}})
}

// TraitNames returns the names of the rows of a verdict and the ways in which they are compared:
// the rows of workloads, or of schedules.
func TraitNames(ofSchedules bool) (names, comparedAs []string) {
	all := traitsOfWorkload[:]
	if ofSchedules {
		all = traitsOfSchedule[:]
	}
	for _, t := range all {
		names, comparedAs = append(names, t.name), append(comparedAs, t.as)
	}
	return names, comparedAs
}

func ofUsers(name string) bool {
	return slices.ContainsFunc(traitsOfWorkload[:], func(t trait) bool { return t.ofUsers && t.name == name })
}

// measured is a trait of one workload.
type measured struct {
	trait
	policy, loop string              // of a schedule, else ""
	value        float64             // NaN if unknown or for a distribution
	distribution *stats.Distribution // if it is compared by a distance, else nil
}

// measured returns all traits, in the order of a verdict's rows.
func (t *Traits) measured() (all []measured) {
	for i, of := range traitsOfWorkload {
		m := measured{trait: of, value: t.values[i]}
		if i < distributions {
			m.distribution = &t.distributions[i]
		}
		all = append(all, m)
	}
	for _, s := range t.schedules {
		for i, of := range traitsOfSchedule {
			all = append(all, measured{trait: of, policy: s.policy, loop: s.loop, value: s.values[i]})
		}
	}
	return all
}

const (
	// traitDistinct is the number of distinct values of a distribution that are kept
	// exactly, and traitPairs the number of pairs of a rank correlation.
	traitDistinct = 1 << 14
	traitPairs    = 1 << 16
)

// dispersionWidths are the lengths in seconds of the intervals for which the dispersion of the
// number of arrivals is computed.
var dispersionWidths = [...]float64{300, 3600, 86400}

// TraitsTally accumulates the traits of jobs that are added in order of
// submission (workload.InOrder). Create it with NewTraitsTally.
type TraitsTally struct {
	processors  int64 // 0 if unknown
	out         Traits
	jobs        int64
	first, last float64 // first and last submission, s
	work        float64 // processor seconds
	user        int64   // of the previous job
	pairs, same int64   // pairs of successive jobs with known users, and those with the same user
	users       map[int64]userShare
	lags        [3]*stats.Autocorrelation // ln of run time, size, interarrival time
	counts      [len(dispersionWidths)]*stats.EventCounts
	sizes       stats.Spearman // size and run time
	estimates   stats.Spearman // estimate and run time
	accuracy    stats.Moments
	reached     int64 // jobs that ran for their estimate or longer
}

// userShare contains the number of jobs and the work of a user. The work is a compensated sum,
// so that a twin with the same jobs in another order has exactly the same work.
type userShare struct {
	jobs float64
	work num.Sum // processor seconds
}

// NewTraitsTally returns an empty tally of the jobs of a machine; processors is
// 0 if its size is unknown.
func NewTraitsTally(processors int64) *TraitsTally {
	t := &TraitsTally{processors: processors, user: workload.Unknown, users: map[int64]userShare{}}
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

// Add adds a job. A job whose submission time is unknown or earlier than that of the
// previous job is not counted.
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

// Finish returns the traits. No job can be added afterwards.
func (t *TraitsTally) Finish() *Traits {
	v := &t.out.values
	for i := range v {
		v[i] = math.NaN()
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
	for i := range t.out.distributions { // so that goroutines of a bootstrap can read them concurrently
		t.out.distributions[i].Settle()
	}
	return &t.out
}
