package live

import (
	"context"
	"errors"
	"math"
	"sync"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/live/watch"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// The answer is that of the recommended predictor, and there is none before one has been
// tested on a hundred jobs, nor where the recommended one has no bound. The waits are 1,
// 2, ... 20 s in turn: "wide" bounds them by 100 s times its quantile, "tight" by 25 s, and
// has none for requests of 8 processors, so that tight loses less and is recommended.
func TestOneAnswer(t *testing.T) {
	method := func(name string, seconds float64, largest int64) predict.BoundMethod {
		return predict.BoundMethod{Name: name, New: func(q, _ float64, _ predict.BoundOptions) (predict.BoundPredictor, error) {
			return upTo{constant{q}, name, seconds * q, largest}, nil
		}}
	}
	for _, c := range []struct {
		jobs        int
		size        int64
		recommended string
		expected    float64
	}{{99, 4, "", math.NaN()}, {100, 4, "tight", 12.5}, {100, 8, "", math.NaN()}} {
		b := &Batch{At: 10_000, Capacity: watch.Capacity{Processors: 8, Total: 8}}
		for i := range c.jobs {
			at := 50 * float64(i)
			j := request(int64(i), at, 4)
			wait := float64(1 + i%20)
			b.Events = append(b.Events, happened(workload.Submit, at, *j), happened(workload.Start, at+wait, started(*j, at+wait)), happened(workload.Finish, at+30, started(*j, at+wait)))
		}
		o := DefaultOptions()
		o.Predictors, o.Quantiles = []string{"wide", "tight"}, []float64{0.5, 0.95}
		o.Bounds = []predict.BoundMethod{method("wide", 100, 8), method("tight", 25, 4)}
		s, err := New(&script{batches: []*Batch{b}}, time.Unix(0, 0), o)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
		a, err := s.Wait(context.Background(), Question{Size: c.size})
		if err != nil {
			t.Fatal(err)
		}
		if a.Recommended != c.recommended || float64(a.Expected) != c.expected && !math.IsNaN(c.expected) || math.IsNaN(c.expected) != (a.Start == nil) {
			t.Errorf("%d jobs, size %d: recommended %q, %v s, start %v; want %q, %v s", c.jobs, c.size, a.Recommended, a.Expected, a.Start, c.recommended, c.expected)
		}
		if p := a.Predictions[0]; p.Recommended != (c.recommended != "") || p.Recommended && (p.Predictor != a.Recommended || p.Expected != a.Expected) {
			t.Errorf("%d jobs, size %d: the first prediction is %+v", c.jobs, c.size, p)
		}
	}
}

// upTo is a constant with another name and bound, for requests of at most a size.
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

// Past waits are of the latest jobs of the narrowest group with 20 of them: 25 jobs of 4
// processors in the partition "one" have waited 1 to 25 s, of which 20 s are not exceeded
// by 80 %; one of 8 processors has waited 1000 s, and one in "two" 2000 s.
func TestPastWaits(t *testing.T) {
	b := &Batch{At: 5000, Capacity: watch.Capacity{Processors: 64, Total: 64}}
	add := func(row, size, partition int64, wait float64) {
		j := request(row, 10*float64(row), size)
		j.Partition = partition
		b.Events = append(b.Events, happened(workload.Submit, j.Submit, *j))
		b.Events = append(b.Events, happened(workload.Start, j.Submit+wait, started(*j, j.Submit+wait)))
	}
	for i := range int64(25) {
		add(i, 4, 1, float64(1+(7*i)%25))
	}
	add(25, 8, 1, 1000)
	add(26, 8, 2, 2000)
	b.Training = 27 // those of the history count, too
	feed := &script{batches: []*Batch{b}}
	feed.Number(workload.ColPartition, "one")
	feed.Number(workload.ColPartition, "two")
	s := scripted(t, feed)
	for _, c := range []struct {
		q                Question
		jobs             int
		partition, sizes string
		half, most       float64
	}{
		{Question{Size: 1, Partition: "one"}, 25, "one", "1-4", 13, 20},
		{Question{Size: 9, Partition: "one"}, 26, "one", "", 13, 21},
		{Question{Size: 2, Partition: "two"}, 25, "", "1-4", 13, 20},
		{Question{Size: 64, Partition: "two"}, 27, "", "", 14, 22},
		{Question{Size: 64}, 27, "", "", 14, 22},
	} {
		a, err := s.Wait(context.Background(), c.q)
		if err != nil {
			t.Fatal(err)
		}
		p := a.PastWaits
		if p == nil || p.Jobs != c.jobs || p.Partition != c.partition || p.Sizes != c.sizes || float64(p.Waits[0].Seconds) != c.half || float64(p.Waits[1].Seconds) != c.most {
			t.Errorf("%+v: %+v, want %+v", c.q, p, c)
		}
	}
	var many startTally
	r := request(0, 0, 4)
	for i := range 2500 {
		many.add(&r.Request, float64(i), float64(i))
	}
	if _, since, waits := many.like(&r.Request); since != 1500 || len(waits) != 1000 || waits[0] != 1500 {
		t.Errorf("%d waits since %v, want the latest 1000", len(waits), since)
	}
}

// slowPolls is a source whose polls take their time.
type slowPolls struct {
	took  time.Duration
	polls int
}

func (p *slowPolls) Poll(context.Context) (*watch.Poll, error) {
	if p.polls--; p.polls < 0 {
		return nil, errStop
	}
	time.Sleep(p.took)
	return &watch.Poll{At: float64(p.polls)}, nil
}
func (*slowPolls) Close() error { return nil }

// Polls of 40 ms are asked for every 80 ms where an interval of 1 ms was wanted. The age
// of a state is judged by that, a while longer when polls become quick.
func TestSlowPolls(t *testing.T) {
	p := &slowPolls{40 * time.Millisecond, 30}
	f := Watch("source", p, &watch.Names{}, time.Now(), time.Millisecond).(*watchFeed)
	next := func() {
		if _, err := f.Next(context.Background()); err != nil && !errors.Is(err, errStop) {
			t.Fatal(err)
		}
	}
	if f.Interval() != 0.001 || !f.Due().IsZero() {
		t.Errorf("before the first poll: %v s, due at %v", f.Interval(), f.Due())
	}
	before := time.Now()
	next()
	if got := f.Interval(); got < 0.08 {
		t.Errorf("the rhythm is %v s, want at least 0.08", got)
	}
	if due := f.Due(); due.Before(before.Add(80*time.Millisecond)) || due.After(time.Now().Add(time.Duration(f.Interval()*1e9))) {
		t.Errorf("the next poll is due %v after this one", due.Sub(before))
	}
	p.took = 0
	slow := f.Interval()
	next()
	if got := f.Interval(); math.Abs(got-rhythmKept*slow) > 1e-6 {
		t.Errorf("the rhythm after a quick poll is %v s, want 0.9 of %v", got, slow)
	}
}

// A service that takes 100 s of its feed's clock from a poll to the next question is not
// stale after three intervals of 30 s.
func TestSlowDigest(t *testing.T) {
	f := &script{}
	delay := sync.OnceFunc(func() { f.now = 110 })
	o := DefaultOptions()
	o.Plan, o.Predictors, o.Quantiles = nil, []string{"slow"}, []float64{0.5}
	o.Bounds = []predict.BoundMethod{{Name: "slow", New: func(q, _ float64, _ predict.BoundOptions) (predict.BoundPredictor, error) {
		return slowly{constant{q}, delay}, nil
	}}}
	s, err := New(f, time.Unix(0, 0), o)
	if err != nil {
		t.Fatal(err)
	}
	f.now = 10
	if err := s.take(context.Background(), &Batch{At: 10, Capacity: watch.Capacity{Processors: 8}, Events: []watch.Event{happened(workload.Submit, 10, *request(0, 10, 1))}}); err != nil {
		t.Fatal(err)
	}
	if err := s.engine.predictors.settled(); err != nil {
		t.Fatal(err)
	}
	for now, stale := range map[float64]bool{300: false, 400: true} {
		f.now = now
		a, err := s.Wait(context.Background(), Question{Size: 1})
		if err != nil {
			t.Fatal(err)
		}
		if a.State.Stale != stale || (a.Withheld != nil) != stale || stale && (a.Withheld.Reason != ReasonStale || len(a.Predictions) > 0) {
			t.Errorf("at %v s: stale %v, withheld %+v, %d predictions", now, a.State.Stale, a.Withheld, len(a.Predictions))
		}
	}
}

// slowly answers after a delay.
type slowly struct {
	constant
	delay func()
}

func (s slowly) Name() string { return "slow" }
func (s slowly) Predict(r workload.Request) (predict.Bound, bool) {
	s.delay()
	return s.constant.Predict(r)
}
