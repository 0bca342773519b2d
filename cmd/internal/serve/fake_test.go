package serve

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/live"
	"github.com/loadstone-hpc/loadstone/live/watch"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

var moment = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// fake is a service that keeps what it was asked.
type fake struct {
	mu        sync.Mutex
	asked     []live.Question
	jobsAsked []live.JobsQuestion
	advised   []live.AdviceQuestion

	fault  error
	panics bool
	quiet  bool                  // does not keep what it was asked
	wait   func(context.Context) // while a wait is answered
	status live.Status
	parts  []live.Partition
}

func newFake() *fake {
	return &fake{
		status: live.Status{
			Schema: live.StatusSchema, Ready: true, Phase: "watching", Learned: 5, Source: "slurm", Polls: 3, Failed: 1,
			State: state(), Next: &moment, Took: 0.5, Digest: 0.01, Store: 4096,
			Warnings: []workload.Warning{{Rule: "some", Count: 1, Text: "a warning"}},
		},
		parts: []live.Partition{
			{Name: "batch", State: watch.Up, Processors: 128, MaxSize: 64, MaxTime: 86400, Running: 3, Pending: 2},
			{Name: "<script>", State: watch.Down, Unavailable: watch.Unavailable{Drained: 2}, Processors: 4, MaxTime: nan()},
			{Name: "closed", State: watch.Down, Processors: 4, MaxTime: nan()},
		},
	}
}

func nan() stats.Number { return stats.Number(math.NaN()) }

func state() live.Moment {
	return live.Moment{Time: moment, Age: 12, Processors: 128, Free: 28, Unavailable: watch.Unavailable{Drained: 64, Reserved: 2}, Running: 3, Pending: 2}
}

func (f *fake) Wait(ctx context.Context, q live.Question) (*live.Answer, error) {
	f.mu.Lock()
	if !f.quiet {
		f.asked = append(f.asked, q)
	}
	f.mu.Unlock()
	f.maybePanic()
	if f.wait != nil {
		f.wait(ctx)
	}
	switch {
	case f.fault != nil:
		return nil, f.fault
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case q.Partition == "closed":
		return &live.Answer{
			Schema: live.AnswerSchema, State: state(), Request: live.Request{Size: q.Size, Time: stats.Number(q.Time), Memory: nan(), Partition: q.Partition},
			Withheld: &live.Withheld{Reason: "partition-down", Text: "the partition closed is down: it starts no jobs"},
			Expected: nan(), Predictions: []live.Prediction{}, LeftOut: []live.LeftOut{},
			PastWaits: &live.PastWaits{Jobs: 3, Partition: "closed", Sizes: "1-4", Since: moment, Waits: []live.PastWait{{Quantile: 0.5, Seconds: 60}}},
		}, nil
	case q.Partition != "" && q.Partition != "batch":
		return nil, workload.OptionFault("partition", shown(q.Partition), "batch")
	case q.Size > 128:
		return nil, workload.OptionFault("size", q.Size, "at most 128 processors")
	}
	return &live.Answer{
		Schema: live.AnswerSchema, State: state(),
		Request:     live.Request{Size: q.Size, Time: stats.Number(q.Time), Memory: nan(), Partition: q.Partition, User: q.User},
		Recommended: "bmbp", Expected: 300, Start: &moment,
		Predictions: []live.Prediction{{
			Predictor: "bmbp", Recommended: true, Expected: nan(), Observations: 100, Group: "8-15", Age: 12,
			Bounds: []live.Bound{
				{Quantile: 0.5, Seconds: 300, By: &moment, Achieved: 0.95, Coverage: live.Coverage{Day: 0.5, Week: nan(), All: 0.52, Settled: 12}},
				{Quantile: 0.95, Seconds: nan(), Achieved: nan(), Coverage: live.Coverage{Day: nan(), Week: nan(), All: nan()}},
			},
		}},
		LeftOut:  []live.LeftOut{{Predictor: "conformal", Why: "it has seen too few jobs"}},
		Warnings: []workload.Warning{{Rule: "some", Count: 1, Text: "a warning"}},
	}, nil
}

func someJob() live.Job {
	return live.Job{
		ID: 123, Label: "120_3", State: "pending", Size: 8, Time: 7200, Partition: "batch", User: "ann",
		Submitted: moment, Waited: 60, Place: 1, Of: 2, Reason: "Priority", Expected: &moment, Own: &moment,
	}
}

func (f *fake) Job(_ context.Context, label string) (*live.JobAnswer, error) {
	f.maybePanic()
	if label != "123" && label != "120_3" {
		return nil, live.ErrUnknownJob
	}
	return &live.JobAnswer{
		Schema: live.JobSchema, State: state(), Job: someJob(), Given: &moment, Predictions: []live.Prediction{},
		Forecast: &live.Forecast{At: moment, Ours: &moment},
	}, f.fault
}

func (f *fake) Jobs(_ context.Context, q live.JobsQuestion) (*live.Jobs, error) {
	f.maybePanic()
	f.mu.Lock()
	f.jobsAsked = append(f.jobsAsked, q)
	f.mu.Unlock()
	if q.Partition != "" && q.Partition != "batch" {
		return nil, workload.OptionFault("partition", shown(q.Partition), "batch")
	}
	running := someJob()
	running.State, running.Started, running.Time, running.Place, running.Of, running.Expected, running.Own = "running", &moment, nan(), 0, 0, nil, nil
	return &live.Jobs{Schema: live.JobsSchema, State: state(), Partitions: f.parts, Jobs: []live.Job{someJob(), running}, More: 3}, f.fault
}

func (f *fake) Scores() (*live.Scores, error) {
	f.maybePanic()
	return &live.Scores{
		Schema: live.ScoresSchema, State: state(), Since: &moment, Recommended: "bmbp",
		Bounds: []live.BoundScore{{
			Predictor: "bmbp", Quantile: 0.95, Answers: 20, Settled: 12, Censored: 1, Open: 7, Late: 1,
			Coverage: live.Coverage{Day: 0.9, Week: 0.95, All: 0.96, Settled: 12}, BoundLoss: score.BoundLoss{QuantileLoss: 2, BoundMedian: 10},
		}},
		Forecasts: []live.ForecastScore{{
			Window: "day", Jobs: 9, Ours: 9, Theirs: 4, Both: 4,
			OursMedian: 1, TheirsMedian: 2, OursMean: 3, TheirsMean: 4, Ratio: 0.5,
		}},
		Hours: []live.Hour{{Start: moment, Bounds: []live.HourBound{{Settled: 3, Held: 2}}}},
	}, f.fault
}

func (f *fake) Advice(_ context.Context, q live.AdviceQuestion) (*live.Advice, error) {
	f.maybePanic()
	f.mu.Lock()
	f.advised = append(f.advised, q)
	f.mu.Unlock()
	if q.Partition != "" && q.Partition != "batch" {
		return nil, workload.OptionFault("partition", shown(q.Partition), "batch")
	}
	best := live.Candidate{Size: 4, Limit: 3600, Wait: 60, Run: 2400, Turnaround: 2460, Killed: 0.1}
	return &live.Advice{Schema: live.AdviceSchema, State: state(), Best: &best, All: []live.Candidate{best, {Size: 1, Limit: nan(), Wait: nan(), Run: 7200, Turnaround: nan(), Killed: nan()}}}, f.fault
}

func (f *fake) Status() live.Status {
	f.maybePanic()
	return f.status
}

func (f *fake) Waits() live.Waits {
	return live.Waits{Ends: []float64{60, 3600}, Counts: []uint64{2, 5}, Count: 7, Sum: 9000}
}

func (f *fake) maybePanic() {
	if f.panics {
		panic("the fake was told to panic")
	}
}

// newServer is a server on a fake.
func newServer(t testing.TB, f Service, o Options) *Server {
	t.Helper()
	s, err := New(f, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// ask sends a request to a handler; header is pairs.
func ask(h http.Handler, method, target, body string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://localhost/", strings.NewReader(body))
	// As a server reads it: NewRequest panics of a target that is not valid.
	path, query, _ := strings.Cut(target, "?")
	r.URL.Path, r.URL.RawQuery, r.RequestURI = path, query, target
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
		if header[i] == "Host" {
			r.Host = header[i+1]
		}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// problemIn reads problem details, which must be whole.
func problemIn(t testing.TB, w *httptest.ResponseRecorder) problem {
	t.Helper()
	var p problem
	if got := w.Header().Get("Content-Type"); got != "application/problem+json" {
		t.Fatalf("status %d with content type %q: %s", w.Code, got, w.Body)
	}
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil {
		t.Fatal(err)
	}
	if p.Status != w.Code || p.Title == "" || p.Type == "" || p.Detail == "" {
		t.Fatalf("status %d: %+v", w.Code, p)
	}
	return p
}

// logged is a logger into a text.
func logged() (*slog.Logger, *safeText) {
	text := &safeText{}
	return slog.New(slog.NewJSONHandler(text, &slog.HandlerOptions{Level: slog.LevelDebug})), text
}

type safeText struct {
	mu   sync.Mutex
	text strings.Builder
}

var _ io.Writer = (*safeText)(nil)

func (s *safeText) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(b)
}

func (s *safeText) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}
