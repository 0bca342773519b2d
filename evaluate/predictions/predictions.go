// Package predictions reads tables of predictions that other programs, or an earlier
// run, made for the jobs of a log.
//
//	a file --Read--> Table --Watch(jobs of the log)--> Predictor.Of(Table.Look(job))
//
// A Table is held in memory, by the numbers of the jobs. Watch
// notes which jobs the log has. Package evaluate scores a Table.
package predictions

import (
	"fmt"
	"iter"
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// What the predictions of a Table are of.
const (
	OfRunTimes = "runtime"
	OfWaits    = "wait"
)

// LogWaits names the log's own waits among the kinds of waits.
const LogWaits = "log"

// MostCells is the largest number of predictions, of 8 bytes, in a Table, where a job
// counts as jobCells more.
const (
	MostCells = 1 << 26
	jobCells  = 6
)

// Table is the predictions in one file.
type Table struct {
	Jobs       []Job
	Predictors []*Predictor

	name  string
	of    string // OfRunTimes or OfWaits
	cells int
	odd   workload.Warnings
	named map[key]*Predictor

	places map[int64]int32 // of jobs, by their number
	id     int64           // of the job that was looked up last
	place  int32
}

// key is what predictors differ in.
type key struct {
	name, classes string
	quantile      float64 // 0 for points
}

// Job is a job of the file; its place is its index in Table.Jobs.
type Job struct {
	id   int64
	line int64 // of its first row
	seen bool  // the log has it
}

// Predictor is the predictions of one predictor.
type Predictor struct {
	Name, Classes string
	Quantile      float64   // 0 for points
	seconds       []float64 // by the places of the jobs
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

// CheckOf returns a *workload.InputError if the predictions are not of that quantity,
// OfRunTimes or OfWaits.
func (t *Table) CheckOf(of string) error {
	if t.of == of {
		return nil
	}
	words := map[string]string{OfRunTimes: "predictions of run times", OfWaits: "predictions of waits"}
	return &workload.InputError{File: t.name, Saw: words[t.of], Want: words[of]}
}

// predictor returns a predictor, which it adds if it is new.
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

// set gives a predictor its prediction, s, for the job at a place.
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

// add adds a job, and returns its place.
func (t *Table) add(j Job) int32 {
	t.Jobs = append(t.Jobs, j)
	t.cells += jobCells
	return int32(len(t.Jobs) - 1)
}

// Look returns the place of a job of the log, -1 if it has none.
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

// Of returns the prediction, s, for the job at a place; NaN if there is none.
func (p *Predictor) Of(place int32) float64 {
	if place < 0 || int(place) >= len(p.seconds) {
		return math.NaN()
	}
	return p.seconds[place]
}

// Watch passes the jobs of the log on, and notes which of them are predicted.
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

// Warnings returns those of the predictions, after the log has been read: of jobs of the
// table that it did not have, too. It is an error if it had none of them.
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
