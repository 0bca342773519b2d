package swf_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
	"github.com/loadstone-hpc/loadstone/workload/swf"
)

var benchSWF = sync.OnceValue(func() []byte { return logtest.MadeUpSWF(1, 100<<20) })

// BenchmarkReadSWF reads 100 MB from memory. input=loadstone is this package;
// the others are what it is to be compared with: counting lines, and the
// obvious program in Go, which checks less and makes no columns.
func BenchmarkReadSWF(b *testing.B) {
	text := benchSWF()
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("input=loadstone/workers=%d", workers), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			jobs := 0
			for b.Loop() {
				l, err := swf.Open("made-up.swf", bytes.NewReader(text), workload.Options{Workers: workers})
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
			if err := scanFields(bytes.NewReader(text)); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("input=count-newlines/workers=1", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			if bytes.Count(text, []byte{'\n'}) == 0 {
				b.Fatal("no lines")
			}
		}
	})
}

func scanFields(r io.Reader) error {
	s := bufio.NewScanner(r)
	var sum [parse.Fields]float64
	for s.Scan() {
		if strings.HasPrefix(s.Text(), ";") {
			continue
		}
		for i, word := range strings.Fields(s.Text()) {
			x, err := strconv.ParseFloat(word, 64)
			if err != nil {
				return err
			}
			sum[i] += x
		}
	}
	return s.Err()
}

// BenchmarkWriteSWF formats jobs as text.
func BenchmarkWriteSWF(b *testing.B) {
	text := benchSWF()
	l, err := swf.Open("made-up.swf", bytes.NewReader(text[:20<<20]), workload.Options{})
	if err != nil {
		b.Fatal(err)
	}
	var recs []arrow.Record
	jobs := 0
	for rec, err := range l.Batches() {
		if err != nil {
			break // the text is cut in the middle of a line
		}
		rec.Retain()
		recs = append(recs, rec)
		jobs += int(rec.NumRows())
	}
	w, err := logfile.NewWriter("swf", io.Discard, workload.Header{})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		for _, rec := range recs {
			if err := w.Write(rec); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(jobs)*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
}
