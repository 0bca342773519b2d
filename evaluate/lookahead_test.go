package evaluate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/runtime/outside"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// scheduled returns a log of many jobs with all attributes, whose waits are those under a policy
// on ten processors.
func scheduled(t *testing.T, policy sched.Policy) []workload.Job {
	t.Helper()
	rng := rand.New(rand.NewPCG(4, 0))
	var jobs []workload.Job
	submit := 0.0
	for i := range 2200 {
		submit += float64(rng.IntN(6000) * rng.IntN(2)) // half of them at the same instant as another
		j := workload.UnknownJob()
		j.ID, j.Row, j.Submit = int64(i+1), int64(i), submit
		j.User, j.Group, j.Application, j.Partition, j.Queue = 1+rng.Int64N(5), rng.Int64N(2), rng.Int64N(4), 1, rng.Int64N(3)
		j.Size = 1 + rng.Int64N(8)
		j.Processors, j.Allocated = j.Size, j.Size
		j.Time = float64(1200 * (1 + rng.IntN(6)))
		j.Run = float64(1+rng.IntN(1000)) / 1000 * j.Time
		jobs = append(jobs, j)
	}
	for _, j := range jobtest.Collect(t, sched.Simulate(workload.JobsOf(jobs), sched.Config{Processors: 10, Policy: policy, Estimator: sched.UserEstimates{}}, nil)) {
		jobs[j.Row].Wait = j.Wait
	}
	return jobs
}

// otherwise returns the log with another future after a moment: the jobs submitted later exchange
// attributes, waits and run times, and the jobs that wait or run at the moment get other
// remaining times.
func otherwise(jobs []workload.Job, moment float64) []workload.Job {
	first := slices.IndexFunc(jobs, func(j workload.Job) bool { return j.Submit > moment })
	later := slices.Clone(jobs[first:])
	slices.Reverse(later)
	other := slices.Clone(jobs)
	for i := range other {
		j := &other[i]
		switch {
		case i >= first:
			*j = later[i-first]
			j.ID, j.Row, j.Submit = jobs[i].ID, jobs[i].Row, jobs[i].Submit
		case j.Start() > moment:
			j.Wait, j.Run = j.Wait+5000, j.Run/2
		case j.End() > moment:
			j.Run += 3000
		}
	}
	return other
}

// told holds the predictions for the jobs submitted up to a moment, by predictor and job; for
// predictors at the head of a queue, those for the jobs started by then.
type told map[string]float64

func (p told) add(jobs []workload.Job, moment float64, row int64, of string, seconds float64) {
	if j := &jobs[row]; j.Submit <= moment {
		p[fmt.Sprint(of, " of job ", j.ID)] = seconds
	}
}

// oracle knows the waits and run times of a log's jobs; the test must detect this.
type oracle struct{ jobs []workload.Job }

func (o oracle) Name() string                      { return "oracle" }
func (oracle) Observe(workload.Job, predict.Bound) {}
func (o oracle) Predict(r workload.Request) (predict.Bound, bool) {
	b := predict.NoBound()
	b.Seconds = o.jobs[r.Row].Wait
	return b, true
}

type runTimeOracle struct{ oracle }

func (runTimeOracle) Observe(*workload.Job) {}
func (o runTimeOracle) Predict(r *workload.Request) (workload.Prediction, bool) {
	return workload.Prediction{Seconds: o.jobs[r.Row].Run}, true
}

// checksum is a command that answers with a checksum of all its input.
const checksum = `checksum: exec python3 -uc '
import json, sys, zlib
sum = 0
for line in sys.stdin:
    sum = zlib.crc32(line.encode(), sum)
    event = json.loads(line)
    if "submit" in event:
        print(json.dumps({"row": event["submit"]["row"], "predicted_s": sum}))
'`

// withChecksum returns the command checksum, and names with its own name added, if this machine
// has Python.
func withChecksum(names []string) ([]outside.Command, []string) {
	if _, err := exec.LookPath("python3"); err != nil {
		return nil, names
	}
	return []outside.Command{outside.ParseCommand(checksum)}, append(slices.Clone(names), "checksum")
}

// askRunTimes collects the predictions of all predictors of run times, and of an oracle.
func askRunTimes(t *testing.T, jobs []workload.Job, moment float64, names []string) told {
	p := told{}
	programs, _ := withChecksum(nil)
	o := RunTimesOptions{
		Programs:   programs,
		Predictors: names, Classes: []string{"all", "user+size", "user"}, Fallback: true,
		Own: []runtime.Entry{{Predictor: "oracle", Own: runTimeOracle{oracle{jobs}}}},
		Predicted: func(x RunTimePrediction) error {
			p.add(jobs, moment, x.Job.Row, x.Predictor+","+x.Classes, x.Seconds)
			return nil
		},
	}
	jobtest.Must(RunTimes(context.Background(), workload.LogOf("log", workload.Header{}, jobs), o))
	return p
}

// askWaits collects the predictions of all predictors of waits, and of an oracle. Downey's are
// fitted to the previous interval only, since fits to the whole log look ahead by design.
func askWaits(t *testing.T, jobs []workload.Job, moment float64, names []string) told {
	p := told{}
	oracles := predict.BoundMethod{Name: "oracle", New: func(float64, float64, predict.BoundOptions) (predict.BoundPredictor, error) { return oracle{jobs}, nil }}
	programs, _ := withChecksum(nil)
	o := WaitsOptions{
		Programs:   programs,
		Predictors: append(slices.Clone(names), "oracle"), Bounds: append(predict.BoundMethods(), oracles),
		Processors: 10, Months: 1, Sample: 500, Quantile: 0.8, Confidence: 0.8,
		Predicted: func(x WaitPrediction) error {
			if x.Waits != HeadWaits || jobs[x.Request.Row].Start() <= moment {
				p.add(jobs, moment, x.Request.Row, x.Predictor+","+x.Waits, x.Seconds)
			}
			return nil
		},
	}
	jobtest.Must(Waits(context.Background(), workload.LogOf("log", workload.Header{}, jobs), o))
	return p
}

// TestNoLookingAhead checks that no predictor of run times or waits depends on what happens after
// a moment, except the oracles.
func TestNoLookingAhead(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes under the race detector, and uses one goroutine")
	}
	t.Parallel()
	for _, c := range []struct {
		what   string
		policy sched.Policy
		names  []string
		ask    func(*testing.T, []workload.Job, float64, []string) told
	}{
		{"run times", sched.FCFS{}, runtime.PredictorNames(), askRunTimes},
		{"waits", sched.FCFS{}, AllWaitPredictors(), askWaits},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			jobs := scheduled(t, c.policy)
			moment := jobs[1900].Submit
			before, after := c.ask(t, jobs, moment, c.names), c.ask(t, otherwise(jobs, moment), moment, c.names)
			if len(before) != len(after) {
				t.Errorf("%d predictions, but %d with another future", len(before), len(after))
			}
			asked, changed := map[string]bool{}, map[string]bool{}
			for which, seconds := range before {
				name, _, _ := strings.Cut(which, ",")
				asked[name] = true
				if x, ok := after[which]; !ok || x != seconds {
					changed[name] = true
				}
			}
			_, names := withChecksum(c.names)
			for _, name := range append(names, "oracle") {
				if !asked[name] {
					t.Errorf("%s is not asked", name)
				}
			}
			for name := range asked {
				if changed[name] != (name == "oracle") {
					t.Errorf("%s: changed %t", name, changed[name])
				}
			}
		})
	}
}
