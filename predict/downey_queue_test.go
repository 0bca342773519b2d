package predict

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// machineOf returns a snapshot with running jobs of the given sizes and ages.
func machineOf(processors int64, sizeAge ...float64) *Snapshot {
	return &Snapshot{Processors: processors, Running: head(0, sizeAge...).Running}
}

// head returns the machine as seen by a request of the given size at the head of the queue.
func (s *Snapshot) head(size int64) *Head {
	return &Head{Time: s.Time, Needed: size - s.Free(), Running: s.Running}
}

func (s *Snapshot) with(sizes ...int64) *Snapshot {
	for i, n := range sizes {
		r := workload.UnknownJob().Request
		r.Size, r.ID, r.Queue = n, int64(i)+1, int64(i)
		s.Queued = append(s.Queued, r)
	}
	return s
}

func asks(size int64) *workload.Request {
	r := workload.UnknownJob().Request
	r.Size, r.Queue = size, 9
	return &r
}

// The distribution: C(t) = ln(1 + t/100) / ln 100 for a job aged 100 s. A job that starts at s
// has released the share ln((t-s)/10) / ln 1000 of its processors by t, and none before s + 10.
func TestDowneyBQueueByHand(t *testing.T) {
	at := func(share float64) float64 { return 100*math.Pow(100, share) - 100 }
	for _, c := range []struct {
		name   string
		s      *Snapshot
		size   int64
		queues []int64
		want   float64
		n      int
	}{
		{"free", machineOf(10, 8, 100), 2, nil, 0, 1},
		{"head", machineOf(10, 8, 100), 4, nil, at(2. / 8), 1},
		// The queued job starts at once on free processors; the arrival needs 4 of the 8, plus
		// any that the queued job has released by then. 8 ln(1+t/100)/ln 100 + 2 ln(t/10)/ln 1000
		// = 4: the root by mpmath (findroot).
		{"one ahead that starts", machineOf(10, 8, 100).with(2), 4, nil, 433.534719400868, 2},
		// The queued job of 4 starts at at(1/4) = 216 s; the arrival of 2 needs
		// 4/8 of the running job (at 900 s) less what the job of 4 releases
		// from 226 s on: 8 ln(1+t/100)/ln 100 + 4 ln((t-s)/10)/ln 1000 = 4 + 2 - 2.
		{"one ahead that waits", machineOf(10, 8, 100).with(4), 2, nil, 336.48209215889, 2},
		// A job of the whole machine waits for the latest end of the running job, at 9900 s; then
		// the arrival waits until it has released 1 of its 10: 10 * 1000^0.1.
		{"whole machine ahead", machineOf(10, 8, 100).with(10), 1, nil, 9900 + 10*math.Pow(1000, 0.1), 2},
		// Priorities: queue 9, the arrival's own, goes before queue 0.
		{"more urgent", machineOf(10, 8, 100).with(10), 4, []int64{9}, at(2. / 8), 1},
		{"less urgent", machineOf(10, 8, 100).with(10), 1, []int64{0}, 9900 + 10*math.Pow(1000, 0.1), 2},
		{"not of the machine", machineOf(10, 8, 100), 11, nil, math.NaN(), 0},
		{"nothing", machineOf(10, 8, 100), 0, nil, math.NaN(), 0},
	} {
		got, ok := DowneyBQueue{Lifetimes: law, Queues: c.queues}.Predict(c.s, asks(c.size))
		if ok == math.IsNaN(c.want) || got.Observations != c.n || ok && math.Abs(got.Seconds-c.want) > 1e-7*c.want {
			t.Errorf("%s: %v %v, want %.10g from %d jobs", c.name, got, ok, c.want, c.n)
		}
	}
	// With no job ahead, the prediction is B's, and there is none where B has none: for 12, all
	// processors of the job older than TMax would have to be free.
	for _, n := range []int64{1, 3, 7, 12} {
		s := machineOf(12, 4, 20, 5, 300, 3, 20000)
		b, _ := DowneyB(law).Predict(s.head(n))
		if got, ok := (DowneyBQueue{Lifetimes: law}).Predict(s, asks(n)); ok != (n < 12) || ok && !near(got.Seconds, b.Seconds, 1e-9) {
			t.Errorf("%d processors: %v, want B's %v", n, got, b)
		}
	}
}
