package evaluate

import (
	"fmt"
	"iter"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Predictions are what other programs, or an earlier run, predicted for the jobs of a
// log. They are held in memory, by the numbers of the jobs, while the log is read.
type Predictions struct {
	name  string
	of    string // PredictedRunTimes or PredictedWaits
	kinds []*predictedKind
	cells int
	odd   workload.Warnings
}

// What Predictions are of.
const (
	PredictedRunTimes = "runtime"
	PredictedWaits    = "wait"
)

// The bounds of what is held: MostPredictions predictions, of 8 bytes, where a job
// counts as jobCells more, and MostPredicted predictors.
const (
	MostPredictions = 1 << 26
	MostPredicted   = 1000

	jobCells = 6
)

// givenClasses names the classes of predictors of run time whose file does not say
// them.
const givenClasses = "file"

// predictedKind are the predictions of one kind of waits, or of run times.
type predictedKind struct {
	waits  string
	places map[int64]int32 // of jobs, by their number
	jobs   []predictedJob
	said   []*predicted
	id     int64 // of the job that was looked up last
	place  int32
}

type predictedJob struct {
	id     int64
	line   int64   // of its first row
	actual float64 // s, as the file has it; NaN where it does not
	seen   bool    // the log has it
}

// predicted are the predictions of one predictor, by the places of the jobs.
type predicted struct {
	predictor, classes string
	quantile           float64 // NaN of a point
	seconds            []float64
	set                int // how many places have a row
	units              unitGuess
}

// PredictionColumns are the columns that a table of predictions may have.
func PredictionColumns() []workload.TableColumn {
	return []workload.TableColumn{
		{Name: "job_id", Kind: workload.TableWhole},
		{Name: "predicted_s", Kind: workload.TableNumber},
		{Name: "predictor", Kind: workload.TableText, Optional: true},
		{Name: "classes", Kind: workload.TableText, Optional: true},
		{Name: "waits", Kind: workload.TableText, Optional: true},
		{Name: "quantile", Kind: workload.TableNumber, Optional: true},
		{Name: "actual_s", Kind: workload.TableNumber, Optional: true},
	}
}

// ReadPredictions reads the table of a file, with PredictionColumns; of says what is
// predicted. Without the column predictor there is one, named after the file. A
// predictor with several quantiles is one predictor each, such as name@0.95.
//
// A job that one predictor predicts twice, and what cannot be a prediction at all, is
// a *workload.InputError. Predictions that are missing, no numbers or negative are
// counted in the warnings of the result.
func ReadPredictions(name, of string, table workload.Table) (*Predictions, error) {
	p := &Predictions{name: name, of: of}
	var last *predicted
	var kind *predictedKind
	for rows, err := range table {
		if err != nil {
			return nil, err
		}
		c := predictionRows{rows}
		if err := p.checkKind(c); err != nil {
			return nil, err
		}
		for i := range rows.Rows {
			if kind == nil || kind.waits != c.waits(p.of, i) {
				kind = p.kind(c.waits(p.of, i))
				last = nil
			}
			if last == nil || !last.is(c.predictor(i), c.classes(i), c.quantile(i)) {
				if q := c.quantile(i); q <= 0 || q >= 1 {
					return nil, rows.Fault(i, "quantile", fmt.Sprintf("%g", q), "a number between 0 and 1, or none for a point")
				}
				last = kind.find(c.predictor(i), c.classes(i), c.quantile(i))
				if len(kind.said) > MostPredicted {
					return nil, rows.Fault(i, "predictor", fmt.Sprintf("more than %d of them", MostPredicted), "fewer in one file")
				}
			}
			if err := p.add(kind, last, c, i); err != nil {
				return nil, err
			}
		}
	}
	if len(p.kinds) == 0 {
		return nil, &workload.InputError{File: name, Saw: "no row", Want: "a prediction in each"}
	}
	names := map[string]bool{}
	for _, k := range p.kinds {
		k.nameAll(name)
		for _, d := range k.said {
			if of == PredictedWaits && names[d.predictor] { // of other waits
				d.predictor += "@" + k.waits
			}
			names[d.predictor] = true
		}
	}
	return p, nil
}

// predictionRows names the columns of rows.
type predictionRows struct{ *workload.TableRows }

func (r predictionRows) text(column, row int, none string) string {
	if all := r.Columns[column].Text; all != nil && all[row] != "" {
		return all[row]
	}
	return none
}

func (r predictionRows) predictor(row int) string { return r.text(2, row, "") }

func (r predictionRows) classes(row int) string { return r.text(3, row, givenClasses) }

func (r predictionRows) waits(of string, row int) string {
	if of == PredictedRunTimes {
		return ""
	}
	return r.text(4, row, LogWaits)
}

func (r predictionRows) quantile(row int) float64 { return r.number(5, row) }

func (r predictionRows) actual(row int) float64 { return r.number(6, row) }

func (r predictionRows) number(column, row int) float64 {
	if all := r.Columns[column].Number; all != nil {
		return all[row]
	}
	return math.NaN()
}

// checkKind refuses predictions of the other kind, which only what this program wrote
// says.
func (p *Predictions) checkKind(r predictionRows) error {
	waits, classes := r.Columns[4].Text != nil, r.Columns[3].Text != nil
	switch {
	case p.of == PredictedRunTimes && waits && !classes:
		return &workload.InputError{File: p.name, Saw: "a column waits: these are predictions of waits", Want: "predictions of run times"}
	case p.of == PredictedWaits && classes && !waits:
		return &workload.InputError{File: p.name, Saw: "a column classes: these are predictions of run times", Want: "predictions of waits"}
	}
	return nil
}

// add enters a row.
func (p *Predictions) add(k *predictedKind, to *predicted, r predictionRows, row int) error {
	id := r.Columns[0].Whole[row]
	if id == workload.Unknown {
		return r.Fault(row, "job_id", "no number", "the number of a job")
	}
	jobs := len(k.jobs)
	place := k.open(id, r.At(row), r.actual(row))
	p.cells += jobCells * (len(k.jobs) - jobs)
	for len(to.seconds) <= int(place) {
		to.seconds = append(to.seconds, unset)
		p.cells++
	}
	if p.cells > MostPredictions {
		return &workload.InputError{File: p.name, Saw: fmt.Sprintf("more than %d predictions, where a job counts as %d more", MostPredictions, jobCells), Want: "fewer: score some of the predictors at a time"}
	}
	if !isUnset(to.seconds[place]) {
		return r.Fault(row, "job_id", fmt.Sprintf("job %d for the second time%s", id, to.after()), "one prediction for each job")
	}
	x := r.Columns[1].Number[row]
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		p.odd.Add("no-number", "rows of "+p.name+" whose predicted_s is empty or no finite number: taken as jobs without a prediction", r.At(row), strconv.FormatFloat(x, 'g', -1, 64))
		x = math.NaN()
	case x < 0:
		p.odd.Add("negative", "rows of "+p.name+" whose predicted_s is negative: scored as it is, with an accuracy of 0", r.At(row), strconv.FormatFloat(x, 'g', -1, 64))
	}
	to.seconds[place] = x
	to.set++
	return nil
}

// unset is the bits of a NaN that stands for no row.
var unset = math.Float64frombits(0x7ff8_0000_0000_0bad)

func isUnset(x float64) bool { return math.Float64bits(x) == math.Float64bits(unset) }

// after is " by NAME", where it has a name.
func (d *predicted) after() string {
	if d.predictor == "" {
		return ""
	}
	return " by " + d.predictor
}

func (d *predicted) is(predictor, classes string, quantile float64) bool {
	return d.predictor == predictor && d.classes == classes && (d.quantile == quantile || math.IsNaN(d.quantile) && math.IsNaN(quantile))
}

// kind finds the predictions of some waits, or begins them.
func (p *Predictions) kind(waits string) *predictedKind {
	for _, k := range p.kinds {
		if k.waits == waits {
			return k
		}
	}
	k := &predictedKind{waits: waits, places: map[int64]int32{}, id: workload.Unknown}
	p.kinds = append(p.kinds, k)
	return k
}

func (k *predictedKind) find(predictor, classes string, quantile float64) *predicted {
	for _, d := range k.said {
		if d.is(predictor, classes, quantile) {
			return d
		}
	}
	d := &predicted{predictor: predictor, classes: classes, quantile: quantile}
	k.said = append(k.said, d)
	return d
}

// open returns a job's place, a new one where it has none.
func (k *predictedKind) open(id, line int64, actual float64) int32 {
	if id == k.id && len(k.jobs) > 0 {
		return k.place
	}
	place, ok := k.places[id]
	if !ok {
		place = int32(len(k.jobs))
		k.places[id] = place
		k.jobs = append(k.jobs, predictedJob{id: id, line: line, actual: actual})
	}
	k.id, k.place = id, place
	return place
}

// look returns a job's place, -1 where it has none.
func (k *predictedKind) look(id int64) int32 {
	if id != k.id {
		place, ok := k.places[id]
		if !ok {
			place = -1
		}
		k.id, k.place = id, place
	}
	return k.place
}

// of is the prediction of the job at a place, NaN where there is none.
func (d *predicted) of(place int32) float64 {
	if place < 0 || int(place) >= len(d.seconds) {
		return math.NaN()
	}
	return d.seconds[place]
}

// nameAll gives a predictor without a name that of the file, and makes the names of
// one with several quantiles differ.
func (k *predictedKind) nameAll(file string) {
	type label struct{ predictor, classes string }
	n := map[label]int{}
	for _, d := range k.said {
		if d.predictor == "" {
			d.predictor, _, _ = strings.Cut(filepath.Base(file), ".")
			d.predictor = strings.ReplaceAll(d.predictor, ",", "-")
		}
		n[label{d.predictor, d.classes}]++
	}
	for _, d := range k.said {
		if n[label{d.predictor, d.classes}] > 1 && !math.IsNaN(d.quantile) {
			d.predictor += "@" + strconv.FormatFloat(d.quantile, 'g', -1, 64)
		}
	}
}

// watch looks at the jobs of the log on their way: at which of them are predicted, and
// at the unit of the predictions. actual is what is predicted of a job.
func (p *Predictions) watch(jobs iter.Seq2[workload.Job, error], actual func(*workload.Job) float64) iter.Seq2[workload.Job, error] {
	return func(yield func(workload.Job, error) bool) {
		for j, err := range jobs {
			if err == nil {
				for _, k := range p.kinds {
					p.see(k, &j, actual(&j))
				}
			}
			if !yield(j, err) || err != nil {
				return
			}
		}
	}
}

func (p *Predictions) see(k *predictedKind, j *workload.Job, actual float64) {
	place, ok := k.places[j.ID]
	if !ok {
		return
	}
	if k.jobs[place].seen {
		p.odd.Add("repeated-job-id", "jobs of the log with the number of an earlier one: they have its predictions", 0, j.Label())
	}
	k.jobs[place].seen = true
	if k.waits != "" && k.waits != LogWaits { // which actual is not
		return
	}
	for _, d := range k.said {
		d.units.add(d.of(place), actual)
	}
}

// unknown counts the jobs that the log lacks; it is an error that it lacks all.
func (p *Predictions) unknown(log string) error {
	found := 0
	for _, k := range p.kinds {
		for _, j := range k.jobs {
			if j.seen {
				found++
			} else {
				p.odd.Add("unknown-job", "jobs of "+p.name+" that the log does not have: not scored", j.line, fmt.Sprintf("job %d", j.id))
			}
		}
	}
	if found == 0 {
		j := p.kinds[0].jobs[0]
		return &workload.InputError{File: p.name, Line: j.line, Field: "job_id", Saw: fmt.Sprintf("job %d, and no job that %s has", j.id, log), Want: "the numbers of its jobs"}
	}
	return nil
}

// warnings are those of the predictions, after the log has been read.
func (p *Predictions) warnings() []workload.Warning {
	for _, k := range p.kinds {
		for _, d := range k.said {
			if text := d.units.suspicion(); text != "" {
				p.odd.Add("unit", d.predictor+": "+text, 0, "")
			}
		}
	}
	return p.odd.List()
}
