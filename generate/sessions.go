package generate

import (
	"math"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/internal/heap"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// following is a submission that waits for its time: the next one of a
// session.
type following struct {
	time      float64 // s
	class     int
	group     int64 // the session
	preceding int64 // number of the job before it, in the log
	think     float64
}

// sessions decide whether another job follows, and when.
type sessions struct {
	model   *model.Sessions
	streams []stream // by class
	whole   bool
	waiting heap.Heap[following] // by their time, then by the job before them
	pcg     rand.PCG
	rng     *rand.Rand
}

func (w *Workload) newSessions() *sessions {
	s := &sessions{model: w.Site.Sessions(), whole: !w.options.Exact}
	for _, c := range w.Site.Classes {
		s.streams = append(s.streams, newStream(w.options.Seed, partSessions, c.Name))
	}
	s.rng = rand.New(&s.pcg)
	return s
}

// after decides what follows a job: number in the log, number in its class,
// class and session, submission and run time.
func (s *sessions) after(id, job int64, class int, group int64, submit, run float64) {
	s.streams[class].seed(&s.pcg, job)
	if s.rng.Float64() >= s.model.Again {
		return
	}
	limit := s.model.Max
	if limit == 0 {
		limit = math.Inf(1)
	}
	time := submit + run + drawCut(s.model.Think, limit, s.rng)
	if s.whole {
		time = math.Floor(time)
	}
	s.waiting.Push(heap.Item[following]{At: time, Seq: id, Value: following{time, class, group, id, max(0, time-submit-run)}})
}

// first is what waits for the earliest time, if that is before the next
// beginning of a session.
func (s *sessions) first(before float64) (following, bool) {
	if len(s.waiting) == 0 || s.waiting[0].At > before {
		return following{}, false
	}
	return s.waiting.Pop().Value, true
}

// habitual are the columns of jobs with users; the last four are those of
// sessions, whose jobs are drawn one after the other.
type habitual struct {
	groups []int64

	users, applications, preceding []int64
	thinks                         []float64
	sizes                          []int64
	runs                           []float64
}

// columns are the values of the job table.
func (h *habitual) columns() []workload.Values {
	columns := []workload.Values{{Column: workload.ColUser, Ints: h.users}, {Column: workload.ColApplication, Ints: h.applications}}
	if h.preceding != nil {
		columns = append(columns, workload.Values{Column: workload.ColPrecedingJob, Ints: h.preceding}, workload.Values{Column: workload.ColThinkTime, Floats: h.thinks})
	}
	return columns
}

// unknown is a think time that there is none of.
var unknown = math.NaN()
