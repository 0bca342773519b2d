package live

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/live/watch"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// constant predicts the bound 100 s times its quantile for every wait.
type constant struct{ quantile float64 }

func (c constant) Name() string { return "constant" }
func (c constant) Predict(workload.Request) (predict.Bound, bool) {
	b := predict.NoBound()
	b.Quantile, b.Seconds, b.Group = c.quantile, 100*c.quantile, "all"
	return b, true
}
func (c constant) Observe(workload.Job, predict.Bound) {}

// script is a feed of predefined batches.
type script struct {
	names   watch.Names
	batches []*Batch
	now     float64
}

func (f *script) Name() string        { return "script" }
func (f *script) Names() *watch.Names { return &f.names }
func (f *script) Replay(watch.Event)  {}
func (f *script) Now() float64        { return f.now }
func (f *script) Interval() float64   { return 30 }
func (f *script) Next(context.Context) (*Batch, error) {
	if len(f.batches) == 0 {
		return nil, io.EOF
	}
	b := f.batches[0]
	f.batches = f.batches[1:]
	f.now = b.At
	return b, nil
}

// A method that predicts points gives no bounds, so a service refuses it.
func TestNoPoints(t *testing.T) {
	o := DefaultOptions()
	points := constants
	points.Point = true
	o.Predictors, o.Bounds = []string{"constant"}, []predict.BoundMethod{points}
	_, err := New(new(script), time.Unix(0, 0), o)
	if jobtest.OptionOf(err) != "predictors" {
		t.Errorf("error %v, want one of the option predictors", err)
	}
}

// ran returns a service that has processed the whole feed.
func ran(t *testing.T, f Feed, o Options) *Service {
	t.Helper()
	s, err := New(f, time.Unix(0, 0).UTC(), o)
	if err == nil {
		err = s.Run(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// methodOf returns a method whose predictors are created by quantile.
func methodOf(name string, of func(quantile float64) predict.BoundPredictor) predict.BoundMethod {
	return predict.BoundMethod{Name: name, New: func(q, _ float64, _ predict.BoundOptions) (predict.BoundPredictor, error) { return of(q), nil }}
}

// constants is the method that creates constant predictors.
var constants = methodOf("constant", func(q float64) predict.BoundPredictor { return constant{q} })

// scripted returns a service that has processed the batches, with bounds of 50 and 80 s.
func scripted(t *testing.T, f *script) *Service {
	t.Helper()
	o := DefaultOptions()
	o.Draws = 0
	o.Predictors, o.Quantiles, o.Bounds = []string{"constant"}, []float64{0.5, 0.8}, []predict.BoundMethod{constants}
	return ran(t, f, o)
}

// batch returns the events up to a time on a machine of 8 processors.
func batch(at float64, events ...watch.Event) *Batch {
	return &Batch{At: at, Jobs: map[int64]*watch.Sighting{}, Capacity: watch.Capacity{Processors: 8, Total: 8}, Events: events}
}

func request(row int64, submit float64, size int64) *workload.Job {
	j := workload.UnknownJob()
	j.ID, j.Row, j.Submit, j.Processors, j.Size = 100+row, row, submit, size, size
	return &j
}

func happened(kind workload.EventKind, at float64, j workload.Job) watch.Event {
	return watch.Event{Kind: kind, Time: at, Job: &j}
}

func submits(j *workload.Job) watch.Event { return happened(workload.Submit, j.Submit, *j) }

func starts(j *workload.Job, at float64) watch.Event {
	return happened(workload.Start, at, started(*j, at))
}

func started(j workload.Job, at float64) workload.Job {
	j.Wait = at - j.Submit
	return j
}

// The bounds are 50 and 80 s. A wait of 40 s is within both, one of 60 s within the second only. A
// job that leaves after 70 s has exceeded the first bound and is censored for the second. A job
// still waiting after 90 s has exceeded both; one waiting for 10 s, neither.
func TestAuditByHand(t *testing.T) {
	a, b, c, d, e := request(0, 0, 4), request(1, 0, 4), request(2, 30, 4), request(3, 10, 4), request(4, 90, 4)
	s := scripted(t, &script{batches: []*Batch{
		batch(30, submits(a), submits(b), submits(d), submits(c)),
		batch(100, starts(a, 40), starts(b, 60), submits(e), happened(workload.Finish, 100, *c), starts(a, 99)), // a's start is reported twice
	}})
	scores := jobtest.Must(s.Scores())
	for i, want := range []map[string]float64{
		{"quantile": 0.5, "answers": 5, "held": 1, "censored": 0, "open": 1, "coverage": 0.25, "coverage_jobs": 4, "pinball_loss_min": (0.5*10 + 0.5*10) / 2. / 60, "bound_median_min": 50. / 60},
		{"quantile": 0.8, "answers": 5, "held": 2, "censored": 1, "open": 1, "coverage": 2. / 3, "coverage_jobs": 3, "pinball_loss_min": (0.2*40 + 0.2*20) / 2 / 60, "bound_median_min": 80. / 60},
	} {
		jobtest.CheckNumbers(t, scores.Bounds[i], want)
	}
	if at := s.timeAt(0); !scores.Since.Equal(at.Add(30 * time.Second)) {
		t.Errorf("the first answer was given at %v", scores.Since)
	}
	// Two jobs run on 4 of 8 processors each.
	if m := scores.State; m.Running != 2 || m.Pending != 2 || m.Free != 0 || m.Processors != 8 {
		t.Errorf("%+v", m)
	}
}

// A task of an array has the array's number while it waits, and a number of its own once it runs. A
// job that has already started when it is first seen has an answer, too.
func TestTask(t *testing.T) {
	a, task := request(0, 0, 1), request(1, 0, 1)
	b := request(2, 100, 1)
	waits := submits(task)
	waits.Job.ID = 100
	s := scripted(t, &script{batches: []*Batch{
		batch(30, submits(a), waits), batch(120, starts(task, 35), submits(b), starts(b, 110)),
	}})
	scores, _ := s.Scores()
	if b := scores.Bounds[0]; b.Answers != 3 || b.Jobs != 3 {
		t.Errorf("%+v, want three answers, all settled", b)
	}
	answer := jobtest.Must(s.Job(context.Background(), "101"))
	if want := s.timeAt(30); !answer.Given.Equal(want) || answer.Job.State != "running" || answer.Job.Waited != 35 {
		t.Errorf("the task got its answer at %v, want %v: %+v", answer.Given, want, answer.Job)
	}
	if jobs, err := s.Jobs(context.Background(), JobsQuestion{}); err != nil || len(jobs.Partitions) != 1 {
		t.Errorf("%+v, %v, want one partition, which has no name", jobs, err)
	}
}

// Places in the queue are by priority within a partition; held jobs have none.
func TestQueueByHand(t *testing.T) {
	f := &script{}
	one, two := f.names.Number(workload.ColPartition, "one"), f.names.Number(workload.ColPartition, "two")
	b := batch(60)
	b.Capacity.Partitions = []watch.Partition{
		{Name: "one", Number: one, Processors: 8, Total: 8, MaxProcessors: 4, MaxTime: 3600, State: watch.Up, Default: true},
		{Name: "two", Number: two, Processors: 8, Total: 8, MaxTime: math.Inf(1), State: watch.Up},
	}
	for row, x := range []struct {
		partition, priority int64
		held                bool
	}{{one, 5, false}, {one, 7, false}, {two, 1, false}, {one, 9, true}, {one, 5, false}} {
		j := request(int64(row), float64(row), 2)
		j.Partition = x.partition
		b.Events = append(b.Events, submits(j))
		b.Jobs[int64(row)] = &watch.Sighting{Job: *j, Label: "", Priority: x.priority, Held: x.held, Expected: math.NaN()}
	}
	f.batches = []*Batch{b}
	s := scripted(t, f)
	jobs := jobtest.Must(s.Jobs(context.Background(), JobsQuestion{}))
	got := ""
	for _, j := range jobs.Jobs {
		got += fmt.Sprintf("%d: %d of %d, %s\n", j.ID, j.Place, j.Of, j.State)
	}
	if want := "103: 0 of 0, held\n101: 1 of 3, pending\n100: 2 of 3, pending\n104: 3 of 3, pending\n102: 1 of 1, pending\n"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	for _, x := range []struct {
		q      Request
		option string
	}{
		{Request{Size: 9}, "size"}, {Request{Size: 5}, "size"}, {Request{Size: 5, Partition: "two"}, ""},
		{Request{Size: 1, Time: 3601}, "time"}, {Request{Size: 1, Partition: "three"}, "partition"},
		{Request{Size: 1, Time: 3600, User: "nobody"}, ""}, {Request{Size: 1e18}, "size"},
	} {
		if _, err := s.Wait(context.Background(), x.q); jobtest.OptionOf(err) != x.option || x.option == "" && err != nil {
			t.Errorf("%+v: %v, want a fault of %q", x.q, err, x.option)
		}
	}
	if n := len(jobs.Partitions); n != 2 {
		t.Errorf("%d partitions, want 2", n)
	}
	if held, err := s.Job(context.Background(), "103"); err != nil || held.Withheld == nil || held.Withheld.Reason != ReasonHeld {
		t.Errorf("a held job: %+v, %v", held, err)
	}
	if _, err := s.Job(context.Background(), "7"); !errors.Is(err, ErrUnknownJob) {
		t.Errorf("%v", err)
	}
}

// A state is stale after three intervals without a poll, and reports its age.
func TestStale(t *testing.T) {
	f := &script{}
	s := scripted(t, f)
	if _, err := s.Wait(context.Background(), Request{Size: 1}); !errors.Is(err, ErrNotReady) || s.Status().Ready {
		t.Errorf("%v before the first state", err)
	}
	jobtest.NoError(t, s.take(t.Context(), batch(10)))
	for _, x := range []struct {
		now   float64
		stale bool
	}{{10, false}, {100, false}, {100.5, true}} {
		f.now = x.now
		a, err := s.Wait(context.Background(), Request{Size: 1})
		if err != nil || a.State.Stale != x.stale || float64(a.State.Age) != x.now-10 || s.Status().Ready == x.stale {
			t.Errorf("at %g s: %+v, %v", x.now, a.State, err)
		}
	}
	s.failed(errors.New("no answer"))
	if st := s.Status(); st.Fault != "no answer" || st.InARow != 1 || st.Failed != 1 {
		t.Errorf("%+v", st)
	}
}

// Several goroutines may ask questions while polls are processed.
func TestAskWhilePolling(t *testing.T) {
	o := DefaultOptions()
	o.Predictors = []string{"bmbp", "qbets"}
	s, ctx := ran(t, &script{}, o), t.Context()
	row := int64(0)
	poll := func(jobs int) {
		b := batch(float64(row + int64(jobs)))
		b.Capacity = watch.Capacity{Processors: 256, Total: 256}
		for range jobs { // every second one starts at once, and a third of these end
			j := request(row, float64(row), 1+row%64)
			j.Time = 3600
			b.Events = append(b.Events, submits(j))
			if row%2 == 0 {
				b.Events = append(b.Events, starts(j, j.Submit))
			} else {
				b.Jobs[row] = &watch.Sighting{Job: *j, Expected: math.NaN(), Priority: row % 7}
			}
			if row%6 == 0 {
				b.Events = append(b.Events, happened(workload.Finish, j.Submit, started(*j, j.Submit)))
			}
			row++
		}
		jobtest.NoError(t, s.take(ctx, b))
	}
	poll(300)
	stop := make(chan bool)
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			for i := int64(0); ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				_, err := s.Wait(ctx, Request{Size: 1 + i%64, Time: 3600})
				_, jobs := s.Jobs(ctx, JobsQuestion{Limit: 10})
				_, scores := s.Scores()
				_, job := s.Job(ctx, "101")
				if err = errors.Join(err, jobs, scores, job); err != nil {
					t.Error(err)
				}
				s.Status()
			}
		})
	}
	for range 10 {
		poll(50)
	}
	close(stop)
	all.Wait()
}
