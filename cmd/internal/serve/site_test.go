package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/live"
	"github.com/loadstone-hpc/loadstone/live/watch"
	"github.com/loadstone-hpc/loadstone/workload"
)

// site is a made-up machine that is watched. The first poll has jobs that have ended, and
// so many that wait and run; each later one has some that start and end.
type site struct {
	watch.Names
	pending, running int
	polls            <-chan time.Time // closed: nothing follows

	rng         *rand.Rand
	now         float64
	clock       atomic.Uint64 // now, as of the last poll: any goroutine asks
	rows        int64
	waits, runs []*workload.Job
	partitions  []watch.Partition
}

func newSite(pending, running int, polls <-chan time.Time) *site {
	s := &site{pending: pending, running: running, polls: polls, rng: rand.New(rand.NewPCG(1, 2))}
	for i := range 4 {
		name := fmt.Sprintf("p<%d>", i)
		s.partitions = append(s.partitions, watch.Partition{
			Name: name, Number: s.Number(workload.ColPartition, name), Processors: 1 << 16, Total: 1 << 16,
			MaxProcessors: 1024, MaxTime: math.Inf(1), DefaultTime: math.NaN(), State: watch.Up, Default: i == 0,
		})
	}
	return s
}

func (s *site) Name() string       { return "made-up" }
func (s *site) Replay(watch.Event) {}
func (s *site) Now() float64       { return math.Float64frombits(s.clock.Load()) }
func (s *site) Interval() float64  { return 30 }
func (s *site) Due() time.Time     { return time.Time{} }

func (s *site) submit(b *live.Batch) *workload.Job {
	j := workload.UnknownJob()
	j.ID, j.Row, j.Submit = s.rows, s.rows, s.now
	s.rows++
	j.Processors = int64(1) << s.rng.IntN(8)
	j.Size, j.Time = j.Processors, float64(60*(1+s.rng.IntN(24*60)))
	j.User = s.Number(workload.ColUser, fmt.Sprint("user", s.rng.IntN(500)))
	j.Partition = s.partitions[s.rng.IntN(len(s.partitions))].Number
	s.event(b, workload.Submit, &j)
	return &j
}

func (s *site) event(b *live.Batch, kind workload.EventKind, j *workload.Job) {
	as := *j
	b.Events = append(b.Events, watch.Event{Kind: kind, Time: s.now, Job: &as, Label: fmt.Sprint(j.ID)})
}

func (s *site) start(b *live.Batch, j *workload.Job) {
	j.Wait = s.now - j.Submit
	s.event(b, workload.Start, j)
	s.runs = append(s.runs, j)
}

// end ends the job that has run longest.
func (s *site) end(b *live.Batch) {
	j := s.runs[0]
	s.runs = s.runs[1:]
	j.Run = s.now - j.Submit - j.Wait
	s.event(b, workload.Finish, j)
}

func (s *site) Next(ctx context.Context) (*live.Batch, error) {
	select {
	case _, ok := <-s.polls:
		if !ok {
			return nil, io.EOF
		}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	b := &live.Batch{Capacity: watch.Capacity{Processors: 1 << 18, Total: 1 << 18, Partitions: s.partitions}}
	if s.rows == 0 {
		s.first(b)
	}
	for range min(100, s.pending/10) {
		s.now += 0.3
		s.waits = append(s.waits, s.submit(b))
		s.end(b)
		s.start(b, s.waits[0])
		s.waits = s.waits[1:]
	}
	b.At = s.now
	s.clock.Store(math.Float64bits(s.now))
	b.Jobs = make(map[int64]*watch.Sighting, len(s.waits)+len(s.runs))
	for _, jobs := range [][]*workload.Job{s.waits, s.runs} {
		for _, j := range jobs {
			b.Jobs[j.Row] = &watch.Sighting{Job: *j, Label: fmt.Sprint(j.ID), Expected: s.now + 600, Priority: 1000 - j.Row%7, Reason: "<Priority>"}
		}
	}
	return b, nil
}

// first has a history, and the jobs that wait and run.
func (s *site) first(b *live.Batch) {
	for range min(5000, 10*s.pending) {
		s.now += 2
		s.waits = append(s.waits, s.submit(b))
		for len(s.waits) > 0 && s.rng.IntN(100) < 60 {
			s.start(b, s.waits[0])
			s.waits = s.waits[1:]
		}
		for len(s.runs) > 50 {
			s.end(b)
		}
	}
	for range s.running {
		s.start(b, s.submit(b))
	}
	for range s.pending {
		s.waits = append(s.waits, s.submit(b))
	}
}

// startSite runs a service on a site, and returns once it has taken the first poll. poll
// has it take another.
func startSite(t testing.TB, pending, running int, o live.Options) (service *live.Service, poll func()) {
	t.Helper()
	polls := make(chan time.Time)
	service, err := live.New(newSite(pending, running, polls), moment, o)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- service.Run(context.Background()) }()
	poll = func() {
		before := service.Status().Polls
		polls <- moment
		for service.Status().Polls == before {
			time.Sleep(time.Millisecond)
		}
	}
	t.Cleanup(func() {
		close(polls)
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return service, poll
}

// The answers of a service of its own are as they are described: before the first state,
// of a machine without jobs, and of one with a queue.
func TestOpenAPIHasTheAnswers(t *testing.T) {
	d := readDocument(t)
	for _, users := range []bool{false, true} {
		for pending, running := range map[int]int{0: 0, 100: 30} {
			o := live.DefaultOptions()
			o.ShowUsers = users
			if pending == 0 {
				o.Plan = nil // nobody has an answer
			}
			service, poll := startSite(t, pending, running, o)
			h := newServer(t, service, Options{}).Handler()
			for polled := range 3 {
				for path, targets := range map[string][]string{
					"/v1/wait":      {"/v1/wait?size=8&time=3600", "/v1/wait?size=1&partition=p<1>&user=user7", "/v1/wait?size=5000", "/v1/wait?size=1000000000000000000&time=1e300&memory=1e300", "/v1/wait?size=1&time=1e-300"},
					"/v1/jobs":      {"/v1/jobs", "/v1/jobs?state=pending&partition=p<1>", "/v1/jobs?state=running&limit=3", "/v1/jobs?ids=1020,1080"},
					"/v1/jobs/{id}": {"/v1/jobs/1020", "/v1/jobs/1080", "/v1/jobs/1080_1"},
					"/v1/scores":    {"/v1/scores"},
					"/v1/advice":    {"/v1/advice?run_times=1:7200,4:2400,100000:1", "/v1/advice?run_times=1:1e300&limits=1e-300,1e300"},
					"/v1/status":    {"/v1/status"}, "/readyz": {"/readyz"}, "/metrics": {"/metrics"},
				} {
					for _, target := range targets {
						w := ask(h, "GET", target, "")
						planless := pending == 0 && path == "/v1/advice"
						if w.Code == 500 || polled > 0 && w.Code == 503 && !planless {
							t.Errorf("%s: status %d: %s", target, w.Code, w.Body)
						}
						d.hold(t, path, "get", w)
					}
				}
				w := ask(h, "POST", "/v1/wait", `{"requests":[{"size":8,"time_s":60},{"size":1000000},{"size":1,"partition":"nowhere"}]}`)
				d.hold(t, "/v1/wait", "post", w)
				poll()
			}
		}
	}
}

// A question gets its jobs, up to its limit, and how many there are beyond it.
func TestJobsOfASite(t *testing.T) {
	service, poll := startSite(t, 100, 30, live.Options{Predictors: []string{"bmbp"}, Quantiles: []float64{0.95}, Confidence: 0.95})
	poll()
	h := newServer(t, service, Options{}).Handler()
	count := func(query string) (jobs, more int) {
		t.Helper()
		w := ask(h, "GET", "/v1/jobs?"+query, "")
		var got live.Jobs
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != 200 {
			t.Fatal(w.Code, err)
		}
		return len(got.Jobs), got.More
	}
	if w := service.Waits(); w.Count == 0 || !slices.IsSorted(w.Counts) || w.Counts[len(w.Counts)-1] != w.Count || !(w.Sum > 0) {
		t.Errorf("waits: %+v", w)
	}
	all, none := count("limit=10000")
	pending, _ := count("limit=10000&state=pending")
	running, _ := count("limit=10000&state=running")
	if none != 0 || pending < 100 || running < 30 || pending+running != all {
		t.Errorf("%d jobs and %d more, %d pending, %d running", all, none, pending, running)
	}
	for query, want := range map[string][2]int{
		"": {100, all - 100}, "limit=5": {5, all - 5}, "limit=5&state=running": {5, running - 5},
		fmt.Sprint("limit=", pending+3): {pending + 3, running - 3}, "ids=1080,1080,1085": {2, 0}, "ids=1080,1085&limit=1": {1, 1}, "ids=999999": {0, 0},
	} {
		if jobs, more := count(query); jobs != want[0] || more != want[1] {
			t.Errorf("%s: %d jobs and %d more, want %v", query, jobs, more, want)
		}
	}
}

var userName = regexp.MustCompile(`user[0-9]`)

// Users are named only by a service that may.
func TestUsersAreNotShown(t *testing.T) {
	for _, users := range []bool{false, true} {
		o := live.DefaultOptions()
		o.ShowUsers = users
		service, poll := startSite(t, 100, 30, o)
		poll()
		h := newServer(t, service, Options{}).Handler()
		for _, target := range []string{"/v1/jobs?limit=1000", "/v1/jobs/1080", "/v1/scores", "/v1/status", "/metrics", "/v1/wait?size=4"} {
			text := ask(h, "GET", target, "").Body.String()
			if got := userName.MatchString(text); got != (users && (target == "/v1/jobs?limit=1000" || target == "/v1/jobs/1080")) {
				t.Errorf("%s, users %v: shown %v", target, users, got)
			}
		}
	}
}
