package workload

import (
	"bytes"
	"io"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/memory"
)

const benchJobs = 1 << 20

// benchRecords is a made-up log in memory.
func benchRecords(b *testing.B) []arrow.Record {
	var recs []arrow.Record
	for rec := range madeUpLog(1, benchJobs, DefaultBatchRows, memory.DefaultAllocator) {
		recs = append(recs, rec)
	}
	b.Cleanup(func() {
		for _, rec := range recs {
			rec.Release()
		}
	})
	return recs
}

func reportJobs(b *testing.B, jobs int) {
	b.ReportMetric(float64(jobs)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mjobs/s")
}

func BenchmarkWriteParquet(b *testing.B) {
	recs := benchRecords(b)
	for _, workers := range []int{1, 2} {
		b.Run("workers="+string(rune('0'+workers)), func(b *testing.B) {
			var size int64
			for b.Loop() {
				count := &tellWriter{w: io.Discard}
				w, err := newParquetWriter(count, Header{}, workers)
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
				size = count.n
			}
			reportJobs(b, benchJobs)
			b.ReportMetric(float64(size)/benchJobs, "B/job")
		})
	}
}

func BenchmarkReadParquet(b *testing.B) {
	recs := benchRecords(b)
	data := parquetBytes(b, Header{}, func(yield func(arrow.Record, error) bool) {
		for _, rec := range recs {
			if !yield(rec, nil) {
				return
			}
		}
	})
	for _, workers := range []int{1, 2} {
		b.Run("workers="+string(rune('0'+workers)), func(b *testing.B) {
			for b.Loop() {
				l, err := openParquet("x", bytes.NewReader(data), int64(len(data)), Options{Workers: workers})
				if err != nil {
					b.Fatal(err)
				}
				var rows int64
				for rec, err := range l.Batches() {
					if err != nil {
						b.Fatal(err)
					}
					rows += rec.NumRows()
				}
				if rows != benchJobs {
					b.Fatal(rows)
				}
				l.Close()
			}
			reportJobs(b, benchJobs)
		})
	}
}

func BenchmarkWriteCSV(b *testing.B) {
	recs := benchRecords(b)
	for _, workers := range []int{1, 2} {
		b.Run("workers="+string(rune('0'+workers)), func(b *testing.B) {
			var size int64
			for b.Loop() {
				count := &tellWriter{w: io.Discard}
				w, err := NewWriter("csv", count, Header{})
				if err != nil {
					b.Fatal(err)
				}
				o := Output{w: w, workers: workers}
				if err := o.WriteAll(sequence(recs)); err != nil {
					b.Fatal(err)
				}
				size = count.n
			}
			reportJobs(b, benchJobs)
			b.ReportMetric(float64(size)*float64(b.N)/b.Elapsed().Seconds()/1e6, "MB/s")
		})
	}
}
