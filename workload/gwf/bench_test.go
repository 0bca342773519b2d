package gwf_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/gwf"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// madeUpGWF writes jobs as the archive's logs have them: tabs, names for
// users, groups, executables, queues and sites, mostly nothing after that.
func madeUpGWF(seed uint64, size int) []byte {
	rng := rand.New(rand.NewPCG(seed, 0))
	out := make([]byte, 0, size+512)
	out = append(out, "# Grid Workload Format\n# MaxProcs: 1024\n"...)
	submit := 1_100_000_000
	for id := 1; len(out) < size; id++ {
		submit += rng.IntN(600)
		run := 1 << rng.IntN(17)
		run += rng.IntN(run)
		procs := 1 << rng.IntN(6)
		cpu := "-1"
		if rng.IntN(3) == 0 {
			cpu = strconv.FormatFloat(float64(rng.IntN(100*run))/100, 'f', 2, 64)
		}
		site := rng.IntN(9)
		out = fmt.Appendf(out, "%d\t%d\t%d\t%d\t%d\t%s\t%d\t%d\t%d\t-1\t%d\tU%d\tG%d\tX%d\tQ%d\t-1\tG1/site%d\tG1/site%d/c%d\tUNITARY\t-1\t-1\t-1\t-1\t-1\t-1\t-1\t-1\tVO%d\t-1\n",
			id, submit, rng.IntN(100000), run, procs, cpu, rng.IntN(1<<20), procs, 3600*(1+rng.IntN(40)), rng.IntN(2),
			1+rng.IntN(300), 1+rng.IntN(20), rng.IntN(2000), rng.IntN(10), site, site, rng.IntN(3), rng.IntN(4))
	}
	return out
}

var benchGWF = sync.OnceValue(func() []byte { return madeUpGWF(1, 100<<20) })

// BenchmarkReadGWF reads 100 MB from memory. input=loadstone is this package;
// input=scanner-and-fields is the obvious program in Go, which checks less,
// makes no columns and leaves names as they are.
func BenchmarkReadGWF(b *testing.B) {
	text := benchGWF()
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("input=loadstone/workers=%d", workers), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			jobs := 0
			for b.Loop() {
				l, err := gwf.Open("made-up.gwf", bytes.NewReader(text), workload.Options{Workers: workers})
				if err != nil {
					b.Fatal(err)
				}
				jobs = 0
				for rec, err := range l.Batches() {
					if err != nil {
						b.Fatal(err)
					}
					jobs += int(rec.NumRows())
				}
			}
			b.ReportMetric(float64(jobs)*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
		})
	}
	b.Run("input=scanner-and-fields/workers=1", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			if err := scanGWF(bytes.NewReader(text)); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func scanGWF(r io.Reader) error {
	s := bufio.NewScanner(r)
	var sum [gwf.GwfUser]float64
	for s.Scan() {
		if strings.HasPrefix(s.Text(), "#") {
			continue
		}
		for i, word := range strings.Fields(s.Text())[:gwf.GwfUser] {
			x, err := strconv.ParseFloat(word, 64)
			if err != nil {
				return err
			}
			sum[i] += x
		}
	}
	return s.Err()
}

// BenchmarkWriteGrid formats jobs of a grid, whose names are in the header.
func BenchmarkWriteGrid(b *testing.B) {
	l, err := gwf.Open("made-up.gwf", bytes.NewReader(madeUpGWF(2, 20<<20)), workload.Options{})
	if err != nil {
		b.Fatal(err)
	}
	var recs []arrow.Record
	jobs := 0
	for rec, err := range l.Batches() {
		if err != nil {
			b.Fatal(err)
		}
		rec.Retain()
		recs = append(recs, rec)
		jobs += int(rec.NumRows())
	}
	for _, format := range []string{"gwf", "batsim"} {
		b.Run("format="+format, func(b *testing.B) {
			for b.Loop() {
				w, err := logfile.NewWriter(format, io.Discard, l.Header)
				if err != nil {
					b.Fatal(err)
				}
				for _, rec := range recs {
					if err := w.Write(rec); err != nil {
						b.Fatal(err)
					}
				}
				if err := w.Close(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(jobs)*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
		})
	}
}
