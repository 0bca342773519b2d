package journal

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/workload"
)

// benchEvents are jobs as a machine has them: submissions with ten answers, starts and
// finishes.
func benchEvents(jobs int) (submits, others []Entry) {
	for i := range jobs {
		j := workload.UnknownJob()
		j.ID, j.Row, j.Submit = int64(4_000_000+i), int64(i), 1.7e6+float64(i)*13
		j.Processors, j.Size, j.Time, j.User, j.Group, j.Queue, j.Partition = int64(1+i%128), int64(1+i%128), 3600, int64(i%300), 1, 2, 1
		asked := workload.NoAsked
		asked.Nodes, asked.TakesNodes, asked.Account, asked.QOS = 2, 2, 17, 1
		j.Asked = &asked
		e := &Event{Kind: workload.Submit, Time: j.Submit, Job: j, AnsweredAt: j.Submit + 17.25, Scored: true}
		for p := range 10 {
			e.Answers = append(e.Answers, Answer{fmt.Sprintf("predictor%d", p/3), []float64{0.5, 0.8, 0.95}[p%3], 1234.5678 * float64(p+i), 59 + i, "5-16 processors"})
		}
		start, finish := &Event{Kind: workload.Start, Time: j.Submit + 700}, &Event{Kind: workload.Finish, Time: j.Submit + 900}
		j.Wait, j.Run, j.Allocated, j.Status = 700, 200.5, j.Size, 1
		start.Job, finish.Job = j, j
		submits, others = append(submits, e), append(others, start, finish)
	}
	return submits, others
}

// BenchmarkAppend appends a poll's batch of 100,000 submissions with ten answers each.
func BenchmarkAppend(b *testing.B) {
	submits, _ := benchEvents(100_000)
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		j := mustOpen(b, b.TempDir(), 1<<40)
		b.StartTimer()
		mustAppend(b, j, submits...)
		b.ReportMetric(float64(j.size)/float64(len(submits)), "bytes/line")
		b.StopTimer()
		j.Close()
		b.StartTimer()
	}
}

// BenchmarkEntries reads a store: every third line is a submission with ten answers.
func BenchmarkEntries(b *testing.B) {
	for _, packed := range []bool{false, true} {
		b.Run(fmt.Sprintf("packed=%t", packed), func(b *testing.B) {
			submits, others := benchEvents(50_000)
			target := int64(1 << 40)
			if packed {
				target = 1
			}
			dir := b.TempDir()
			j := mustOpen(b, dir, target)
			mustAppend(b, j, submits...)
			mustAppend(b, j, others...)
			mustAppend(b, j)
			j.Close()
			size := int64(0)
			files, _ := filepath.Glob(filepath.Join(dir, prefix+"*"))
			for _, f := range files {
				info, _ := os.Stat(f)
				size += info.Size()
			}
			b.ReportAllocs()
			lines, start := 0, time.Now()
			for b.Loop() {
				lines += len(gather(b, Read(dir)))
			}
			b.ReportMetric(float64(lines)/time.Since(start).Seconds(), "lines/s")
			b.ReportMetric(float64(size)/float64(len(submits)), "bytes/job")
		})
	}
}
