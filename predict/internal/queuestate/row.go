package queuestate

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
)

const (
	day  = 24 * 60 * 60.0
	week = 7 * day
)

// Names returns the names of the numbers in a row.
func Names() (names []string) {
	New().describe(&workload.Request{}, func(name, of string, _ float64) { names = append(names, name+of) })
	return names
}

// Row appends the row of a job that is submitted now to to. It must be called before
// Submit.
func (s *State) Row(r *workload.Request, to []float64) []float64 {
	s.advance(r.Submit)
	to = slices.Grow(to, 50)
	s.describe(r, func(_, _ string, x float64) { to = append(to, x) })
	return to
}

// describe calls add for each number in the row of a job: first those of the job, the machine
// and past waits, then those of each group. The full name of a number is name+of, where of
// denotes its group.
func (s *State) describe(r *workload.Request, add func(name, of string, x float64)) {
	job := s.job(r)
	user, queue := &nobody, &nobody
	if u, ok := s.Users[r.User]; ok {
		user = u
	}
	if q, ok := s.Queues[r.Queue]; ok {
		queue = q
	}
	free := s.All.Most - s.All.Running.Processors
	// The remaining requested work of the running jobs; jobs beyond their time have none.
	left := max(0, s.Left-s.Busy*s.Now)
	// since returns ln(1+s), where s is the time since then.
	since := func(then float64) float64 { return math.Log1p(max(0, s.Now-then)) }

	add("processors", "", math.Log(job.Processors))
	add("requested_time", "", positive(r.Time))
	add("work", "", math.Log1p(job.Work))
	add("queue", "", known(r.Queue))
	add("time_of_day", "", modulo(job.Submit, day))
	add("time_of_week", "", modulo(job.Submit, week))

	add("work_left", "", math.Log1p(left))
	add("time_to_drain", "", math.Log1p((left+s.All.Waiting.Work)/max(1, s.All.Most)))
	add("processors_late", "", math.Log1p(s.Late))
	add("processors_free", "", signed(free))
	add("processors_free_less_own", "", signed(free-job.Processors))
	add("processors_free_less_waiting", "", signed(free-s.All.Waiting.Processors))
	add("since_last_start", "", since(s.Started))

	last := &user.Last
	waits, wait := 0.0, last.Wait
	if math.IsNaN(wait) {
		wait = since(last.Submit)
		if !math.IsNaN(last.Submit) {
			waits = 1
		}
	}
	add("previous_submitted_before", "", since(last.Submit))
	add("previous_waits", "", waits)
	add("previous_wait", "", wait)
	add("previous_processors_ratio", "", math.Log(job.Processors/last.Processors))
	add("previous_time_ratio", "", math.Log((1+job.Length)/(1+last.Length)))

	add("recent_wait_slow", "", s.Slow.value())
	add("recent_wait_of_size", "", s.Sizes[job.Size].value())
	add("recent_wait_of_time", "", s.Times[job.Time].value())

	for i, g := range [...]*Group{&s.All, user, queue} {
		of := [...]string{"_all", "_user", "_queue"}[i]
		first := math.NaN()
		if len(g.Line) > 0 {
			first = s.Jobs[g.Line[0]].Submit
		}
		add("jobs_waiting", of, math.Log1p(g.Waiting.Jobs))
		add("processors_waiting", of, math.Log1p(g.Waiting.Processors))
		add("work_waiting", of, math.Log1p(g.Waiting.Work))
		add("jobs_running", of, math.Log1p(g.Running.Jobs))
		add("processors_running", of, math.Log1p(g.Running.Processors))
		add("work_running", of, math.Log1p(g.Running.Work))
		add("mean_age_of_waiting", of, since(g.Submits/g.Waiting.Jobs))
		add("age_of_first_waiting", of, since(first))
		add("recent_wait", of, g.Wait.value())
		if g != &s.All {
			add("time_to_drain", of, math.Log1p(g.Waiting.Work/max(job.Processors, g.Most)))
		}
	}
}

// nobody stands for a group without jobs. It must not be altered.
var nobody = newGroup()

func positive(x float64) float64 {
	if x > 0 {
		return math.Log(x)
	}
	return math.NaN()
}

func known(id int64) float64 {
	if id == workload.Unknown {
		return math.NaN()
	}
	return float64(id)
}

// signed returns ln(1+|x|) with the sign of x.
func signed(x float64) float64 { return math.Copysign(math.Log1p(math.Abs(x)), x) }

func modulo(x, by float64) float64 { return x - by*math.Floor(x/by) }
