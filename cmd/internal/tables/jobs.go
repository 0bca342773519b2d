package tables

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/workload"
)

// MostRows is how many jobs a table for people shows.
const MostRows = 20

func known(n int64) string {
	if n == workload.Unknown {
		return "-"
	}
	return strconv.FormatInt(n, 10)
}

func Jobs(w io.Writer, jobs workload.JobSeq) error {
	t := present.Table{Head: []string{"job", "submit_s", "wait_s", "run_s", "processors", "requested_s", "status", "user", "application", "queue", "partition", "nodes", "gpus", "account", "qos", "sequential_s", "parallelism", "sigma"}}
	n := 0
	for j, err := range jobs {
		if err != nil {
			return err
		}
		if n++; n <= MostRows {
			asked := j.Asked.Value()
			t.Add(known(j.ID), present.Fixed(j.Submit, -1), present.Fixed(j.Wait, -1), present.Fixed(j.Run, -1), known(j.Size), present.Fixed(j.Time, -1),
				known(j.Status), known(j.User), known(j.Application), known(j.Queue), known(j.Partition),
				known(asked.TakesNodes), known(asked.TakesGPUs), known(asked.Account), known(asked.QOS), present.Fixed(j.SequentialTime, -1), present.Fixed(j.AverageParallelism, -1), present.Fixed(j.Sigma, -1))
		}
	}
	for _, rare := range []string{"nodes", "gpus", "account", "qos", "sequential_s", "parallelism", "sigma"} {
		t = t.Without(rare, "-")
	}
	if _, err := io.WriteString(w, t.String()); err != nil {
		return err
	}
	if n > MostRows {
		_, err := fmt.Fprintf(w, "... and %d more; -o FILE or --format csv gives all\n", n-MostRows)
		return err
	}
	return nil
}

// JobsJSON writes {"schema":..., "jobs":[...]} as the jobs come; what is
// unknown is left out.
func JobsJSON(w io.Writer, batches workload.BatchSeq) error {
	buf := fmt.Appendf(nil, "{\"schema\":%q,\"jobs\":[", workload.SchemaVersion)
	columns := workload.Columns()
	sep := ""
	for rec, err := range batches {
		if err == nil {
			err = workload.CheckFinite(rec)
		}
		if err != nil {
			return err
		}
		v := workload.NewView(rec)
		for i := range v.Len() {
			buf = append(append(buf, sep...), '\n', '{')
			sep = ","
			comma := ""
			for c := range columns {
				x, n := math.NaN(), workload.Unknown
				if columns[c].Float() {
					x = v.Float(c, i)
				} else {
					n = v.Int(c, i)
				}
				if math.IsNaN(x) && n == workload.Unknown {
					continue
				}
				buf = fmt.Appendf(buf, "%s%q:", comma, columns[c].Name)
				comma = ","
				if columns[c].Float() {
					buf = strconv.AppendFloat(buf, x, 'f', -1, 64)
				} else {
					buf = strconv.AppendInt(buf, n, 10)
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
