package workload

import (
	"fmt"
	"math"
	"testing"
)

// benchJobs are jobs as most logs have them: some columns never known.
func benchJobs(n int) []Job {
	jobs := make([]Job, n)
	for i := range jobs {
		j := UnknownJob()
		j.ID, j.Submit, j.Wait, j.Run = int64(i), float64(60*i), float64(i%500), float64(i%5000)
		j.Processors, j.Allocated, j.Status, j.User = 4, 4, 1, int64(i%40)
		if i%10 > 0 {
			j.Time = 3600
		}
		jobs[i] = j
	}
	return jobs
}

func BenchmarkBuilderAppend(b *testing.B) {
	jobs := benchJobs(DefaultBatchRows)
	builder := NewBuilder(nil)
	defer builder.Release()
	for b.Loop() {
		for i := range jobs {
			builder.Append(&jobs[i])
		}
		builder.Record().Release()
	}
	b.ReportMetric(float64(b.N)*float64(len(jobs))/b.Elapsed().Seconds(), "jobs/s")
}

func BenchmarkViewJob(b *testing.B) {
	jobs := benchJobs(DefaultBatchRows)
	builder := NewBuilder(nil)
	defer builder.Release()
	for i := range jobs {
		builder.Append(&jobs[i])
	}
	rec := builder.Record()
	defer rec.Release()
	sum := 0.0
	for b.Loop() {
		v := NewView(rec)
		for i := range v.Len() {
			j := v.Job(i, int64(i))
			sum += j.Submit
		}
	}
	b.ReportMetric(float64(b.N)*float64(len(jobs))/b.Elapsed().Seconds(), "jobs/s")
	if math.IsNaN(sum) {
		b.Error(sum)
	}
}

func BenchmarkRecordOf(b *testing.B) {
	for _, rows := range []int{1, 64, DefaultBatchRows} {
		ids, submits := make([]int64, rows), make([]float64, rows)
		b.Run(fmt.Sprintf("rows=%d", rows), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				rec := RecordOf(rows, Values{Column: ColJobID, Ints: ids}, Values{Column: ColSubmitTime, Floats: submits})
				NewView(rec)
				rec.Release()
			}
		})
	}
}
