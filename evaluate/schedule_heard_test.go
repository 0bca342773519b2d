package evaluate

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// idle is a policy that starts no job.
type idle struct{ sched.FCFS }

func (idle) Name() string                          { return "idle" }
func (idle) Planner(*sched.State) sched.Planner    { return idle{} }
func (idle) Next(*sched.State) (sched.Place, bool) { return sched.Place{}, false }

// Schedule returns the errors of the simulation whatever its callback does with them, and then no
// scores of only some of the jobs.
func TestScheduledLosesNoError(t *testing.T) {
	jobs := make([]workload.Job, 9)
	for i := range jobs {
		jobs[i] = madeJob(i, float64(i), 5, 1)
	}
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	own := errors.New("own")
	reading := func(most int, err error) func(workload.JobSeq) error {
		return func(jobs workload.JobSeq) error {
			n := 0
			for range jobs {
				if n++; n == most {
					break
				}
			}
			return err
		}
	}
	for name, c := range map[string]struct {
		ctx       context.Context
		policy    string
		scheduled func(workload.JobSeq) error
		want      error
		says      string
	}{
		"reads all":          {t.Context(), "", reading(-1, nil), nil, ""},
		"its own error":      {t.Context(), "", reading(5, own), own, ""},
		"stops":              {t.Context(), "", reading(5, nil), nil, "before the last job"},
		"canceled":           {canceled, "", reading(-1, nil), context.Canceled, ""},
		"stops at the error": {t.Context(), "idle", reading(1, nil), sched.ErrNeverStarts, ""},
	} {
		r, err := Schedule(c.ctx, workload.LogOf("made", workload.Header{}, jobs),
			ScheduleOptions{Policy: c.policy, Policies: append(sched.Policies(), idle{}), Processors: 4, Scheduled: c.scheduled})
		switch {
		case c.want == nil && c.says == "":
			if err != nil || r.Whole.Jobs != len(jobs) {
				t.Errorf("%s: error %v", name, err)
			}
		case err == nil || r != nil || !errors.Is(err, c.want) && c.want != nil || !strings.Contains(err.Error(), c.says):
			t.Errorf("%s: error %v, want %v %s", name, err, c.want, c.says)
		}
	}
}
