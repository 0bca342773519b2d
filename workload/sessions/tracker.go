package sessions

import (
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Limits of a session, and of the search for a job's preceding job, with the values of the
// literature.
const (
	sessionGap = 3600 // s, longest time between submissions of a session
	// sessionThink is the longest time in seconds from the end of a job to a submission of the
	// same session, and the limit of a dependency's think time: longer ones are set to it.
	sessionThink = 1200
	mostPast     = 50 // number of a user's last jobs to search for the preceding job
)

// Place is the position of a job in its user's work.
type Place struct {
	Session int64   // number of the user's session, from 0; workload.Unknown without user or submission time
	Batch   int64   // number of the batch within the session, from 0
	Gap     float64 // s, since the user's previous submission; NaN for the first

	Preceding   int64   // Row of the job that this one waited for; workload.Unknown for none
	PrecedingID int64   // its ID
	Think       float64 // s, from its end to this submission, at most 1200; NaN for none
}

// Tracker finds the Place of each job as it is submitted. Use NewTracker to create one.
type Tracker struct{ users map[int64]*user }

// user is the state of a user's work so far.
type user struct {
	session, batch int64
	submit         float64 // the last submission
	end            float64 // end of the job submitted last; NaN if unknown
	past           []past  // the last jobs whose end is known, as a ring
	next           int     // index in past of the oldest job, once past is full
}

// past is a job that later jobs may have waited for.
type past struct {
	row, id int64
	end     float64
}

// NewTracker returns a tracker that has seen no job.
func NewTracker() *Tracker { return &Tracker{map[int64]*user{}} }

// Add returns the place of the next job. Jobs come in order of submission; a job that was
// submitted before the user's previous one joins that one's session.
func (t *Tracker) Add(j *workload.Job) Place {
	p := Place{Session: workload.Unknown, Batch: workload.Unknown, Gap: math.NaN(), Preceding: workload.Unknown, PrecedingID: workload.Unknown, Think: math.NaN()}
	if j.User == workload.Unknown || math.IsNaN(j.Submit) || math.IsInf(j.Submit, 0) {
		return p
	}
	u := t.users[j.User]
	first := u == nil
	if first {
		u = &user{}
		t.users[j.User] = u
	}
	think := math.Inf(1)
	if before := u.preceding(j.Submit); before != nil {
		think = j.Submit - before.end
		p.Preceding, p.PrecedingID, p.Think = before.row, before.id, min(think, sessionThink)
	}
	if !first {
		p.Gap = j.Submit - u.submit
		switch {
		case p.Gap > sessionGap && think > sessionThink:
			u.session, u.batch = u.session+1, 0
		case u.end <= j.Submit:
			u.batch++
		}
	}
	p.Session, p.Batch = u.session, u.batch
	u.submit, u.end = j.Submit, End(j)
	if !math.IsNaN(u.end) {
		u.keep(past{j.Row, j.ID, u.end})
	}
	return p
}

// preceding returns the job that ended last among those that have ended by at; of several, the one
// submitted last. It returns nil if none has ended.
func (u *user) preceding(at float64) *past {
	var best *past
	for i := range u.past {
		// From the oldest on, which is at next.
		p := &u.past[(u.next+i)%len(u.past)]
		if p.end <= at && (best == nil || p.end >= best.end) {
			best = p
		}
	}
	return best
}

func (u *user) keep(p past) {
	if len(u.past) < mostPast {
		u.past = append(u.past, p)
		return
	}
	u.past[u.next] = p
	u.next = (u.next + 1) % mostPast
}

// End returns the end of a job in the time of Submit; NaN if its wait or run time is
// unknown, negative or infinite.
func End(j *workload.Job) float64 {
	if end := j.End(); j.Wait >= 0 && j.Run >= 0 && !math.IsInf(end, 0) {
		return end
	}
	return math.NaN()
}
