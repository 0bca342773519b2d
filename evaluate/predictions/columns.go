package predictions

import (
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
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

// givenClasses names the classes of predictors of run time whose file does not say
// them.
const givenClasses = "file"

// columns names the cells of rows.
type columns struct{ *workload.TableRows }

func (c columns) predictor(row int) string { return c.text(2, row, "") }

func (c columns) classes(row int) string { return c.text(3, row, givenClasses) }

func (c columns) quantile(row int) float64 { return c.number(5, row) }

func (c columns) text(column, row int, none string) string {
	if all := &c.Columns[column]; all.HasText() && all.TextAt(row) != "" {
		return all.TextAt(row)
	}
	return none
}

func (c columns) number(column, row int) float64 {
	if all := c.Columns[column].Number; all != nil {
		return all[row]
	}
	return math.NaN()
}
