package logtest

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"

	"github.com/loadstone-hpc/loadstone/workload"
)

// BenchRead reads a log of so many bytes, which open opens with a number of workers,
// as the sub-benchmarks name/workers=1 and name/workers=2.
func BenchRead(b *testing.B, name string, size int, open func(workers int) (*workload.Log, error)) {
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("%s/workers=%d", name, workers), func(b *testing.B) {
			b.SetBytes(int64(size))
			jobs := 0
			for b.Loop() {
				l, err := open(workers)
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
}

// BenchOther runs a program to compare with over so many bytes.
func BenchOther(b *testing.B, name string, size int, run func() error) {
	b.Run(name+"/workers=1", func(b *testing.B) {
		b.SetBytes(int64(size))
		for b.Loop() {
			if err := run(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchWrite writes batches by a writer that create makes.
func BenchWrite(b *testing.B, recs []arrow.Record, create func() (workload.Writer, error)) {
	jobs := 0
	for _, rec := range recs {
		jobs += int(rec.NumRows())
	}
	for b.Loop() {
		w, err := create()
		if err != nil {
			b.Fatal(err)
		}
		WriteAll(b, w, Sequence(recs))
	}
	b.ReportMetric(float64(jobs)*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
}

// Batches are those of a log, which stay in memory.
func Batches(t Failer, l *workload.Log, err error) (recs []arrow.Record) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	for rec, err := range l.Batches() {
		if err != nil {
			t.Fatal(err)
		}
		rec.Retain()
		recs = append(recs, rec)
	}
	return recs
}

// ScanFields is the obvious program in Go to read a text of jobs: it checks less than
// a reader, makes no columns, and passes over comments, which begin with mark, and
// fields after so many.
func ScanFields(r io.Reader, mark string, fields int) error {
	s := bufio.NewScanner(r)
	sum := make([]float64, fields)
	for s.Scan() {
		if strings.HasPrefix(s.Text(), mark) {
			continue
		}
		for i, word := range strings.Fields(s.Text())[:fields] {
			x, err := strconv.ParseFloat(word, 64)
			if err != nil {
				return err
			}
			sum[i] += x
		}
	}
	return s.Err()
}
