package live

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/live/watch"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// The answer is that of the recommended predictor; there is none until a predictor has been tested
// on fifty jobs. If the best predictor has no bound, the next one answers. The waits cycle through
// 1, 2, ... 20 s. "wide" predicts 100 s times its quantile; "tight" predicts 25 s, but nothing for
// requests of 8 processors. For the others tight has the smaller loss and is recommended.
func TestOneAnswer(t *testing.T) {
	method := func(name string, seconds float64, largest int64) predict.BoundMethod {
		return methodOf(name, func(q float64) predict.BoundPredictor { return upTo{constant{q}, name, seconds * q, largest} })
	}
	for _, c := range []struct {
		jobs        int
		size        int64
		recommended string
		expected    float64
	}{{49, 4, "", math.NaN()}, {50, 4, "tight", 12.5}, {50, 8, "wide", 50}} {
		b := batch(10_000)
		for i := range c.jobs {
			at := 50 * float64(i)
			j := request(int64(i), at, 4)
			wait := float64(1 + i%20)
			b.Events = append(b.Events, submits(j), starts(j, at+wait), happened(workload.Finish, at+30, started(*j, at+wait)))
		}
		o := DefaultOptions()
		o.Predictors, o.Quantiles = []string{"wide", "tight"}, []float64{0.5, 0.95}
		o.Bounds = []predict.BoundMethod{method("wide", 100, 8), method("tight", 25, 4)}
		a := jobtest.Must(ran(t, &script{batches: []*Batch{b}}, o).Wait(t.Context(), Request{Size: c.size}))
		if a.Recommended != c.recommended || float64(a.Expected) != c.expected && !math.IsNaN(c.expected) || math.IsNaN(c.expected) != (a.Start == nil) {
			t.Errorf("%d jobs, size %d: recommended %q, %v s, start %v; want %q, %v s", c.jobs, c.size, a.Recommended, a.Expected, a.Start, c.recommended, c.expected)
		}
		if p := a.Predictions[0]; p.Recommended != (c.recommended != "") || p.Recommended && (p.Predictor != a.Recommended || p.Expected != a.Expected) {
			t.Errorf("%d jobs, size %d: the first prediction is %+v", c.jobs, c.size, p)
		}
	}
}

// upTo is a constant with its own name and bound, for requests of at most a given size.
type upTo struct {
	constant
	name    string
	seconds float64
	largest int64
}

func (u upTo) Name() string { return u.name }
func (u upTo) Predict(r workload.Request) (predict.Bound, bool) {
	b, _ := u.constant.Predict(r)
	b.Seconds = u.seconds
	return b, r.Size <= u.largest
}

// slowPolls is a source with slow polls.
type slowPolls struct {
	took  time.Duration
	polls int
	began time.Time
}

func (p *slowPolls) Poll(context.Context) (*watch.Poll, error) {
	if p.polls--; p.polls < 0 {
		return nil, errStop
	}
	time.Sleep(p.took)
	return &watch.Poll{At: time.Since(p.began).Seconds()}, nil
}
func (*slowPolls) Close() error { return nil }

// Polls that take 40 ms are made every 80 ms although the interval is set to 1 ms, and from the
// first poll on the staleness of a state is judged by the actual interval.
func TestSlowPolls(t *testing.T) {
	p := &slowPolls{40 * time.Millisecond, 3, time.Now()}
	s := jobtest.Must(New(Watch("source", p, &watch.Names{}, time.Now(), time.Millisecond), time.Now(), withoutPlan()))
	began := time.Now()
	for range 3 {
		b := jobtest.Must(s.feed.Next(context.Background()))
		jobtest.NoError(t, s.take(context.Background(), b))
		if s.rhythm < 0.08 {
			t.Errorf("a rhythm of %v s; want 0.08 s at least", s.rhythm)
		}
	}
	if took := time.Since(began); took < 200*time.Millisecond {
		t.Errorf("three polls took %v; want 200 ms at least", took)
	}
}
