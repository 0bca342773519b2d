package inspect

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// madeUpLog is a log of a machine of 1024 processors, some 60 jobs waiting and
// as many running at a time; back is by how much submissions go back at times.
func madeUpLog(jobs, back int) []byte {
	rng := rand.New(rand.NewPCG(1, 0))
	out := []byte("; Version: 2.2\n; MaxProcs: 1024\n; UnixStartTime: 843480031\n")
	submit := 1000000
	for id := 1; id <= jobs; id++ {
		submit += rng.IntN(60)
		at := submit
		if back > 0 && rng.IntN(10) == 0 {
			at -= rng.IntN(back)
		}
		procs := 1 << rng.IntN(6)
		out = fmt.Appendf(out, "%d %d %d %d %d -1 -1 %d %d -1 1 %d %d %d %d -1 -1 -1\n",
			id, at, rng.IntN(3600), 1+rng.IntN(3600), procs, procs, 3600, 1+rng.IntN(200), 1+rng.IntN(20), rng.IntN(500), rng.IntN(10))
	}
	return out
}

// BenchmarkValidate checks every rule; input=swf reads the text too, and
// check=read does nothing else.
func BenchmarkValidate(b *testing.B) {
	const jobs = 1 << 19
	for _, back := range []int{0, 100000} {
		text := madeUpLog(jobs, back)
		read := func(workers int) *workload.Log {
			log, err := logfile.OpenReader("x.swf", bytes.NewReader(text), workload.Options{Workers: workers})
			if err != nil {
				b.Fatal(err)
			}
			return log
		}
		var kept []workload.Batch
		for rec, err := range read(0).Batches() {
			if err != nil {
				b.Fatal(err)
			}
			rec.Retain()
			kept = append(kept, rec)
		}
		memory := func(yield func(workload.Batch, error) bool) {
			for _, rec := range kept {
				if !yield(rec, nil) {
					return
				}
			}
		}
		run := func(name string, check func() error) {
			b.Run(fmt.Sprintf("back=%d/%s", back, name), func(b *testing.B) {
				for b.Loop() {
					if err := check(); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(jobs)*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
			})
		}
		for _, c := range []struct {
			name  string
			rules []string
		}{{"all", nil}, {"all-but-busy", []string{"[a-l]*", "[n-z]*"}}} {
			run("input=memory/check="+c.name, func() error {
				log, from := workload.NewLog("", "")
				from.Batches = memory
				_, err := Validate(b.Context(), log, ValidateOptions{Processors: 1024, First: 3, Rules: c.rules})
				return err
			})
		}
		run("input=swf/check=all", func() error {
			log := read(0)
			_, err := Validate(b.Context(), log, ValidateOptions{First: 3})
			return err
		})
		run("input=swf/check=read", func() error {
			for _, err := range read(0).Batches() {
				if err != nil {
					return err
				}
			}
			return nil
		})
		for _, rec := range kept {
			rec.Release()
		}
	}
}
