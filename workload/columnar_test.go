package workload

import (
	"bytes"
	"iter"
	"math"
	"math/rand/v2"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
)

// madeUpLog yields batches with the nulls and repetitions of a real log: some
// columns never known, some always, some now and then; few users, many run
// times. Records are the receiver's to release.
func madeUpLog(seed uint64, jobs, batch int, mem memory.Allocator) iter.Seq2[arrow.Record, error] {
	return func(yield func(arrow.Record, error) bool) {
		rng := rand.New(rand.NewPCG(seed, 1))
		b := NewBuilder(mem)
		defer b.Release()
		submit := 0.0
		for i := range jobs {
			j := UnknownJob()
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

// collect is a log's batches as one record, which the caller releases.
func collect(t failer, batches iter.Seq2[arrow.Record, error], mem memory.Allocator) arrow.Record {
	t.Helper()
	var parts [NumColumns][]arrow.Array
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
		if rec.NumRows() > DefaultBatchRows {
			t.Errorf("a batch of %d rows", rec.NumRows())
		}
		for i := range parts {
			rec.Column(i).Retain()
			parts[i] = append(parts[i], rec.Column(i))
		}
		rows += rec.NumRows()
	}
	var cols [NumColumns]arrow.Array
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
	return newRecord(&cols, int(rows), mem)
}

// owned releases each record after it was used.
func owned(batches iter.Seq2[arrow.Record, error]) iter.Seq2[arrow.Record, error] {
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

// collectAny is collect for batches of any size.
func collectAny(t failer, batches iter.Seq2[arrow.Record, error], mem memory.Allocator) arrow.Record {
	return collect(t, func(yield func(arrow.Record, error) bool) {
		for rec, err := range batches {
			for at := int64(0); err == nil && at < rec.NumRows(); at += DefaultBatchRows {
				part := rec.NewSlice(at, min(at+DefaultBatchRows, rec.NumRows()))
				goOn := yield(part, nil)
				part.Release()
				if !goOn {
					return
				}
			}
			if err != nil {
				yield(nil, err)
				return
			}
		}
	}, mem)
}

// failer is what tests and property tests have in common.
type failer interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

func writeAll(t failer, w Writer, batches iter.Seq2[arrow.Record, error]) {
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

func parquetBytes(t failer, h Header, batches iter.Seq2[arrow.Record, error]) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := newParquetWriter(&b, h, 0)
	if err != nil {
		t.Fatal(err)
	}
	writeAll(t, w, batches)
	return b.Bytes()
}

// sameRecords fails where two records differ in a value or a null.
func sameRecords(t failer, got, want arrow.Record) {
	t.Helper()
	if got.NumRows() != want.NumRows() {
		t.Fatalf("%d rows, want %d", got.NumRows(), want.NumRows())
	}
	for i := range NumColumns {
		if !array.Equal(got.Column(i), want.Column(i)) {
			for r := range int(got.NumRows()) {
				if got.Column(i).IsNull(r) != want.Column(i).IsNull(r) || got.Column(i).ValueStr(r) != want.Column(i).ValueStr(r) {
					t.Fatalf("%s row %d: %s, want %s", ColumnAt(i).Name, r, got.Column(i).ValueStr(r), want.Column(i).ValueStr(r))
				}
			}
			t.Fatalf("%s differs", ColumnAt(i).Name)
		}
	}
}

// pullBatches gives a log's batches one by one, nil after the last.
func pullBatches(l *Log) (next func() arrow.Record, stop func()) {
	pull, stop := iter.Pull2(l.Batches())
	return func() arrow.Record {
		rec, err, ok := pull()
		if !ok || err != nil {
			return nil
		}
		return rec
	}, stop
}
