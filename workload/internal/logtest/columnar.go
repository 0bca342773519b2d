package logtest

import (
	"bytes"
	"math"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// MadeUpLog yields batches with the unknown values and repetitions of a real log: some columns
// are never known, some always, some now and then; there are few users and many run times.
func MadeUpLog(seed uint64, jobs, batch int) workload.BatchSeq {
	return func(yield func(*workload.Batch, error) bool) {
		rng := rand.New(rand.NewPCG(seed, 1))
		b := &workload.Batch{}
		submit := 0.0
		for i := range jobs {
			j := workload.UnknownJob()
			submit += math.Floor(rng.ExpFloat64() * 90)
			j.ID, j.Submit = int64(i+1), submit
			j.Wait = math.Floor(math.Exp(rng.NormFloat64()*3 + 3))
			j.Run = math.Floor(math.Exp(rng.NormFloat64()*2 + 6))
			j.Allocated = 1 << rng.IntN(9)
			j.Processors = j.Allocated
			if rng.IntN(4) > 0 {
				j.CPUTime = math.Round(j.Run*rng.Float64()*100) / 100
			}
			if rng.IntN(10) > 0 {
				j.Time = float64(1+rng.IntN(96)) * 900
			}
			if rng.IntN(50) == 0 {
				j.UsedMemory = float64(rng.IntN(1 << 20))
			}
			j.Status = int64(rng.IntN(2))
			j.User, j.Group = int64(rng.ExpFloat64()*40), int64(rng.IntN(12))
			if rng.IntN(20) > 0 {
				j.Application = int64(rng.ExpFloat64() * 200)
			}
			j.Queue = int64(rng.IntN(4))
			if i%1000 > 600 {
				j.Partition = 1
			}
			b.Append(&j)
			if b.Rows == batch || i == jobs-1 {
				if !yield(b, nil) {
					return
				}
				b = &workload.Batch{}
			}
		}
	}
}

// Collect returns all batches of a log as one.
func Collect(t Failer, batches workload.BatchSeq) *workload.Batch {
	t.Helper()
	all := &workload.Batch{}
	for b, err := range batches {
		if err != nil {
			t.Fatal(err)
		}
		if b.Rows > workload.DefaultBatchRows {
			t.Errorf("a batch of %d rows", b.Rows)
		}
		for i := range b.Rows {
			j := b.Job(i, 0)
			all.Append(&j)
		}
	}
	return all
}

// Failer is the interface that tests and property tests share.
type Failer interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

// WriteAll writes batches to w and closes it.
func WriteAll(t Failer, w workload.Writer, batches workload.BatchSeq) {
	t.Helper()
	for b, err := range batches {
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(b); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// SameBatches fails the test if two batches differ in a value.
func SameBatches(t Failer, got, want *workload.Batch) {
	t.Helper()
	if got.Rows != want.Rows {
		t.Fatalf("%d rows, want %d", got.Rows, want.Rows)
	}
	for i := range workload.NumColumns {
		for r := range got.Rows {
			x, y := got.Float(i, r), want.Float(i, r)
			if got.Int(i, r) != want.Int(i, r) || math.Float64bits(x) != math.Float64bits(y) && (x == x || y == y) {
				t.Fatalf("%s row %d: %v or %d, want %v or %d", workload.ColumnAt(i).Name, r, x, got.Int(i, r), y, want.Int(i, r))
			}
		}
	}
}

// MadeUpSWF returns the text of a made-up log in SWF.
func MadeUpSWF(t Failer, seed uint64, jobs int) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := logfile.NewWriter("swf", &b, workload.Header{Lines: []string{" Version: 2.2", " MaxProcs: 1024"}}, workload.WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	WriteAll(t, w, MadeUpLog(seed, jobs, 1000))
	return b.Bytes()
}
