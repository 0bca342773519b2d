package mapping_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/mapping"
)

// madeUpCSV is a file as a site's database gives it: seven columns, of which
// users and states are texts.
func madeUpCSV(seed uint64, size int, stamps, quotes bool) []byte {
	rng := rand.New(rand.NewPCG(seed, 0))
	b := bytes.NewBuffer(make([]byte, 0, size+256))
	b.WriteString("JobID,User,Submitted,Elapsed,Cores,State,Nodes\n")
	at := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	for id := 1; b.Len() < size; id++ {
		at = at.Add(time.Duration(rng.IntN(60)) * time.Second)
		submit := fmt.Sprint(at.Unix())
		if stamps {
			submit = at.Format("2006-01-02 15:04:05")
		}
		user := fmt.Sprintf("user%d", rng.IntN(300))
		if quotes {
			user = `"` + user + `"`
		}
		fmt.Fprintf(b, "%d,%s,%s,%d,%d,COMPLETED,node[%d-%d]\n", id, user, submit, rng.IntN(100000), 1<<rng.IntN(9), rng.IntN(100), rng.IntN(100))
	}
	return b.Bytes()
}

// BenchmarkReadCSV reads 32 MB from memory; input=encoding-csv is the standard
// library's reader, which makes no numbers.
func BenchmarkReadCSV(b *testing.B) {
	pairs := map[string]string{"job_id": "JobID", "user": "User", "submit_time": "Submitted", "run_time": "Elapsed", "requested_processors": "Cores", "status": "State"}
	for _, c := range []struct {
		name           string
		stamps, quotes bool
	}{{"seconds", false, false}, {"stamps", true, false}, {"quotes", true, true}} {
		text := madeUpCSV(1, 32<<20, c.stamps, c.quotes)
		logtest.BenchRead(b, "input="+c.name, len(text), func(workers int) (*workload.Log, error) {
			return mapping.OpenCSV("x.csv", bytes.NewReader(text), workload.Options{Workers: workers, Map: pairs, TimeZone: "UTC"})
		})
	}
	text := madeUpCSV(1, 32<<20, true, false)
	logtest.BenchOther(b, "input=encoding-csv", len(text), func() error {
		r := csv.NewReader(bytes.NewReader(text))
		r.ReuseRecord = true
		for {
			if _, err := r.Read(); err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
		}
	})
}

// BenchmarkReadTrace reads a table of tasks of the Workflow Trace Archive from
// memory.
func BenchmarkReadTrace(b *testing.B) {
	const jobs = 1 << 19
	file := logtest.ForeignParquet(b, logtest.MadeUpWTA(1, jobs), 1<<17)
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			b.SetBytes(int64(len(file)))
			for b.Loop() {
				if n, err := logtest.Drain(logtest.OpenParquetBytes(file, workload.Options{Workers: workers})); n != jobs {
					b.Fatal(n, err)
				}
			}
			logtest.ReportJobs(b, jobs)
		})
	}
}
