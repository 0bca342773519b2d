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
				for _, k := range t.Kinds {
					t.see(k, &j, actual(&j))
				}
			}
			if !yield(j, err) || err != nil {
				return
			}
		}
	}
}

func (t *Table) see(k *Kind, j *workload.Job, actual float64) {
	if k.byRow { // the log has the jobs of its own store, and seconds are seconds
		if place := k.Look(&j.Request); place >= 0 {
			k.Jobs[place].Seen = true
		}
		return
	}
	place, ok := k.places[j.ID]
	if !ok {
		return
	}
	if k.Jobs[place].Seen {
		t.odd.Add("repeated-job-id", "jobs of the log with the number of an earlier one: they have its predictions", 0, j.Label())
	}
	k.Jobs[place].Seen = true
	if k.Waits != "" && k.Waits != LogWaits { // simulated: actual is the log's
		return
	}
	for _, p := range k.Predictors {
		p.units.add(p.Of(place), actual)
	}
}

// CountUnknown counts the jobs of the table that the log did not have. It is an error
// if the log had none of them.
func (t *Table) CountUnknown(log string) error {
	found := 0
	for _, k := range t.Kinds {
		for _, j := range k.Jobs {
			if j.Seen {
				found++
			} else {
				t.odd.Add("unknown-job", "jobs of "+t.name+" that the log does not have: not scored", j.line, fmt.Sprintf("job %d", j.id))
			}
		}
	}
	if found == 0 {
		j := t.Kinds[0].Jobs[0]
		return &workload.InputError{File: t.name, Line: j.line, Field: "job_id", Saw: fmt.Sprintf("job %d, and no job that %s has", j.id, log), Want: "the numbers of its jobs"}
	}
	return nil
}

// Warnings returns those of the predictions, after the log has been read.
func (t *Table) Warnings() []workload.Warning {
	for _, k := range t.Kinds {
		for _, p := range k.Predictors {
			if text := p.units.suspicion(); text != "" {
				t.odd.Add("unit", p.Name+": "+text, 0, "")
			}
		}
	}
	return t.odd.List()
}
