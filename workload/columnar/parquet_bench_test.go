package columnar_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

const benchJobs = 1 << 20

// benchRecords is a made-up log in memory.
func benchRecords(b *testing.B) []arrow.Record {
	var recs []arrow.Record
	for rec := range logtest.MadeUpLog(1, benchJobs, workload.DefaultBatchRows, memory.DefaultAllocator) {
		recs = append(recs, rec)
	}
	b.Cleanup(func() {
		for _, rec := range recs {
			rec.Release()
		}
	})
	return recs
}

func BenchmarkWriteParquet(b *testing.B) {
	recs := benchRecords(b)
	for _, workers := range []int{1, 2} {
		b.Run("workers="+string(rune('0'+workers)), func(b *testing.B) {
			var size int64
			for b.Loop() {
				count := &columnar.TellWriter{W: io.Discard}
				w, err := columnar.NewParquetWriter(count, workload.Header{}, 0, workers)
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
				size = count.N
			}
			logtest.ReportJobs(b, benchJobs)
			b.ReportMetric(float64(size)/benchJobs, "B/job")
		})
	}
}

func BenchmarkReadParquet(b *testing.B) {
	recs := benchRecords(b)
	data := parquetBytes(b, workload.Header{}, func(yield func(arrow.Record, error) bool) {
		for _, rec := range recs {
			if !yield(rec, nil) {
				return
			}
		}
	})
	for _, workers := range []int{1, 2} {
		b.Run("workers="+string(rune('0'+workers)), func(b *testing.B) {
			for b.Loop() {
				l, err := columnar.OpenParquet("x", bytes.NewReader(data), int64(len(data)), workload.Options{Workers: workers})
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
			logtest.ReportJobs(b, benchJobs)
		})
	}
}

func BenchmarkWriteCSV(b *testing.B) {
	recs := benchRecords(b)
	for _, workers := range []int{1, 2} {
		b.Run("workers="+string(rune('0'+workers)), func(b *testing.B) {
			var size int64
			for b.Loop() {
				count := &columnar.TellWriter{W: io.Discard}
				o, err := logfile.NewOutput("csv", count, workload.Header{}, workload.WriteOptions{Workers: workers})
				if err != nil {
					b.Fatal(err)
				}
				if err := o.WriteAll(logtest.Sequence(recs)); err != nil {
					b.Fatal(err)
				}
				size = count.N
			}
			logtest.ReportJobs(b, benchJobs)
			b.ReportMetric(float64(size)*float64(b.N)/b.Elapsed().Seconds()/1e6, "MB/s")
		})
	}
}
