package predict

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// seer records the state of the machine at each submission.
type seer struct {
	ended int
	lines []string
}

func (*seer) Name() string { return "seer" }

// Learn fails if an event reveals the future: a job's wait before its start, or its run time
// before its end.
func (s *seer) Learn(e workload.Event) error {
	j := e.Job
	if e.Kind == workload.Submit && !math.IsNaN(j.Wait) || e.Kind != workload.Finish && !(math.IsNaN(j.Run) && math.IsNaN(j.CPUTime)) {
		return fmt.Errorf("event %d of job %d tells of a wait of %g s and a run time of %g s", e.Kind, j.ID, j.Wait, j.Run)
	}
	if e.Kind == workload.Finish {
		s.ended++
	}
	return nil
}

func (s *seer) Ask(m *Snapshot, r *workload.Request) (Forecast, error) {
	s.lines = append(s.lines, fmt.Sprintf("%d: %s, %d ended", r.ID, describeMachine(m), s.ended))
	return Forecast{}, nil
}

func describeMachine(s *Snapshot) string {
	var parts []string
	for _, o := range s.Running {
		parts = append(parts, fmt.Sprintf("%d runs on %d since %g s", o.Request.ID, o.Size, o.Age))
	}
	for _, q := range s.Queued {
		parts = append(parts, fmt.Sprintf("%d waits", q.ID))
	}
	return fmt.Sprintf("%d of %d free: %s", s.Free(), s.Processors, strings.Join(parts, ", "))
}

// Each job sees the machine according to the log's own waits and run times; at the same instant,
// ends come before submissions, and starts after them.
func TestReplayByHand(t *testing.T) {
	nan := math.NaN()
	jobs := []workload.Job{
		under(0, 0, 100, 6, 0),
		under(10, 90, 50, 8, 1),   // starts at 100, as 1 ends
		under(20, 0, 30, 4, 2),    // overtakes
		under(100, 50, 10, 10, 3), // 1 has ended, 2 has not started
		under(110, nan, 10, 1, 4), // its start is unknown
		under(120, 10, nan, 1, 5), // its run time is unknown
		under(130, 0, 1, 11, 6),   // larger than the machine
		under(131, 0, 1, 1, 7),
	}
	want := []string{
		"1: 10 of 10 free: , 0 ended",
		"2: 4 of 10 free: 1 runs on 6 since 10 s, 0 ended",
		"3: 4 of 10 free: 1 runs on 6 since 20 s, 2 waits, 0 ended",
		"4: 10 of 10 free: 2 waits, 2 ended",
		"6: 2 of 10 free: 2 runs on 8 since 20 s, 4 waits, 2 ended",
		"8: 2 of 10 free: 2 runs on 8 since 31 s, 4 waits, 4 ended",
	}
	s := &seer{}
	for j, err := range (Replay{Predictors: []Predictor{s}, Processors: 10}).Jobs(stream(jobs)) {
		jobtest.NoError(t, err)
		if j.Actual != jobs[j.Request.Row].Wait || j.Overfull {
			t.Errorf("%+v", j)
		}
	}
	got := s.lines
	if !slices.Equal(got, want) {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// If a log's waits make more processors busy than the machine has, the machine grows to that size
// at that moment. Each site has its own machine; at a site without one, no predictor is asked.
func TestReplayMachines(t *testing.T) {
	jobs := []workload.Job{under(0, 0, 100, 6, 0), under(1, 0, 100, 6, 1), under(2, 0, 100, 1, 2)}
	for i := range jobs {
		jobs[i].Partition = int64(i + 1)
	}
	last := func(r *workload.Request) bool { return r.Row == 2 }
	for _, c := range []struct {
		replay   Replay
		overfull bool
		want     []string
	}{
		{Replay{Processors: 10, Chosen: last}, true, []string{"3: 0 of 12 free: 1 runs on 6 since 2 s, 2 runs on 6 since 1 s, 0 ended"}},
		{Replay{Sites: map[int64]int64{1: 8, 2: 7}}, false, []string{"1: 8 of 8 free: , 0 ended", "2: 7 of 7 free: , 0 ended"}},
	} {
		s := &seer{}
		c.replay.Predictors = []Predictor{s}
		for j, err := range c.replay.Jobs(stream(jobs)) {
			if err != nil || j.Overfull != c.overfull {
				t.Errorf("%+v, %v", j, err)
			}
		}
		if !slices.Equal(s.lines, c.want) {
			t.Errorf("%q, want %q", s.lines, c.want)
		}
	}
}

// The distributions are fitted to the jobs that have ended, and refitted whenever there are a
// quarter more.
func TestPastLifetimes(t *testing.T) {
	p := jobtest.Must(NewPastLifetimes(10, LifetimesConfig{}))
	var fits []int
	var last Lifetimes
	for i := range 100 {
		j := sized(0, float64(1+i%50), 1)
		jobtest.NoError(t, p.Ended(&j))
		now, err := p.Now()
		if known := err == nil; known != (i >= 1) {
			t.Fatalf("after %d jobs: %v", i+1, err)
		}
		if i >= 49 && now.Lifetimes != last {
			fits, last = append(fits, i+1), now.Lifetimes
		}
	}
	if !slices.Equal(fits, []int{50, 62, 77, 96}) {
		t.Errorf("fits after %v jobs", fits)
	}
}
