package watch

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
)

// queueJSON is what squeue --json of Slurm 22.05 prints of so many jobs, made up after a
// real record of 4.5 KB.
func queueJSON(t testing.TB, pending, running int) []byte {
	text := readTestdata(t, "squeue-22.05.json")
	from := strings.Index(text, "    {\n      \"account\"")
	to := from + strings.Index(text[from:], "\n    },") + len("\n    }")
	head, record := text[:from], text[from:to]
	tail := text[strings.LastIndex(text, "\n  ]"):]
	// The parts that differ from job to job, in their order.
	parts := regexp.MustCompile(`"job_id": 1,|"job_state": "PENDING"|"user_name": "root"|"name": "wrap"|"cpus": 60|"start_time": 1795433773|"submit_time": 1795433593|"state_reason": "Resources"|"nodes": ""`).FindAllStringIndex(record, -1)
	var b bytes.Buffer
	b.Grow((pending + running) * (len(record) + 64))
	b.WriteString(head)
	for i := range pending + running {
		if i > 0 {
			b.WriteString(",\n")
		}
		at := 0
		for _, part := range parts {
			b.WriteString(record[at:part[0]])
			at = part[1]
			key, _, _ := strings.Cut(record[part[0]:part[1]], ":")
			waits := i >= running
			switch key {
			case `"job_id"`:
				fmt.Fprintf(&b, `"job_id": %d,`, 100000+i)
			case `"job_state"`:
				b.WriteString(map[bool]string{true: `"job_state": "PENDING"`, false: `"job_state": "RUNNING"`}[waits])
			case `"user_name"`:
				fmt.Fprintf(&b, `"user_name": "user%d"`, i%997)
			case `"name"`:
				fmt.Fprintf(&b, `"name": "simulation_%d"`, i%20011)
			case `"cpus"`:
				fmt.Fprintf(&b, `"cpus": %d`, 1+i%64)
			case `"start_time"`:
				fmt.Fprintf(&b, `"start_time": %d`, 1795433600+i%5000)
			case `"submit_time"`:
				fmt.Fprintf(&b, `"submit_time": %d`, 1795433593-i%80000)
			case `"state_reason"`:
				b.WriteString(`"state_reason": "Priority"`)
			case `"nodes"`:
				b.WriteString(map[bool]string{true: `"nodes": ""`, false: `"nodes": "n[1-4]"`}[waits])
			}
		}
		b.WriteString(record[at:])
	}
	b.WriteString(tail)
	return b.Bytes()
}

// byteAnswers are answers with a queue that is too large for a copy.
type byteAnswers struct {
	answers
	queueBytes []byte
}

func (a *byteAnswers) queue(_ context.Context, read func(io.Reader) error) error {
	return read(bytes.NewReader(a.queueBytes))
}

const (
	manyPending = 100_000
	manyRunning = 20_000
)

// BenchmarkPoll reads what squeue --json prints of 120,000 jobs.
func BenchmarkPoll(b *testing.B) {
	a := &byteAnswers{*realAnswers(b), queueJSON(b, manyPending, manyRunning)}
	b.SetBytes(int64(len(a.queueBytes)))
	b.ReportAllocs()
	for b.Loop() {
		s := newSlurmSource("slurm", a, Options{Origin: testOrigin, Names: &Names{}})
		p, err := s.Poll(context.Background())
		if err != nil || len(p.Jobs) != manyPending+manyRunning {
			b.Fatal(len(p.Jobs), err)
		}
	}
}

// BenchmarkEvents compares polls of 120,000 jobs: the first, in which all are new, and
// later ones, in which a hundredth have started and as many ended.
func BenchmarkEvents(b *testing.B) {
	var all []past
	for i := range manyPending + manyRunning {
		h := past{id: int64(i + 1), submit: float64(i % 80000), withdrawn: nan, wait: 1e5 + float64(i%100000), run: 1e6}
		if i < manyRunning {
			h.wait = 10
			h.run = 1e5 + float64(i) - h.submit
		}
		all = append(all, h)
	}
	b.Run("first", func(b *testing.B) {
		p := pollOf(all, 9e4, 0)
		for b.Loop() {
			if events := NewTracker().Events(p); len(events) != manyPending+2*manyRunning {
				b.Fatal(len(events))
			}
		}
	})
	b.Run("later", func(b *testing.B) {
		polls := []*Poll{pollOf(all, 1e5, 0), pollOf(all, 1.012e5, 0)}
		for b.Loop() {
			b.StopTimer()
			tracker := NewTracker()
			tracker.Events(polls[0])
			b.StartTimer()
			if events := tracker.Events(polls[1]); len(events) < 1000 {
				b.Fatal(len(events))
			}
		}
	})
}
