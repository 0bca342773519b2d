package queuestate

import (
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// moment is what a row describes: a job at its submission, with the groups that it
// belongs to.
type moment struct {
	*State
	job         Job
	request     *workload.Request
	user, queue *Group
}

// column is one number of a row.
type column struct {
	name string
	of   func(*moment) float64
}

const (
	day  = 24 * 60 * 60.0
	week = 7 * day
)

// columns of the job and of the moment, then of each group, then of past waits.
var columns = append([]column{
	{"processors", func(m *moment) float64 { return math.Log(m.job.Processors) }},
	{"requested_time", func(m *moment) float64 { return positive(m.request.Time) }},
	{"work", func(m *moment) float64 { return math.Log1p(m.job.Work) }},
	{"queue", func(m *moment) float64 { return known(m.request.Queue) }},
	{"time_of_day", func(m *moment) float64 { return modulo(m.job.Submit, day) }},
	{"time_of_week", func(m *moment) float64 { return modulo(m.job.Submit, week) }},

	{"work_left", func(m *moment) float64 { return math.Log1p(m.left()) }},
	{"time_to_drain", func(m *moment) float64 {
		return math.Log1p((m.left() + m.All.Waiting.Work) / max(1, m.Machine))
	}},
	{"processors_late", func(m *moment) float64 { return math.Log1p(m.Late) }},
	{"processors_free", func(m *moment) float64 { return signed(m.free()) }},
	{"processors_free_less_own", func(m *moment) float64 { return signed(m.free() - m.job.Processors) }},
	{"processors_free_less_waiting", func(m *moment) float64 { return signed(m.free() - m.All.Waiting.Processors) }},
	{"since_last_start", func(m *moment) float64 { return m.since(m.Started) }},

	{"previous_submitted_before", func(m *moment) float64 { return m.since(m.user.Last.Submit) }},
	{"previous_waits", func(m *moment) float64 {
		if p := &m.user.Last; math.IsNaN(p.Wait) && !math.IsNaN(p.Submit) {
			return 1
		}
		return 0
	}},
	{"previous_wait", func(m *moment) float64 {
		if p := &m.user.Last; math.IsNaN(p.Wait) {
			return m.since(p.Submit)
		}
		return m.user.Last.Wait
	}},
	{"previous_processors_ratio", func(m *moment) float64 {
		return math.Log(m.job.Processors / m.user.Last.Processors)
	}},
	{"previous_time_ratio", func(m *moment) float64 {
		return math.Log((1 + m.job.Length) / (1 + m.user.Last.Length))
	}},

	{"recent_wait_slow", func(m *moment) float64 { return m.Slow.value() }},
	{"recent_wait_of_size", func(m *moment) float64 { return m.Sizes[m.job.Size].value() }},
	{"recent_wait_of_time", func(m *moment) float64 { return m.Times[m.job.Time].value() }},
}, grouped()...)

// grouped are the columns that each group has.
func grouped() []column {
	var all []column
	for _, g := range []struct {
		name string
		of   func(*moment) *Group
	}{
		{"all", func(m *moment) *Group { return &m.All }},
		{"user", func(m *moment) *Group { return m.user }},
		{"queue", func(m *moment) *Group { return m.queue }},
	} {
		for _, c := range []struct {
			name string
			of   func(*moment, *Group) float64
		}{
			{"jobs_waiting", func(_ *moment, g *Group) float64 { return math.Log1p(g.Waiting.Jobs) }},
			{"processors_waiting", func(_ *moment, g *Group) float64 { return math.Log1p(g.Waiting.Processors) }},
			{"work_waiting", func(_ *moment, g *Group) float64 { return math.Log1p(g.Waiting.Work) }},
			{"jobs_running", func(_ *moment, g *Group) float64 { return math.Log1p(g.Running.Jobs) }},
			{"processors_running", func(_ *moment, g *Group) float64 { return math.Log1p(g.Running.Processors) }},
			{"work_running", func(_ *moment, g *Group) float64 { return math.Log1p(g.Running.Work) }},
			{"mean_age_of_waiting", func(m *moment, g *Group) float64 { return m.since(g.Submits / g.Waiting.Jobs) }},
			{"age_of_first_waiting", func(m *moment, g *Group) float64 {
				if submit, ok := g.Line.oldest(m.State); ok {
					return m.since(submit)
				}
				return math.NaN()
			}},
			{"recent_wait", func(_ *moment, g *Group) float64 { return g.Wait.value() }},
		} {
			all = append(all, column{c.name + "_" + g.name, func(m *moment) float64 { return c.of(m, g.of(m)) }})
		}
	}
	return all
}

// Names are those of a row's numbers.
func Names() []string {
	var names []string
	for _, c := range columns {
		names = append(names, c.name)
	}
	return names
}

// Row appends the row of a job that is submitted now and is not entered yet.
func (s *State) Row(r *workload.Request, to []float64) []float64 {
	s.advance(r.Submit)
	m := moment{State: s, job: s.job(r), request: r, user: &nobody, queue: &nobody}
	if u, ok := s.Users[r.User]; ok {
		m.user = u
	}
	if q, ok := s.Queues[r.Queue]; ok {
		m.queue = q
	}
	for i := range columns {
		to = append(to, columns[i].of(&m))
	}
	return to
}

// nobody is a group that has not been met; it is not altered.
var nobody = newGroup()

func (m *moment) free() float64 { return m.Machine - m.All.Running.Processors }

// left is the requested work left of the running jobs; those beyond their time have
// none.
func (m *moment) left() float64 { return max(0, m.Left-m.Busy*m.Now) }

// since is the logarithm of the time that has passed.
func (m *moment) since(then float64) float64 { return math.Log1p(max(0, m.Now-then)) }

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

// signed is a logarithm that has the number's sign.
func signed(x float64) float64 { return math.Copysign(math.Log1p(math.Abs(x)), x) }

func modulo(x, by float64) float64 { return x - by*math.Floor(x/by) }
