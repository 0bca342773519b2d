package reshape

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// burst is a pass of Flurries: the jobs of the last window, oldest first, and
// how many of each kind they are. A job is settled when its window is full:
// then the held jobs are just those of the window that it opens.
type burst struct {
	*Flurries
	alike    []alikeBy
	outcome  *Outcome
	held     []heldJob
	timed    int // of held, those with a known submission
	kinds    map[kind]*kindState
	latest   float64 // submission of the last job, or of a later one before it
	flurries int
	jobs     int64 // all that came
}

type heldJob struct {
	workload.Job
	at float64 // its submission, in order
}

type kindState struct {
	held   int     // jobs of the window
	until  float64 // jobs up to here are a flurry, where it has begun
	began  bool
	reason string
}

// ready reports whether the oldest job held can be settled before that one comes.
func (b *burst) ready(next *workload.Job) bool {
	if len(b.held) == 0 {
		return false
	}
	if len(b.held) >= b.Hold {
		b.outcome.Warnings.Add("flurry-hold", fmt.Sprintf("flurries: windows cut short, because more than hold=%d jobs are in them", b.Hold), 0,
			fmt.Sprintf("row %d", b.held[0].Row+1))
		return true
	}
	return b.held[0].at+b.Window <= next.Submit
}

// warn says where flurries are not rare.
func (b *burst) warn() {
	if n := b.outcome.Removed; n > b.jobs/3 {
		b.outcome.Warnings.Add("flurries-not-rare", fmt.Sprintf("flurries: %.0f%% of the jobs are removed, although flurries are rare by definition: "+
			"this may be the log's normal load; raise jobs= or share=", 100*float64(n)/float64(b.jobs)), 0, "")
	}
}

func (b *burst) add(j workload.Job) {
	b.jobs++
	if j.Submit > b.latest {
		b.latest = j.Submit
	}
	b.held = append(b.held, heldJob{j, b.latest})
	if math.IsNaN(j.Submit) {
		return
	}
	b.timed++
	if j.User == workload.Unknown {
		return
	}
	k := b.kindOf(&j)
	s := b.kinds[k]
	if s == nil {
		s = new(kindState)
		b.kinds[k] = s
	}
	s.held++
}

// settle decides on the oldest job held, and yields it where it stays.
func (b *burst) settle(yield func(workload.Job, error) bool) bool {
	j := b.held[0]
	b.held = b.held[1:]
	if math.IsNaN(j.Submit) {
		return yield(j.Job, nil)
	}
	defer func() { b.timed-- }()
	if j.User == workload.Unknown {
		return yield(j.Job, nil)
	}
	k := b.kindOf(&j.Job)
	s := b.kinds[k]
	if s.held >= b.Jobs && float64(s.held) >= b.Share*float64(b.timed) {
		if !s.began || j.at >= s.until {
			b.flurries++
			s.reason = b.reason(k, b.flurries, s.held, b.timed, j.at)
		}
		s.began, s.until = true, j.at+b.Window
	}
	flurry := s.began && j.at < s.until
	if s.held--; s.held == 0 {
		delete(b.kinds, k)
	}
	if flurry {
		b.outcome.Remove(&j.Job, s.reason)
		return true
	}
	return yield(j.Job, nil)
}
