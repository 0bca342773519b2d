package workload

import (
	"strconv"

	"github.com/loadstone-hpc/loadstone/internal/heap"
)

// The moments from which waits are counted (Options.WaitFrom).
const (
	WaitFromSubmit   = "submit"
	WaitFromEligible = "eligible"
)

// WaitsFrom lists the values of Options.WaitFrom.
func WaitsFrom() []string { return []string{WaitFromSubmit, WaitFromEligible} }

// checkWaitFrom returns an *OptionError for another value.
func checkWaitFrom(from string) error {
	switch from {
	case "", WaitFromSubmit, WaitFromEligible:
		return nil
	}
	return &OptionError{Option: "wait-from", Saw: strconv.Quote(from), Want: "submit or eligible"}
}

// CountWaitsFrom has the log's waits count from a moment (see Options.WaitFrom).
// Where jobs were held, a warning says so, "wait-from". The log is not yet read.
func (l *Log) CountWaitsFrom(from string) error {
	if err := checkWaitFrom(from); err != nil {
		return err
	}
	if from == "" || l.Lacks(ColEligibleTime) {
		return nil
	}
	batches := l.from.Batches
	if from == WaitFromEligible {
		l.from.Batches = Batches(FromEligibility(Jobs(batches), l.held("waits are counted from eligibility: held jobs are taken to be submitted when they could start")), nil)
		return nil
	}
	held := l.held("waits are counted from submission: held jobs could not start until later")
	l.from.Batches = func(yield func(Batch, error) bool) {
		for rec, err := range batches {
			if err == nil {
				v := NewView(rec)
				for i := range v.rows {
					if v.Float(ColEligibleTime, i) > v.Float(ColSubmitTime, i) {
						held()
					}
				}
			}
			if !yield(rec, err) || err != nil {
				return
			}
		}
	}
	return nil
}

// held returns a function that counts a held job.
func (l *Log) held(text string) func() {
	return func() { l.from.Warnings.Count(Warning{Rule: "wait-from", Text: text, Count: 1}) }
}

// FromEligibility has each job be submitted when it could start, where that is later
// than its submission: the time that it was held is no part of its wait. The jobs of
// a log in order of submission come in order of these times. In memory are the jobs
// that are held. held is called for each of them; it may be nil.
func FromEligibility(jobs JobSeq, held func()) JobSeq {
	return func(yield func(Job, error) bool) {
		var later heap.Heap[Job]
		for j, err := range jobs {
			if err != nil {
				yield(Job{}, err)
				return
			}
			for len(later) > 0 && later[0].At <= j.Submit {
				if !yield(later.Pop().Value, nil) {
					return
				}
			}
			from := j.EligibleFrom()
			if start := j.Start(); from > start { // eligible after its start: it did not wait
				from = max(start, j.Submit)
			}
			if !(from > j.Submit) {
				if !yield(j, nil) {
					return
				}
				continue
			}
			if held != nil {
				held()
			}
			j.Wait -= from - j.Submit
			j.Submit = from
			later.Push(heap.Item[Job]{At: from, Seq: j.Row, Value: j})
		}
		for len(later) > 0 {
			if !yield(later.Pop().Value, nil) {
				return
			}
		}
	}
}
