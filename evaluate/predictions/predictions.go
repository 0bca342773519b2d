// Package predictions reads tables of predictions that other programs, or an earlier
// run, made for the jobs of a log.
//
//	a file --Read--> Table --Watch(jobs of the log)--> Predictor.Of(Table.Look(job))
//
// A Table is held in memory and looked up by job number. Watch records which of its jobs the
// log has. Package evaluate scores a Table.
package predictions

import (
	"fmt"
	"iter"
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// The quantities that a Table can predict.
const (
	OfRunTimes = "runtime"
	OfWaits    = "wait"
)

// LogWaits names the log's own waits among the kinds of waits.
const LogWaits = "log"

// MostCells is the largest number of predictions, of 8 bytes each, in a Table. Each job
// counts as another jobCells predictions.
const (
	MostCells = 1 << 26
	jobCells  = 6
)

// Table contains the predictions in one file.
type Table struct {
	Jobs       []Job
	Predictors []*Predictor

	name  string
	of    string // OfRunTimes or OfWaits
	cells int
	odd   workload.Warnings
	named map[key]*Predictor

	places map[int64]int32 // indices in Jobs, by job number
	id     int64           // number of the job that was looked up last, and its place
	place  int32
}

// key identifies a predictor.
type key struct {
	name, classes string
	quantile      float64 // 0 for point predictions
}

// Job is a job of the file; its place is its index in Table.Jobs.
type Job struct {
	id   int64
	line int64 // of its first row
	seen bool  // the log has the job
}

// Predictor contains the predictions of one predictor.
type Predictor struct {
	Name, Classes string
	Quantile      float64   // 0 for point predictions
	seconds       []float64 // by place of the job; NaN if there is no prediction
}

// Names returns the names of the predictors.
func (t *Table) Names() []string {
	var names []string
	for _, p := range t.Predictors {
		names = append(names, p.Name)
	}
	return names
}

// Quantile returns the quantile of the first bound, 0 if there is none.
func (t *Table) Quantile() float64 {
	for _, p := range t.Predictors {
		if p.Quantile > 0 {
			return p.Quantile
		}
	}
	return 0
}

// CheckOf returns a *workload.InputError unless the predictions are of the given quantity,
// OfRunTimes or OfWaits.
func (t *Table) CheckOf(of string) error {
	if t.of == of {
		return nil
	}
	words := map[string]string{OfRunTimes: "predictions of run times", OfWaits: "predictions of waits"}
	return &workload.InputError{File: t.name, Saw: words[t.of], Want: words[of]}
}

// predictor returns the predictor with a key, and adds it if it is new.
func (t *Table) predictor(k key) *Predictor {
	p := t.named[k]
	if p == nil {
		p = &Predictor{Name: k.name, Classes: k.classes, Quantile: k.quantile}
		if t.named == nil {
			t.named = map[key]*Predictor{}
		}
		t.named[k] = p
		t.Predictors = append(t.Predictors, p)
	}
	return p
}

// set stores a predictor's prediction, in seconds, for the job at a place.
func (t *Table) set(p *Predictor, place int32, seconds float64) error {
	for len(p.seconds) <= int(place) {
		p.seconds = append(p.seconds, math.NaN())
		t.cells++
	}
	p.seconds[place] = seconds
	return t.checkCells()
}

func (t *Table) checkCells() error {
	if t.cells > MostCells {
		return &workload.InputError{File: t.name, Saw: fmt.Sprintf("more than %d predictions, where a job counts as %d more", MostCells, jobCells), Want: "fewer: score some of the predictors at a time"}
	}
	return nil
}

// add adds a job and returns its place.
func (t *Table) add(j Job) int32 {
	t.Jobs = append(t.Jobs, j)
	t.cells += jobCells
	return int32(len(t.Jobs) - 1)
}

// Look returns the place in the table of a job of the log, or -1 if it is not there.
func (t *Table) Look(r *workload.Request) int32 {
	if r.ID != t.id {
		place, ok := t.places[r.ID]
		if !ok {
			place = -1
		}
		t.id, t.place = r.ID, place
	}
	return t.place
}

// Of returns the prediction in seconds for the job at a place; NaN if there is none.
func (p *Predictor) Of(place int32) float64 {
	if place < 0 || int(place) >= len(p.seconds) {
		return math.NaN()
	}
	return p.seconds[place]
}

// Watch returns the same jobs of the log, and records which of them are predicted.
func (t *Table) Watch(jobs iter.Seq2[workload.Job, error]) iter.Seq2[workload.Job, error] {
	return workload.Each(jobs, t.see)
}

func (t *Table) see(j *workload.Job) {
	place := t.Look(&j.Request)
	if place < 0 {
		return
	}
	if t.Jobs[place].seen {
		t.odd.Add("repeated-job-id", "jobs of the log with the number of an earlier one: they have its predictions", 0, j.Label())
	}
	t.Jobs[place].seen = true
}

// Warnings returns the warnings about the predictions, including those about jobs that the
// log lacks. Call it once, after the log has been read. It returns a *workload.InputError if
// the log has none of the table's jobs.
func (t *Table) Warnings(log string) ([]workload.Warning, error) {
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
		return nil, &workload.InputError{File: t.name, Line: j.line, Field: "job_id", Saw: fmt.Sprintf("job %d, and no job that %s has", j.id, log), Want: "the numbers of its jobs"}
	}
	return t.odd.List(), nil
}
