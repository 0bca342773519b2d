package predictions

import (
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Read reads the table of a file, with Columns; of is what is predicted, OfRunTimes or
// OfWaits; another value is a *workload.OptionError. Without the column predictor there is
// one, named after the file. A predictor with several quantiles is one predictor each, such
// as name@0.95.
//
// It is a *workload.InputError if one predictor predicts a job twice, or if a row cannot
// be a prediction. Predictions that are missing, not finite or negative are counted in the
// warnings of the Table.
func Read(name, of string, table workload.Table) (*Table, error) {
	if of != OfRunTimes && of != OfWaits {
		return nil, workload.OptionFault("of", strconv.Quote(of), "%q or %q", OfRunTimes, OfWaits)
	}
	t := &Table{name: name, of: of, places: map[int64]int32{}, id: workload.Unknown}
	var last *Predictor
	for rows, err := range table {
		if err != nil {
			return nil, err
		}
		c := columns{rows}
		if err := t.checkKind(c); err != nil {
			return nil, err
		}
		for i := range rows.Rows {
			if waits := c.text(4, i, LogWaits); of == OfWaits && waits != LogWaits {
				t.odd.Add("simulated-waits", "rows of "+name+" with waits of a simulation: left out, as 'predict' scores these", c.At(i), waits)
				continue
			}
			if last == nil || !last.is(c.predictor(i), c.classes(i), c.quantile(i)) {
				if last, err = t.find(c, i); err != nil {
					return nil, err
				}
			}
			if err := t.addRow(last, c, i); err != nil {
				return nil, err
			}
		}
	}
	if len(t.Jobs) == 0 {
		return nil, &workload.InputError{File: name, Saw: "no row", Want: "a prediction in each"}
	}
	t.nameAll()
	return t, nil
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

// checkKind returns an error for predictions of the other kind, as far as the columns that
// this program writes tell.
func (t *Table) checkKind(c columns) error {
	waits, classes := c.Columns[4].HasText(), c.Columns[3].HasText()
	switch {
	case t.of == OfRunTimes && waits && !classes:
		return &workload.InputError{File: t.name, Saw: "a column waits: these are predictions of waits", Want: "predictions of run times"}
	case t.of == OfWaits && classes && !waits:
		return &workload.InputError{File: t.name, Saw: "a column classes: these are predictions of run times", Want: "predictions of waits"}
	}
	return nil
}

// find returns the predictor of a row, which it adds if it is new.
func (t *Table) find(c columns, row int) (*Predictor, error) {
	predictor, classes, quantile := c.predictor(row), c.classes(row), c.quantile(row)
	if quantile <= 0 || quantile >= 1 {
		return nil, c.Fault(row, "quantile", fmt.Sprintf("%g", quantile), "a number between 0 and 1, or none for a point")
	}
	for column, name := range map[string]string{"predictor": predictor, "classes": classes} {
		if len(workload.SplitList(name)) > 1 { // predictor,classes names a score
			return nil, c.Fault(row, column, strconv.Quote(name), "a name without commas")
		}
	}
	if p := t.predictor(predictor, classes, quantile); p != nil {
		return p, nil
	}
	if len(t.Predictors) == MostPredictors {
		return nil, c.Fault(row, "predictor", fmt.Sprintf("more than %d of them", MostPredictors), "fewer in one file")
	}
	return t.add(predictor, classes, quantile), nil
}

// predictor returns a predictor that is known, else nil.
func (t *Table) predictor(name, classes string, quantile float64) *Predictor {
	for _, p := range t.Predictors {
		if p.is(name, classes, quantile) {
			return p
		}
	}
	return nil
}

func (t *Table) add(name, classes string, quantile float64) *Predictor {
	p := &Predictor{Name: name, Classes: classes, Quantile: quantile}
	t.Predictors = append(t.Predictors, p)
	return p
}

func (p *Predictor) is(name, classes string, quantile float64) bool {
	return p.Name == name && p.Classes == classes && (p.Quantile == quantile || math.IsNaN(p.Quantile) && math.IsNaN(quantile))
}

// addRow adds a row.
func (t *Table) addRow(to *Predictor, c columns, row int) error {
	id := c.Columns[0].Whole[row]
	if id == workload.Unknown {
		return c.Fault(row, "job_id", "no number", "the number of a job")
	}
	jobs := len(t.Jobs)
	place := t.open(id, c.At(row))
	t.cells += jobCells * (len(t.Jobs) - jobs)
	for len(to.seconds) <= int(place) {
		to.seconds = append(to.seconds, unset)
		t.cells++
	}
	if err := t.checkCells(); err != nil {
		return err
	}
	if !isUnset(to.seconds[place]) {
		by := ""
		if to.Name != "" {
			by = " by " + to.Name
		}
		return c.Fault(row, "job_id", fmt.Sprintf("job %d for the second time%s", id, by), "one prediction for each job")
	}
	x := c.Columns[1].Number[row]
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		t.odd.Add("no-number", "rows of "+t.name+" whose predicted_s is empty or not a finite number: treated as jobs without a prediction", c.At(row), c.SawNumber(row, 1))
		x = math.NaN()
	case x < 0:
		t.odd.Add("negative", "rows of "+t.name+" whose predicted_s is negative: scored as it is, with an accuracy of 0", c.At(row), c.SawNumber(row, 1))
	}
	to.seconds[place] = x
	return nil
}

func (t *Table) checkCells() error {
	if t.cells > MostCells {
		return &workload.InputError{File: t.name, Saw: fmt.Sprintf("more than %d predictions, where a job counts as %d more", MostCells, jobCells), Want: "fewer: score some of the predictors at a time"}
	}
	return nil
}

// unset is the bits of a NaN that stands for no row.
var unset = math.Float64frombits(0x7ff8_0000_0000_0bad)

func isUnset(x float64) bool { return math.Float64bits(x) == math.Float64bits(unset) }

// open returns the place of a job, which it adds if it is new.
func (t *Table) open(id, line int64) int32 {
	if id == t.id && len(t.Jobs) > 0 {
		return t.place
	}
	place, ok := t.places[id]
	if !ok {
		place = int32(len(t.Jobs))
		t.places[id] = place
		t.Jobs = append(t.Jobs, Job{id: id, line: line})
	}
	t.id, t.place = id, place
	return place
}

// nameAll gives predictors without a name that of the file, and makes the names of one
// with several quantiles differ.
func (t *Table) nameAll() {
	type label struct{ predictor, classes string }
	n := map[label]int{}
	for _, p := range t.Predictors {
		if p.Name == "" && t.name == "-" {
			p.Name = "stdin"
		} else if p.Name == "" {
			p.Name, _, _ = strings.Cut(filepath.Base(t.name), ".")
			p.Name = strings.ReplaceAll(p.Name, ",", "-")
		}
		n[label{p.Name, p.Classes}]++
	}
	for _, p := range t.Predictors {
		if n[label{p.Name, p.Classes}] > 1 && !math.IsNaN(p.Quantile) {
			p.Name += "@" + strconv.FormatFloat(p.Quantile, 'g', -1, 64)
		}
	}
}
