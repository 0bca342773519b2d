package workload

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
)

// madeUpSWF writes jobs as the archive's logs have them: columns padded with
// blanks, many fields unknown, a few decimals, times that grow.
func madeUpSWF(seed uint64, size int) []byte {
	rng := rand.New(rand.NewPCG(seed, 0))
	out := make([]byte, 0, size+256)
	out = append(out, "; Version: 2.2\n; MaxProcs: 1024\n; UnixStartTime: 843480031\n"...)
	submit := 0
	for id := 1; len(out) < size; id++ {
		submit += rng.IntN(600)
		run := 1 << rng.IntN(17)
		run += rng.IntN(run)
		procs := 1 << rng.IntN(9)
		cpu := "-1"
		if rng.IntN(3) == 0 {
			cpu = strconv.FormatFloat(float64(rng.IntN(100*run))/100, 'f', 2, 64)
		}
		out = fmt.Appendf(out, "%6d %8d %6d %6d %4d %8s %5d %4d %6d    -1 %2d %3d %3d %3d %2d -1 -1 -1\n",
			id, submit, rng.IntN(100000), run, procs, cpu, -1, procs, 3600*(1+rng.IntN(40)), rng.IntN(2),
			1+rng.IntN(200), 1+rng.IntN(20), rng.IntN(500), rng.IntN(10))
	}
	return out
}

var benchSWF = sync.OnceValue(func() []byte { return madeUpSWF(1, 100<<20) })

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
				l, err := openSWF("made-up.swf", bytes.NewReader(text), Options{Workers: workers})
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
	var sum [swfFields]float64
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
	l, err := openSWF("made-up.swf", bytes.NewReader(text[:20<<20]), Options{})
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
	w, err := NewWriter("swf", io.Discard, Header{})
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
