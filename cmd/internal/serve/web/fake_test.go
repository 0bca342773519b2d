package web_test

import (
	"context"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/cmd/internal/serve"
	"github.com/loadstone-hpc/loadstone/cmd/internal/serve/web"
	"github.com/loadstone-hpc/loadstone/live"
	"github.com/loadstone-hpc/loadstone/live/watch"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// hostile is a name that would run in a page that reads it as HTML.
const hostile = `<img src=x onerror="window.broken=1"><script>window.broken=1</script>`

const slowness = 500 * time.Millisecond

// service is the API with made-up answers, which a test can change.
type service struct {
	mu         sync.Mutex
	now        time.Time
	jobs       int   // pending
	settled    int   // answers
	slow       int64 // size whose answer takes its time
	stale      bool
	learning   bool
	users      bool
	name       string // of a partition, a user and a reason
	questions  []string
	partitions int
	withheld   *live.Withheld
	warnings   []workload.Warning
	lost       watch.Unavailable
}

func (s *service) change(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
}

// asked returns what was asked since the last call.
func (s *service) asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.questions
	s.questions = nil
	return all
}

func (s *service) Wait(_ context.Context, q live.Question) (*live.Answer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if q.Size == s.slow {
		s.mu.Unlock()
		time.Sleep(slowness)
		s.mu.Lock()
	}
	if q.Size == 13 {
		return nil, workload.OptionFault("size", q.Size, "anything else")
	}
	return s.answer(q.Size, q.Time, q.Partition), nil
}

func (s *service) Job(_ context.Context, label string) (*live.JobAnswer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id, err := strconv.ParseInt(label, 10, 64)
	if err != nil || id > int64(s.jobs) {
		return nil, live.ErrUnknownJob
	}
	return s.job(id), nil
}

func (s *service) Jobs(_ context.Context, q live.JobsQuestion) (*live.Jobs, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.queue(q.User), nil
}

func (s *service) Scores() (*live.Scores, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.scores(), nil
}

func (s *service) Advice(context.Context, live.AdviceQuestion) (*live.Advice, error) {
	return nil, live.ErrNotReady
}

func (s *service) Waits() live.Waits { return live.Waits{} }

func (s *service) Status() live.Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state()
}

func (s *service) moment() live.Moment {
	m := live.Moment{Time: s.now, Age: 12, Stale: s.stale, Processors: 1024 - s.lost.Drained, Free: 96, Running: 57, Pending: s.jobs, Unavailable: s.lost}
	if s.stale {
		m.Age = 25 * 60
	}
	return m
}

func (s *service) state() live.Status {
	out := live.Status{Schema: live.StatusSchema, Phase: "watching", Ready: !s.stale, State: s.moment(), Source: "squeue, every 30 s", Polls: 100}
	if s.learning {
		out.Phase, out.Learned, out.State = "learning", 123456, live.Moment{Time: s.now, Age: stats.Number(math.NaN())}
	}
	if s.stale {
		out.Failed, out.InARow, out.Fault = 50, 50, "squeue: "+s.name
	}
	return out
}

func at(t time.Time, seconds float64) *time.Time {
	t = t.Add(time.Duration(seconds * float64(time.Second)))
	return &t
}

func (s *service) predictions(scale float64) []live.Prediction {
	coverage := live.Coverage{Day: stats.Number(math.NaN()), Week: stats.Number(math.NaN()), All: stats.Number(math.NaN())}
	var out []live.Prediction
	for i, name := range []string{"conformal", "bmbp", "qbets"} {
		p := live.Prediction{Predictor: name, Recommended: i == 0 && s.settled > 0, Expected: stats.Number(math.NaN()), Observations: 4321, Age: 95}
		for k, quantile := range []float64{.5, .8, .95} {
			b := scale * []float64{60, 900, 9000}[k] * (1 + float64(i)/2)
			if s.settled > 0 {
				coverage = live.Coverage{Day: stats.Number(quantile + .012), Week: stats.Number(quantile + .004), All: stats.Number(quantile - .003), Settled: s.settled}
			}
			p.Bounds = append(p.Bounds, live.Bound{Quantile: quantile, Seconds: stats.Number(b), By: at(s.now, b), Achieved: .96, Coverage: coverage})
		}
		p.Expected = p.Bounds[0].Seconds
		out = append(out, p)
	}
	return out
}

// drawn has other quantiles than the bounds from past waits, and no coverage.
func (s *service) drawn(scale float64) live.Prediction {
	unknown := stats.Number(math.NaN())
	p := live.Prediction{Predictor: live.PlanName, Expected: stats.Number(120 * scale), Observations: 20, Age: 12}
	for k, quantile := range []float64{.5, .9} {
		b := scale * []float64{100, 3000}[k]
		p.Bounds = append(p.Bounds, live.Bound{Quantile: quantile, Seconds: stats.Number(b), By: at(s.now, b), Achieved: unknown, Coverage: live.Coverage{Day: unknown, Week: unknown, All: unknown}})
	}
	return p
}

// answer has bounds that grow with the size: 64 processors have 9000 s for 95 %.
func (s *service) answer(size int64, seconds float64, partition string) *live.Answer {
	scale := float64(size) / 64
	unknown := stats.Number(math.NaN())
	a := &live.Answer{
		Schema: live.AnswerSchema, State: s.moment(), Request: live.Request{Size: size, Time: stats.Number(seconds), Partition: partition},
		Withheld: s.withheld, Expected: unknown, Predictions: []live.Prediction{}, LeftOut: []live.LeftOut{}, Warnings: s.warnings,
		PastWaits: &live.PastWaits{Jobs: 73, Partition: "batch", Sizes: "1-4", Since: s.now.Add(-80 * time.Hour), Waits: []live.PastWait{{Quantile: .5, Seconds: 51}, {Quantile: .95, Seconds: 528}}},
	}
	if s.stale {
		a.Withheld = &live.Withheld{Reason: live.ReasonStale, Text: "the state of the machine is too old"}
	}
	if a.Withheld != nil {
		return a
	}
	a.Predictions = append(s.predictions(scale), s.drawn(scale))
	a.LeftOut = []live.LeftOut{{Predictor: "laws", Why: "it needs run times, and the history has none"}}
	if s.settled > 0 {
		a.Recommended, a.Expected, a.Start = "conformal", stats.Number(60*scale), at(s.now, 60*scale)
	}
	return a
}

func (s *service) pending(id int64) live.Job {
	j := live.Job{
		ID: id, Label: strconv.FormatInt(id, 10), State: "pending", Size: 1 << (id % 8), Time: 3600 * stats.Number(1+id%24), Partition: "batch",
		Submitted: s.now.Add(-time.Duration(id) * time.Minute), Waited: stats.Number(60 * id), Place: int(id), Of: s.jobs,
		Reason: "Priority", Expected: at(s.now, float64(600*id)), Own: at(s.now, float64(2000*id)),
	}
	if id%3 == 0 {
		j.Own = nil
	}
	if s.users {
		j.User = "anna"
	}
	if s.name != "" && id == 1 {
		j.Label, j.Partition, j.Reason = s.name, s.name, s.name
		if s.users {
			j.User = s.name
		}
	}
	return j
}

func (s *service) queue(user string) *live.Jobs {
	out := &live.Jobs{Schema: live.JobsSchema, State: s.moment(), Jobs: []live.Job{}, Partitions: []live.Partition{}}
	for i := range s.partitions {
		p := live.Partition{Name: []string{"batch", "long", "gpu"}[i%3], State: []watch.PartitionState{watch.Up, watch.Drain, watch.Down}[i%3], Processors: 1024 >> i, MaxSize: 512 >> i, MaxTime: stats.Number(int(86400) << i), Running: 57 >> i, Pending: s.jobs >> i}
		if i == 1 && s.name != "" {
			p.Name = s.name
		}
		out.Partitions = append(out.Partitions, p)
	}
	for id := range s.jobs {
		if id < 200 && (user == "" || id < 3) {
			out.Jobs = append(out.Jobs, s.pending(int64(id+1)))
		}
	}
	if user == "" {
		out.More = s.jobs - len(out.Jobs)
	}
	return out
}

func (s *service) job(id int64) *live.JobAnswer {
	a := &live.JobAnswer{Schema: live.JobSchema, State: s.moment(), Job: s.pending(id), Given: at(s.now, -60), Predictions: s.predictions(1), Withheld: s.withheld}
	if a.Withheld != nil {
		a.Job.Expected = nil
	}
	return a
}

func (s *service) scores() *live.Scores {
	out := &live.Scores{Schema: live.ScoresSchema, State: s.moment(), Since: at(s.now, -30*86400), Recommended: "conformal",
		Bounds: []live.BoundScore{}, Forecasts: []live.ForecastScore{}, Hours: []live.Hour{}}
	if s.settled == 0 {
		return out
	}
	n := s.settled
	for _, p := range s.predictions(1) {
		for _, b := range p.Bounds {
			out.Bounds = append(out.Bounds, live.BoundScore{Predictor: p.Predictor, Quantile: b.Quantile, Answers: n + 40, Settled: n, Censored: 25, Open: 15,
				Coverage: b.Coverage, BoundLoss: score.BoundLoss{QuantileLoss: stats.Number(3.25 * b.Quantile), BoundMedian: b.Seconds / 60}})
		}
	}
	for h := range 168 {
		if h%29 == 0 {
			continue // an hour in which nothing was settled
		}
		hour := live.Hour{Start: s.now.Truncate(time.Hour).Add(time.Duration(h-168) * time.Hour)}
		for i, b := range out.Bounds {
			settled := 10 + h%7
			hour.Bounds = append(hour.Bounds, live.HourBound{Settled: settled, Held: min(settled, int(math.Round(float64(settled)*(b.Quantile+.06*math.Sin(float64(h+9*i)/11)))))})
		}
		out.Hours = append(out.Hours, hour)
	}
	for i, window := range []string{"day", "week", "all"} {
		jobs := []int{n / 20, n / 4, n}[i]
		out.Forecasts = append(out.Forecasts, live.ForecastScore{Window: window, Jobs: jobs, Ours: jobs, Theirs: jobs * 2 / 3, Both: jobs * 2 / 3,
			Median: 14.5, OursMedian: 14.5, TheirsMedian: 61.25, OursMean: 47, TheirsMean: 188, Ratio: 14.5 / 61.25})
	}
	return out
}

// newService starts a server of the page and the API at a path; address is the page's.
// Requests need the token, if there is one.
func newService(t *testing.T, path, token string) (s *service, address string) {
	t.Helper()
	s = &service{now: time.Now().Truncate(time.Second), jobs: 30, settled: 2000, partitions: 3}
	options := serve.Options{Page: web.Handler()}
	if token != "" {
		options.TokenFile = filepath.Join(t.TempDir(), "token")
		if err := os.WriteFile(options.TokenFile, []byte(token), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	inner, err := serve.New(s, options)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle(path+"/", http.StripPrefix(path, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/v1/") {
			s.change(func() { s.questions = append(s.questions, r.URL.RequestURI()) })
		}
		inner.Handler().ServeHTTP(w, r)
	})))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return s, server.URL + path + "/"
}
