package predictions

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Indices of Columns.
const (
	jobIDColumn = iota
	predictedColumn
	predictorColumn
	classesColumn
	waitsColumn
	quantileColumn
)

// Columns returns the columns that a table of predictions may have.
func Columns() []workload.TableColumn {
	return []workload.TableColumn{
		{Name: "job_id", Kind: workload.TableWhole},
		{Name: "predicted_s", Kind: workload.TableNumber},
		{Name: "predictor", Kind: workload.TableText, Optional: true},
		{Name: "classes", Kind: workload.TableText, Optional: true},
		{Name: "waits", Kind: workload.TableText, Optional: true},
		{Name: "quantile", Kind: workload.TableNumber, Optional: true},
	}
}

// givenClasses is the name of the classes of predictors of run time if the file does not
// name them.
const givenClasses = "file"

// Read reads the table of the file name, with Columns. of is the predicted quantity, OfRunTimes
// or OfWaits; another value is a *workload.OptionError. Without the column predictor there is
// one predictor, named after the file. A predictor with several quantiles becomes several,
// with names such as name@0.95.
//
// A predictor that predicts a job twice, a row that cannot be a prediction, or a file without
// rows is a *workload.InputError. Predictions that are missing, not finite or negative are
// counted in the warnings of the Table.
func Read(name, of string, table workload.Table) (*Table, error) {
	if of != OfRunTimes && of != OfWaits {
		return nil, workload.OptionFault("of", strconv.Quote(of), "%q or %q", OfRunTimes, OfWaits)
	}
	t := &Table{name: name, of: of, places: map[int64]int32{}, id: workload.Unknown}
	for rows, err := range table {
		if err == nil {
			err = t.checkKind(rows)
		}
		for i := 0; err == nil && i < rows.Rows; i++ {
			err = t.addRow(rows, i)
		}
		if err != nil {
			return nil, err
		}
	}
	if len(t.Jobs) == 0 {
		return nil, &workload.InputError{File: name, Saw: "no row", Want: "a prediction in each"}
	}
	t.nameAll()
	return t, nil
}

// checkKind returns an error if the file has the columns that Loadstone writes for
// predictions of the other kind.
func (t *Table) checkKind(rows *workload.TableRows) error {
	waits, classes := rows.Columns[waitsColumn].HasText(), rows.Columns[classesColumn].HasText()
	switch {
	case t.of == OfRunTimes && waits && !classes:
		return &workload.InputError{File: t.name, Saw: "a column waits: these are predictions of waits", Want: "predictions of run times"}
	case t.of == OfWaits && classes && !waits:
		return &workload.InputError{File: t.name, Saw: "a column classes: these are predictions of run times", Want: "predictions of waits"}
	}
	return nil
}

// addRow adds a row.
func (t *Table) addRow(rows *workload.TableRows, row int) error {
	text := func(column int) string {
		if c := &rows.Columns[column]; c.HasText() {
			return c.TextAt(row)
		}
		return ""
	}
	if waits := cmp.Or(text(waitsColumn), LogWaits); t.of == OfWaits && waits != LogWaits {
		t.odd.Add("simulated-waits", "rows of "+t.name+" with waits of a simulation: left out, as 'predict' scores these", rows.At(row), waits)
		return nil
	}
	k := key{name: text(predictorColumn), classes: cmp.Or(text(classesColumn), givenClasses)}
	if quantiles := rows.Columns[quantileColumn].Number; quantiles != nil && !math.IsNaN(quantiles[row]) {
		if k.quantile = quantiles[row]; !(k.quantile > 0 && k.quantile < 1) {
			return rows.Fault(row, "quantile", fmt.Sprintf("%g", k.quantile), "a number between 0 and 1, or none for a point")
		}
	}
	for _, named := range [][2]string{{"predictor", k.name}, {"classes", k.classes}} {
		if strings.Contains(named[1], ",") { // the comma separates predictor and classes in labels
			return rows.Fault(row, named[0], strconv.Quote(named[1]), "a name without commas")
		}
	}
	id := rows.Columns[jobIDColumn].Whole[row]
	if id == workload.Unknown {
		return rows.Fault(row, "job_id", "no number", "the number of a job")
	}
	place, known := t.places[id]
	if !known {
		place = t.add(Job{id: id, line: rows.At(row)})
		t.places[id] = place
	}
	p := t.predictor(k)
	if !math.IsNaN(p.Of(place)) {
		by := ""
		if p.Name != "" {
			by = " by " + p.Name
		}
		return rows.Fault(row, "job_id", fmt.Sprintf("job %d for the second time%s", id, by), "one prediction for each job")
	}
	x := rows.Columns[predictedColumn].Number[row]
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		t.odd.Add("no-number", "rows of "+t.name+" whose predicted_s is empty or not a finite number: treated as jobs without a prediction", rows.At(row), rows.SawNumber(row, predictedColumn))
		x = math.NaN()
	case x < 0:
		t.odd.Add("negative", "rows of "+t.name+" whose predicted_s is negative: scored as it is, with an accuracy of 0", rows.At(row), rows.SawNumber(row, predictedColumn))
	}
	return t.set(p, place, x)
}

// nameAll names predictors without a name after the file, and appends the quantile to the
// names of predictors that have several.
func (t *Table) nameAll() {
	n := map[[2]string]int{}
	for _, p := range t.Predictors {
		if p.Name == "" && t.name == "-" {
			p.Name = "stdin"
		} else if p.Name == "" {
			p.Name, _, _ = strings.Cut(filepath.Base(t.name), ".")
			p.Name = strings.ReplaceAll(p.Name, ",", "-")
		}
		n[[2]string{p.Name, p.Classes}]++
	}
	for _, p := range t.Predictors {
		if n[[2]string{p.Name, p.Classes}] > 1 && p.Quantile > 0 {
			p.Name += "@" + strconv.FormatFloat(p.Quantile, 'g', -1, 64)
		}
	}
}
