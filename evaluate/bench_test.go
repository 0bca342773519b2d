package evaluate

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/loadstone-hpc/loadstone/evaluate/predictions"
	"github.com/loadstone-hpc/loadstone/internal/reallogs"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

func openLog(b *testing.B, path string) *workload.Log {
	log, err := logfile.Open(path, workload.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { log.Close() })
	return log
}

// BenchmarkConformal scores conformal on whole logs, its trainings included.
func BenchmarkConformal(b *testing.B) {
	for name, file := range map[string]string{"KTH": "KTH-SP2-1996-2.1-cln.swf.gz", "RICC": "RICC-2010-2.swf.gz"} {
		path := reallogs.Path(b, "swf/"+file)
		b.Run("log="+name, func(b *testing.B) {
			jobs := 0
			for b.Loop() {
				r, err := Waits(context.Background(), openLog(b, path), WaitsOptions{Predictors: []string{"conformal"}})
				if err != nil {
					b.Fatal(err)
				}
				jobs += r.Log.Jobs
			}
			b.ReportMetric(float64(jobs)/b.Elapsed().Seconds(), "jobs/s")
		})
	}
}

// BenchmarkScore scores a table of predictions for each job of RICC, beside reading
// the log and the table alone.
func BenchmarkScore(b *testing.B) {
	path := reallogs.Path(b, "swf/RICC-2010-2.swf.gz")
	var csv bytes.Buffer
	csv.WriteString("job_id,predicted_s\n")
	jobs := 0
	for j, err := range openLog(b, path).Jobs() {
		if err != nil {
			b.Fatal(err)
		}
		jobs++
		fmt.Fprintf(&csv, "%d,%v\n", j.ID, j.Time)
	}
	for _, step := range []string{"read", "score"} {
		b.Run("step="+step, func(b *testing.B) {
			for b.Loop() {
				p, err := readText(b, predictions.OfRunTimes, csv.String())
				if err != nil {
					b.Fatal(err)
				}
				log := openLog(b, path)
				if step == "read" {
					for _, err := range log.Jobs() {
						if err != nil {
							b.Fatal(err)
						}
					}
				} else if _, err := ScoreRunTimes(context.Background(), p, log, RunTimesOptions{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(jobs)*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
		})
	}
}
