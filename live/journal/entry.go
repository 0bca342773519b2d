package journal

import (
	"time"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Version is that of the stores that this package writes. It reads those up to it.
const Version = 1

// Entry is one line of a store: a *Begin, *Name, *Event or *Expect.
type Entry interface {
	record() (record, error)
}

// Begin is the first line of a store. The time zone of Origin is kept if it is one of the
// IANA database, by its name; else it becomes UTC.
type Begin struct {
	Origin time.Time // second 0 of all times in the store; zero: it has no date
	Source string    // what is watched, in the service's own words
}

// Name gives the text for the number of a user, queue or the like.
type Name struct {
	Key    string // header keyword of the numbers (workload.Column.NameKey): "User", "Queue"
	Number int64
	Text   string // any bytes
}

// Event is one thing that happened to a job, with the answers that were given to its
// submission. Which fields of Job are stored depends on Kind:
//
//   - of a Submit, the Request with what it has in Asked;
//   - of a Start, the identity (ID, Submit and Row), the wait, what was allocated and
//     when the job could start;
//   - of a Finish, the identity and what else was observed: run time, status and so on.
//     A job that ends without a Start was withdrawn.
//
// The others are unknown when the event is read. Merge joins a job's events.
type Event struct {
	Kind workload.EventKind `json:"-"`
	Time float64            `json:"t"` // s from the origin; finite
	Job  workload.Job       `json:"-"`

	// Label is the scheduler's name of a submitted job, such as 123_4 of a task of an
	// array; "" if it is the number.
	Label string `json:"label,omitempty"`

	// For a Submit: the answers given, in order; the time at which they were
	// given, in seconds from the origin, NaN if there are none; and whether
	// they are scored, which is false while the predictors train.
	Answers    []Answer `json:"answers,omitempty"`
	AnsweredAt Number   `json:"answered,omitempty"`
	Scored     bool     `json:"scored,omitempty"`
}

// Answer is the prediction of one predictor for a job's wait.
type Answer struct {
	Predictor    string `json:"by"`
	Quantile     Number `json:"q"`               // NaN: a point prediction, not a bound
	Seconds      Number `json:"s"`               // NaN: none
	Observations int    `json:"n"`               // number of past jobs on which it rests
	Group        string `json:"group,omitempty"` // the jobs for which it holds; "" if the predictor does not tell
}

// Expect contains two forecasts of a pending job's wait, in seconds from its
// submission; NaN for none.
type Expect struct {
	ID     int64   `json:"id"` // with Submit and Row, the identity of the job
	Row    int64   `json:"row"`
	Submit Number  `json:"submit"` // s from the origin
	At     float64 `json:"t"`      // s from the origin, when the forecasts were made; finite
	Ours   Number  `json:"ours"`   // by the plan of the service
	Theirs Number  `json:"theirs"` // by the machine's own scheduler

	// Bounds are the upper bounds of the wait by the plan at Quantiles, in
	// seconds from the submission. Raw is the expected wait and the bounds, in
	// seconds from At, before the plan was corrected (plan.Start.Raw). All are
	// empty if the plan has no forecast.
	Quantiles Numbers `json:"quantiles,omitempty"`
	Bounds    Numbers `json:"bounds,omitempty"`
	Raw       Numbers `json:"raw,omitempty"`
}

// Merge enters what an event says about its job, except its row and its submission's
// number, into a job. A task of an array gets another number when it starts.
func (e *Event) Merge(into *workload.Job) {
	if e.Kind == workload.Submit {
		*into = e.Job
		return
	}
	for _, f := range fieldsOf(e.Kind) {
		f.copy(into, &e.Job)
	}
}
