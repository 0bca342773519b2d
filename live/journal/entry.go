package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Version is the version of the stores that this package writes and reads.
const Version = 1

// Entry is one line of a store: a *Begin, *Name, *Event or *Expect.
type Entry any

// Begin is the first line of a store.
type Begin struct {
	Origin time.Time `json:"origin,omitzero"`  // second 0, with its UTC offset; zero if unknown
	Source string    `json:"source,omitempty"` // the service's description of the source
}

// Name gives the text for the number of a user, queue or the like.
type Name struct {
	Key    string `json:"key"` // header keyword of the numbers (workload.Column.NameKey): "User", "Queue"
	Number int64  `json:"number"`
	Text   string `json:"text"` // in UTF-8
}

// Event is an event of a job, with the answers given at its submission. The fields of
// Job that are stored depend on Kind:
//
//   - Submit: the Request;
//   - Start: the identity (ID, Submit and Row), the wait, the allocation and the time at
//     which the job became eligible;
//   - Finish: the identity and all other observed fields, such as run time and status.
//     A job that ends without a Start was withdrawn.
//
// The other fields are unknown when the event is read. Merge combines a job's events.
type Event struct {
	Kind workload.EventKind `json:"-"`
	Time float64            `json:"t"` // s from the origin; finite
	Job  workload.Job       `json:"-"`

	// Label is the scheduler's name of a submitted job, such as 123_4 for a task of an
	// array, or "" if it is the number.
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
	Quantile     Number `json:"q"`               // NaN for a point prediction
	Seconds      Number `json:"s"`               // NaN if there is no prediction
	Observations int    `json:"n"`               // number of past jobs on which it is based
	Group        string `json:"group,omitempty"` // the jobs for which it holds; may be ""
}

// Expect is the forecast of a pending job's wait by the plan of the service, in seconds from
// its submission.
type Expect struct {
	Row int64   `json:"row"` // of the job
	At  float64 `json:"t"`   // s from the origin, when the forecasts were made; finite

	// Bounds holds the plan's upper bounds of the wait at Quantiles, in seconds
	// from the submission. Both are empty if the plan has no forecast.
	Quantiles Numbers `json:"quantiles,omitempty"`
	Bounds    Numbers `json:"bounds,omitempty"`
}

// record is the JSON form of a line. Exactly one of the pointers is set.
type record struct {
	Version int     `json:"version,omitempty"` // of the store; only with Begin
	Begin   *Begin  `json:"begin,omitempty"`
	Name    *Name   `json:"name,omitempty"`
	Expect  *Expect `json:"expect,omitempty"`
	Submit  *event  `json:"submit,omitempty"`
	Start   *event  `json:"start,omitempty"`
	Finish  *event  `json:"finish,omitempty"`
}

type event struct {
	Event
	Row     int64   `json:"row,omitempty"`
	Columns columns `json:"job"`
}

// encode returns the JSON of an entry.
func encode(e Entry) ([]byte, error) {
	var r record
	switch e := e.(type) {
	case *Begin:
		r.Version, r.Begin = Version, e
	case *Name:
		r.Name = e
	case *Expect:
		r.Expect = e
	case *Event:
		x := &event{*e, e.Job.Row, columnsOf(&e.Job, e.Kind)}
		switch e.Kind {
		case workload.Submit:
			r.Submit = x
		case workload.Start:
			r.Start, x.AnsweredAt = x, 0
		default:
			r.Finish, x.AnsweredAt = x, 0
		}
	default:
		return nil, fmt.Errorf("saw a %T, want a *Begin, *Name, *Event or *Expect", e)
	}
	return json.Marshal(r)
}

// decode returns the entry of a line's JSON.
func decode(text []byte) (Entry, error) {
	var r record
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, err
	}
	switch {
	case r.Begin != nil && r.Version != Version:
		return nil, fmt.Errorf("saw a store of version %d, want %d", r.Version, Version)
	case r.Begin != nil:
		return r.Begin, nil
	case r.Name != nil:
		return r.Name, nil
	case r.Expect != nil:
		return r.Expect, nil
	case r.Submit != nil:
		return r.Submit.entry(workload.Submit)
	case r.Start != nil:
		return r.Start.entry(workload.Start)
	case r.Finish != nil:
		return r.Finish.entry(workload.Finish)
	}
	return nil, errors.New("no begin, name, expect, submit, start or finish")
}

func (x *event) entry(kind workload.EventKind) (Entry, error) {
	e := &x.Event
	e.Kind, e.Job = kind, workload.UnknownJob()
	e.Job.Row = x.Row
	if kind != workload.Submit {
		e.AnsweredAt = Number(math.NaN())
	}
	return e, x.Columns.enter(&e.Job, kind)
}

// Merge copies the stored fields of the event's job to a job. For a Submit it replaces the
// whole job. The ID may change, because a task of an array gets another number when it
// starts.
func (e *Event) Merge(into *workload.Job) {
	if e.Kind == workload.Submit {
		*into = e.Job
		return
	}
	for _, c := range stored[e.Kind] {
		if x := c.Number(&e.Job); x == x {
			c.SetNumber(into, x)
		} else if n := c.Int(&e.Job); n != workload.Unknown {
			c.SetInt(into, n)
		}
	}
}

// stored holds the columns of a job that are stored, by the kind of the event.
var stored = func() (of [3][]*workload.Column) {
	var all []*workload.Column
	for i := range workload.NumColumns {
		all = append(all, workload.ColumnAt(i))
	}
	all = append(all, workload.FindColumn("size"), workload.FindColumn("nodes"), workload.FindColumn("gpus"))
	atStart := []string{"wait_time_s", "allocated_processors", "allocated_nodes", "allocated_gpus"}
	for _, c := range all {
		identity, starts := c.Name == "job_id" || c.Name == "submit_time_s", slices.Contains(atStart, c.Name)
		eligible := c.Name == "eligible_time_s" // stored with Finish too, for jobs that never start
		if c.Submitted() {
			of[workload.Submit] = append(of[workload.Submit], c)
		}
		if identity || starts || eligible {
			of[workload.Start] = append(of[workload.Start], c)
		}
		if identity || !c.Submitted() && !starts {
			of[workload.Finish] = append(of[workload.Finish], c)
		}
	}
	return of
}()

// columns holds the known fields of a job, by the short names of their columns.
type columns map[string]json.Number

func columnsOf(j *workload.Job, kind workload.EventKind) columns {
	known := columns{}
	for _, c := range stored[kind] {
		if x := c.Number(j); x == x {
			known[c.Words[0]] = json.Number(numberText(x))
		} else if n := c.Int(j); n != workload.Unknown {
			known[c.Words[0]] = json.Number(strconv.FormatInt(n, 10))
		}
	}
	return known
}

// enter sets the stored fields of a job.
func (known columns) enter(j *workload.Job, kind workload.EventKind) error {
	for _, c := range stored[kind] {
		text, ok := known[c.Words[0]]
		switch {
		case !ok:
		case c.Float():
			var x Number
			if err := x.UnmarshalJSON([]byte(text)); err != nil {
				return err
			}
			c.SetNumber(j, float64(x))
		default:
			n, err := strconv.ParseInt(string(text), 10, 64)
			if err != nil {
				return err
			}
			c.SetInt(j, n)
		}
	}
	return nil
}

// Number is a float64 whose JSON form is the shortest decimal that parses to the same value. The
// form of NaN is null; infinities are 1e999 and -1e999, which exceed the range of a float64.
type Number float64

// Numbers is a list of numbers with the JSON form of Number.
type Numbers []float64

func numberText(x float64) string {
	switch {
	case math.IsInf(x, 1):
		return "1e999"
	case math.IsInf(x, -1):
		return "-1e999"
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// MarshalJSON implements json.Marshaler.
func (n Number) MarshalJSON() ([]byte, error) {
	if n != n {
		return []byte("null"), nil
	}
	return []byte(numberText(float64(n))), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (n *Number) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*n = Number(math.NaN())
		return nil
	}
	x, err := strconv.ParseFloat(string(text), 64)
	if math.IsInf(x, 0) {
		err = nil
	}
	*n = Number(x)
	return err
}

// MarshalJSON implements json.Marshaler.
func (n Numbers) MarshalJSON() ([]byte, error) {
	all := make([]Number, len(n))
	for i, x := range n {
		all[i] = Number(x)
	}
	return json.Marshal(all)
}

// UnmarshalJSON implements json.Unmarshaler.
func (n *Numbers) UnmarshalJSON(text []byte) error {
	var all []Number
	err := json.Unmarshal(text, &all)
	for _, x := range all {
		*n = append(*n, float64(x))
	}
	return err
}
