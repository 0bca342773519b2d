package live

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/live/watch"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/predict/standing"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// busyLog writes a log of a machine of 16 processors under EASY in which no two events have the
// same time, in whole seconds.
func busyLog(t *testing.T, n int) (name string, jobs []workload.Job) {
	t.Helper()
	rng := rand.New(rand.NewPCG(11, 5))
	at := int64(0)
	for i := range n {
		at += 10 * (1 + rng.Int64N(250))
		j := workload.UnknownJob()
		j.ID, j.Row, j.Submit, j.Size, j.User = int64(i+1), int64(i), float64(at+int64(i)%2), 1+rng.Int64N(4), rng.Int64N(4)
		j.Run = math.Floor(100*math.Exp(3*rng.Float64()))*10 + 5
		j.Time = 2 * j.Run
		jobs = append(jobs, j)
	}
	waits := make([]float64, n)
	for _, j := range jobtest.Collect(t, sched.Simulate(workload.JobsOf(jobs), sched.Config{Processors: 16, Policy: sched.EASY{}}, nil)) {
		waits[j.Row] = j.Wait
	}
	text := "; MaxProcs: 16\n"
	for i := range jobs {
		j := &jobs[i]
		j.Wait = waits[i]
		text += fmt.Sprintf("%d %.0f %.0f %.0f %d -1 -1 %[5]d %.0f -1 1 %d -1 -1 -1 -1 -1 -1\n", j.ID, j.Submit, j.Wait, j.Run, j.Size, j.Time, j.User)
	}
	name = filepath.Join(t.TempDir(), "busy.swf")
	jobtest.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	return name, jobs
}

// The answer for a job of a log at its submission is the same in three ways: as a prediction for a
// job of the log (predict --sample), as a request to the machine at that moment (wait), and from a
// service that has replayed the log up to that moment (serve).
func TestSameAnswers(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes minutes under the race detector, and is of one goroutine")
	}
	const quantile = 0.6 // the draws for it depend on the seed
	ctx := t.Context()
	name, jobs := busyLog(t, longtest.Size(350, 450))
	bounds := []string{"bmbp", "qbets", predict.CombinedBound}
	names := append([]string{standing.Drawn, standing.Simulated, standing.Estimates, standing.BQueue}, bounds...)
	predicted := map[string]float64{} // by predictor and job
	key := func(predictor string, id int64) string { return fmt.Sprint(predictor, " ", id) }
	_, err := evaluate.Waits(ctx, open(t, name), evaluate.WaitsOptions{
		Predictors: names, Quantile: quantile, Sample: 50, Policy: "easy", Scoring: evaluate.Scoring{Seed: 1},
		Predicted: func(w evaluate.WaitPrediction) error {
			if w.Waits == evaluate.LogWaits {
				predicted[key(w.Predictor, w.JobID)] = w.Seconds
			}
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	compared := map[string]int{}
	check := func(way, predictor string, id int64, seconds float64) {
		t.Helper()
		want, ok := predicted[key(predictor, id)]
		switch {
		case !ok:
		case seconds != want:
			t.Errorf("job %d: %s says %v s by %s, and predict %v s", id, way, seconds, predictor, want)
		default:
			compared[way+" "+predictor]++
		}
	}
	drawn := slices.DeleteFunc(slices.Clone(jobs), func(j workload.Job) bool {
		return j.Row < 260 || !(predicted[key(standing.Drawn, j.ID)] > 0)
	})
	if len(drawn) < 3 {
		t.Fatal("few jobs are drawn")
	}
	for _, j := range drawn[len(drawn)-3:] {
		before := workload.LogOf("before", workload.Header{Lines: []string{" MaxProcs: 16"}}, jobs[:j.Row])
		q := DefaultQuery()
		if err = q.Logs.Add(ctx, before); err != nil {
			t.Fatal(err)
		}
		q.Sizes, q.Time, q.Predictors, q.Quantiles, q.Policy, q.Judged = []int64{j.Size}, j.Time, names, []float64{quantile}, "easy", 0
		q.User, q.At = fmt.Sprint(j.User), fmt.Sprint(j.Submit)
		a := jobtest.Must(Ask(ctx, q))
		for _, p := range a.Rows() {
			seconds := p.Expected
			if len(p.Bounds) > 0 {
				seconds = p.Bounds[0].Seconds
			}
			check("wait", p.Predictor, j.ID, float64(seconds))
		}

		o := DefaultOptions()
		o.Predictors, o.Quantiles = bounds, []float64{quantile}
		feed := replaying(t, name, ReplayOptions{Speed: math.Inf(1), Interval: 1})
		answer := jobtest.Must(ran(t, &stopped{feed, j.Submit}, o).Wait(ctx, Request{Size: j.Size, Time: j.Time, User: fmt.Sprint(j.User)}))
		for _, p := range answer.Predictions {
			check("serve", p.Predictor, j.ID, float64(p.Bounds[0].Seconds))
		}
	}
	for _, name := range names {
		served := slices.Contains(bounds, name) || name == standing.Drawn
		if compared["wait "+name] < 3 || served && compared["serve "+name] < 3 {
			t.Errorf("%s is hardly compared: %v", name, compared)
		}
	}
}

// stopped is a feed that ends at a given time, before the events of that time.
type stopped struct {
	Feed
	at float64
}

func (f *stopped) Next(ctx context.Context) (*Batch, error) {
	b, err := f.Feed.Next(ctx)
	if err == nil && b.At >= f.at {
		b.Events = slices.DeleteFunc(b.Events, func(e watch.Event) bool { return e.Time >= f.at })
		b.At = f.at
		f.Feed = ended{f.Feed}
	}
	return b, err
}

// ended is a feed without further batches.
type ended struct{ Feed }

func (ended) Next(context.Context) (*Batch, error) { return nil, io.EOF }
