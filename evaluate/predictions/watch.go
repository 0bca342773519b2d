package predictions

import (
	"fmt"
	"iter"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Watch passes the jobs of the log on, and notes which of them are predicted and in
// which unit the predictions seem to be. actual returns what is predicted of a job, s.
func (t *Table) Watch(jobs iter.Seq2[workload.Job, error], actual func(*workload.Job) float64) iter.Seq2[workload.Job, error] {
	return func(yield func(workload.Job, error) bool) {
		for j, err := range jobs {
			if err == nil {
				t.see(&j, actual(&j))
			}
			if !yield(j, err) || err != nil {
				return
			}
		}
	}
}

func (t *Table) see(j *workload.Job, actual float64) {
	if t.byRow { // the log has the jobs of its own store, and seconds are seconds
		if place := t.Look(&j.Request); place >= 0 {
			t.Jobs[place].seen = true
		}
		return
	}
	place, ok := t.places[j.ID]
	if !ok {
		return
	}
	if t.Jobs[place].seen {
		t.odd.Add("repeated-job-id", "jobs of the log with the number of an earlier one: they have its predictions", 0, j.Label())
	}
	t.Jobs[place].seen = true
	for _, p := range t.Predictors {
		p.units.add(p.Of(place), actual)
	}
}

// CountUnknown counts the jobs of the table that the log did not have. It is an error
// if the log had none of them.
func (t *Table) CountUnknown(log string) error {
	found := 0
	for _, j := range t.Jobs {
		if j.seen {
			found++
		} else {
			t.odd.Add("unknown-job", "jobs of "+t.name+" that the log does not have: not scored", j.line, fmt.Sprintf("job %d", j.id))
		}
	}
	if found == 0 {
		j := t.Jobs[0]
		return &workload.InputError{File: t.name, Line: j.line, Field: "job_id", Saw: fmt.Sprintf("job %d, and no job that %s has", j.id, log), Want: "the numbers of its jobs"}
	}
	return nil
}

// Warnings returns those of the predictions, after the log has been read.
func (t *Table) Warnings() []workload.Warning {
	for _, p := range t.Predictors {
		if text := p.units.suspicion(); text != "" {
			t.odd.Add("unit", p.Name+": "+text, 0, "")
		}
	}
	return t.odd.List()
}
