package logtest

import (
	"math"
	"math/rand/v2"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/loadstone-hpc/loadstone/workload"
)

// MadeUpLog yields batches with the unknown values and repetitions of a real log: some
// columns never known, some always, some now and then; few users, many run times.
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

// Collect is a log's batches as one.
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

// Failer is what tests and property tests have in common.
type Failer interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

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

// SameBatches fails where two batches differ in a value.
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

// RecordOf is a batch as a record of Arrow's, for the library's writers.
func RecordOf(b *workload.Batch) arrow.Record {
	var fields []arrow.Field
	var arrays []arrow.Array
	for i, c := range workload.Columns() {
		known := make([]bool, b.Rows)
		if c.Float() {
			to := array.NewFloat64Builder(memory.DefaultAllocator)
			values := make([]float64, b.Rows)
			for r := range values {
				values[r] = b.Float(i, r)
				known[r] = values[r] == values[r]
			}
			to.AppendValues(values, known)
			arrays = append(arrays, to.NewArray())
		} else {
			to := array.NewInt64Builder(memory.DefaultAllocator)
			values := make([]int64, b.Rows)
			for r := range values {
				values[r] = b.Int(i, r)
				known[r] = values[r] != workload.Unknown
			}
			to.AppendValues(values, known)
			arrays = append(arrays, to.NewArray())
		}
		fields = append(fields, arrow.Field{Name: c.Name, Type: arrays[i].DataType(), Nullable: true})
	}
	return array.NewRecord(arrow.NewSchema(fields, nil), arrays, int64(b.Rows))
}

// BatchOf is a record of the library's readers, with the columns of the job table, as a batch.
func BatchOf(rec arrow.Record) *workload.Batch {
	b := &workload.Batch{Rows: int(rec.NumRows())}
	for i := range workload.NumColumns {
		switch a := rec.Column(i).(type) {
		case *array.Float64:
			b.Floats[i] = append([]float64(nil), a.Float64Values()...)
			for r := range b.Floats[i] {
				if a.IsNull(r) {
					b.Floats[i][r] = math.NaN()
				}
			}
		case *array.Int64:
			b.Ints[i] = append([]int64(nil), a.Int64Values()...)
			for r := range b.Ints[i] {
				if a.IsNull(r) {
					b.Ints[i][r] = workload.Unknown
				}
			}
		}
	}
	return b
}
