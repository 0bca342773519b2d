package tables

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/workload"
)

// MostRows is the largest number of jobs in a table for people.
const MostRows = 20

// shownColumns are the columns of a table of jobs for people.
const shownColumns = "job submit wait run size time status user application queue partition nodes gpus account qos sequential parallelism sigma"

// shortName shortens the names of columns for people.
var shortName = strings.NewReplacer("_time_s", "_s", "_id", "")

// appendKnown appends the value of a job in a column: x unless it is NaN, or else n unless it is
// unknown, or else nothing.
func appendKnown(text []byte, x float64, n int64) []byte {
	switch {
	case !math.IsNaN(x):
		return strconv.AppendFloat(text, x, 'f', -1, 64)
	case n != workload.Unknown:
		return strconv.AppendInt(text, n, 10)
	}
	return text
}

// Jobs writes the first MostRows jobs as a table.
func Jobs(w io.Writer, jobs workload.JobSeq) error {
	var first []workload.Job
	n := 0
	for j, err := range jobs {
		if err != nil {
			return err
		}
		if n++; n <= MostRows {
			first = append(first, j)
		}
	}
	people := view.For(first)
	for word := range strings.FieldsSeq(shownColumns) {
		c := workload.FindColumn(word)
		people.With("last", shortName.Replace(c.Name), func(i int) string { return string(appendKnown(nil, c.Number(&first[i]), c.Int(&first[i]))) })
	}
	_, err := io.WriteString(w, prose.Text("jobs", firstJobs{people, n - len(first)}))
	return err
}

// firstJobs is the data of the template.
type firstJobs struct {
	Table *view.People
	More  int // number of further jobs
}

// JobsJSON writes {"schema":..., "jobs":[...]}, a batch at a time. Unknown values are
// left out.
func JobsJSON(w io.Writer, batches workload.BatchSeq) error {
	buf := fmt.Appendf(nil, "{\"schema\":%q,\"jobs\":[", workload.SchemaVersion)
	columns := workload.Columns()
	var value []byte
	sep := ""
	for b, err := range batches {
		if err == nil {
			err = workload.CheckFinite(b)
		}
		if err != nil {
			return err
		}
		for i := range b.Rows {
			buf = append(append(buf, sep...), '\n', '{')
			sep = ","
			comma := ""
			for c := range columns {
				if value = appendKnown(value[:0], b.Float(c, i), b.Int(c, i)); len(value) > 0 {
					buf = fmt.Appendf(buf, "%s%q:%s", comma, columns[c].Name, value)
					comma = ","
				}
			}
			buf = append(buf, '}')
		}
		if _, err := w.Write(buf); err != nil {
			return err
		}
		buf = buf[:0]
	}
	_, err := w.Write(append(buf, "\n]}\n"...))
	return err
}
