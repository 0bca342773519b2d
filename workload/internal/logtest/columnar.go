package logtest

import (
	"iter"
	"math"
	"math/rand/v2"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/loadstone-hpc/loadstone/workload"
)

// MadeUpLog yields batches with the nulls and repetitions of a real log: some
// columns never known, some always, some now and then; few users, many run
// times. Records are the receiver's to release.
func MadeUpLog(seed uint64, jobs, batch int, mem memory.Allocator) iter.Seq2[arrow.Record, error] {
	return func(yield func(arrow.Record, error) bool) {
		rng := rand.New(rand.NewPCG(seed, 1))
		b := workload.NewBuilder(mem)
		defer b.Release()
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
			if b.Len() == batch || i == jobs-1 {
				if !yield(b.Record(), nil) {
					return
				}
			}
		}
	}
}

// Collect is a log's batches as one record, which the caller releases.
func Collect(t Failer, batches iter.Seq2[arrow.Record, error], mem memory.Allocator) arrow.Record {
	t.Helper()
	var parts [workload.NumColumns][]arrow.Array
	defer func() {
		for i := range parts {
			for _, a := range parts[i] {
				a.Release()
			}
		}
	}()
	var rows int64
	for rec, err := range batches {
		if err != nil {
			t.Fatal(err)
		}
		if rec.NumRows() > workload.DefaultBatchRows {
			t.Errorf("a batch of %d rows", rec.NumRows())
		}
		for i := range parts {
			rec.Column(i).Retain()
			parts[i] = append(parts[i], rec.Column(i))
		}
		rows += rec.NumRows()
	}
	var cols [workload.NumColumns]arrow.Array
	for i := range cols {
		if len(parts[i]) == 0 {
			continue
		}
		a, err := array.Concatenate(parts[i], mem)
		if err != nil {
			t.Fatal(err)
		}
		cols[i] = a
	}
	return RecordOf(&cols, int(rows), mem)
}

// Owned releases each record after it was used.
func Owned(batches iter.Seq2[arrow.Record, error]) iter.Seq2[arrow.Record, error] {
	return func(yield func(arrow.Record, error) bool) {
		for rec, err := range batches {
			goOn := yield(rec, err)
			if rec != nil {
				rec.Release()
			}
			if !goOn {
				return
			}
		}
	}
}

// Failer is what tests and property tests have in common.
type Failer interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

func WriteAll(t Failer, w workload.Writer, batches iter.Seq2[arrow.Record, error]) {
	t.Helper()
	for rec, err := range batches {
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(rec); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// SameRecords fails where two records differ in a value or a null.
func SameRecords(t Failer, got, want arrow.Record) {
	t.Helper()
	if got.NumRows() != want.NumRows() {
		t.Fatalf("%d rows, want %d", got.NumRows(), want.NumRows())
	}
	for i := range workload.NumColumns {
		if !array.Equal(got.Column(i), want.Column(i)) {
			for r := range int(got.NumRows()) {
				if got.Column(i).IsNull(r) != want.Column(i).IsNull(r) || got.Column(i).ValueStr(r) != want.Column(i).ValueStr(r) {
					t.Fatalf("%s row %d: %s, want %s", workload.ColumnAt(i).Name, r, got.Column(i).ValueStr(r), want.Column(i).ValueStr(r))
				}
			}
			t.Fatalf("%s differs", workload.ColumnAt(i).Name)
		}
	}
}

// RecordOf makes a batch of columns, which it takes over; those that are nil are
// unknown.
func RecordOf(cols *[workload.NumColumns]arrow.Array, n int, mem memory.Allocator) arrow.Record {
	for i := range cols {
		if cols[i] == nil {
			cols[i] = workload.NullColumn(i, n)
		}
		defer cols[i].Release()
	}
	return array.NewRecord(workload.Schema(), cols[:], int64(n))
}
