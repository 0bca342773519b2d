// Package predictions reads tables of predictions that other programs, or an earlier
// run, made for the jobs of a log.
//
//	a file --Read--> Table --Watch(jobs of the log)--> Predictor.Of(Table.Look(job))
//	the store of a live service --ReadStore--> the same
//
// A Table is held in memory, by the numbers of the jobs, or by their rows in a store. Watch notes which jobs the log
// has, and finds predictions that are not in seconds. Package evaluate scores a Table.
package predictions

import (
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

// The limits of a Table: MostCells predictions, of 8 bytes, where a job counts as
// jobCells more, and MostPredictors predictors of one kind.
const (
	MostCells      = 1 << 26
	MostPredictors = 1000

	jobCells = 6
)

// Table is the predictions in one file.
type Table struct {
	Jobs       []Job
	Predictors []*Predictor

	name  string
	of    string // OfRunTimes or OfWaits
	cells int
	odd   workload.Warnings

	byRow  bool            // the place of a job is its row in the log, which is a store
	places map[int64]int32 // else of jobs, by their number
	id     int64           // of the job that was looked up last
	place  int32
}

// Job is a job of the file; its place is its index in Table.Jobs.
type Job struct {
	id   int64
	line int64 // of its first row
	seen bool  // the log has it

	// Of a store: its answers are scored, and it has started by the end of the store.
	scored, started bool
}

// Predictor is the predictions of one predictor.
type Predictor struct {
	Name, Classes string
	Quantile      float64 // NaN for points
	// Outwaited counts, in a store, the jobs without a start that have waited longer than
	// the bound, or had when they were withdrawn.
	Outwaited int

	seconds []float64 // by the places of the jobs
	units   unitGuess
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

// OfStore reports whether the predictions are of a store. Which of its jobs are scored
// is then known (Scored); otherwise the first tenth trains.
func (t *Table) OfStore() bool { return t.byRow }

// Scored reports whether a job of a store has answers that are scored, and had started when
// the table was read: the store may have grown since.
func (t *Table) Scored(r *workload.Request) bool {
	place := t.Look(r)
	return place >= 0 && t.Jobs[place].scored && t.Jobs[place].started
}

// Look returns the place of a job of the log, -1 if it has none.
func (t *Table) Look(r *workload.Request) int32 {
	if t.byRow {
		if r.Row < 0 || r.Row >= int64(len(t.Jobs)) {
			return -1
		}
		return int32(r.Row)
	}
	id := r.ID
	if id != t.id {
		place, ok := t.places[id]
		if !ok {
			place = -1
		}
		t.id, t.place = id, place
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
