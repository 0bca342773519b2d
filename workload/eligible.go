package workload

import (
	"strconv"

	"github.com/loadstone-hpc/loadstone/internal/heap"
)

// The values of Options.WaitFrom: the moments from which waits are counted.
const (
	WaitFromSubmit   = "submit"   // from submission
	WaitFromEligible = "eligible" // from the time at which the job could start, if it was held
)

// WaitsFrom returns the values of Options.WaitFrom.
func WaitsFrom() []string { return []string{WaitFromSubmit, WaitFromEligible} }

// checkWaitFrom returns an *OptionError unless from is a value of Options.WaitFrom.
func checkWaitFrom(from string) error {
	switch from {
	case "", WaitFromSubmit, WaitFromEligible:
		return nil
	}
	return &OptionError{Option: "wait-from", Saw: strconv.Quote(from), Want: "submit or eligible"}
}

// CountWaitsFrom makes the log count waits from a moment, one of WaitsFrom (see
// Options.WaitFrom). Call it before the log is read. Held jobs are counted in a warning under
// the rule "wait-from". Any other value is an *OptionError.
func (l *Log) CountWaitsFrom(from string) error {
	if err := checkWaitFrom(from); err != nil {
		return err
	}
	if from == "" || l.Lacks(ColEligibleTime) {
		return nil
	}
	batches := l.from.Batches
	if from == WaitFromEligible {
		l.from.Batches = Batches(FromEligibility(Jobs(batches), &l.from.Warnings))
		return nil
	}
	l.from.Batches = func(yield func(*Batch, error) bool) {
		for b, err := range batches {
			if err == nil {
				for i := range b.Rows {
					if b.Float(ColEligibleTime, i) > b.Float(ColSubmitTime, i) {
						l.from.Warnings.Count(heldJob("waits are counted from submission: held jobs could not start until later"))
					}
				}
			}
			if !yield(b, err) || err != nil {
				return
			}
		}
	}
	return nil
}

func heldJob(text string) Warning { return Warning{Rule: "wait-from", Text: text, Count: 1} }

// FromEligibility yields jobs with waits that count from the time at which they could start
// (Job.EligibleFrom). A job that was held gets that time as its Submit, and its Wait is reduced
// by the time for which it was held.
//
// The jobs must be in order of submission. They are yielded in order of their new submission, so
// held jobs stay in memory until then. Held jobs are counted in odd, which may be nil, under the
// rule "wait-from". A job that became eligible only after its start counts as eligible at its
// start, under the rule "eligible-after-start".
func FromEligibility(jobs JobSeq, odd *Warnings) JobSeq {
	if odd == nil {
		odd = new(Warnings)
	}
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
			if start := j.Start(); from > start {
				from = max(start, j.Submit)
				odd.Add("eligible-after-start", "jobs eligible after their start: taken to be eligible when they started", 0, j.Label())
			}
			if !(from > j.Submit) {
				if !yield(j, nil) {
					return
				}
				continue
			}
			odd.Count(heldJob("waits are counted from eligibility: held jobs are taken to be submitted when they could start"))
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
