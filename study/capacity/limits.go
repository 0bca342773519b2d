package capacity

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Values of Options.Beyond: the treatment of jobs longer than a time limit.
const (
	split  = "split"  // they run as chains of jobs, each of which resumes from the checkpoint of the previous one
	capped = "cap"    // they end at the limit, and the rest of their work is lost
	refuse = "refuse" // they are not submitted
)

// LimitEffect describes the effect of a time limit on all jobs under a policy. The wait of a job
// that is split is the sum of the waits of its parts.
type LimitEffect struct {
	Policy string       `json:"policy" show:"policy"`
	Limit  stats.Number `json:"limit_s" show:"limit,duration"`  // s; +Inf for no limit, null in JSON
	Jobs   int          `json:"jobs_beyond" show:"jobs beyond"` // number of the log's jobs longer than the limit
	Mean   stats.Number `json:"wait_mean_s" show:"mean wait,duration"`
	Q95    stats.Number `json:"wait_q95_s" show:"95%,duration"`
	// Change is the change of the mean wait from that without a limit; Low and High are the
	// ends of its interval. All are NaN without a limit.
	Change stats.Number `json:"change_pct" show:"change,%"`
	Low    stats.Number `json:"change_low_pct" show:"from,%"`
	High   stats.Number `json:"change_high_pct" show:"to,%"`
	Redone stats.Number `json:"redone_pct" show:"work redone,%"` // share of the log's processor seconds
	Undone stats.Number `json:"undone_pct" show:"work not done,%"`
}

// limitsOf returns the time limits of Options.Vary in seconds; nil if it names something else.
func limitsOf(vary string) (limits []float64, err error) {
	text, ok := strings.CutPrefix(vary, "time-limit=")
	if !ok {
		return nil, nil
	}
	for item := range strings.SplitSeq(text, ",") {
		limit, err := opt.Seconds(item)
		if err != nil || !(limit > 0) || math.IsInf(limit, 1) {
			return nil, workload.OptionFault("vary", vary, "time limits above 0, such as time-limit=24h,48h")
		}
		limits = append(limits, limit)
	}
	return limits, nil
}

// limiter applies a time limit to jobs and sums the work that changes.
type limiter struct {
	limit, checkpoint float64 // s
	beyond            string
	most              int64   // parts of jobs that may still be yielded
	jobs              int     // jobs beyond the limit
	work              float64 // of all jobs, processor seconds
	redone, undone    float64 // processor seconds
}

// limited yields the jobs as changed by the limit. All parts of a job have its number and row, so
// that each part depends on the previous one, and jobs that depend on the job wait for the last.
func (l *limiter) limited(jobs workload.JobSeq) workload.JobSeq {
	return func(yield func(workload.Job, error) bool) {
		for j, err := range jobs {
			l.work += j.Run * float64(j.Size)
			j.Time = min(j.Time, l.limit) // requests may not exceed the limit
			if err != nil || j.Run <= l.limit {
				if !yield(j, err) {
					return
				}
				continue
			}
			l.jobs++
			left, size := j.Run, float64(j.Size)
			if l.beyond != split {
				done := 0.0
				if l.beyond == capped {
					done = l.limit
				}
				l.undone += (left - done) * size
				left = done
			}
			for left > 0 {
				j.Run = min(left, l.limit)
				if left -= j.Run; left > 0 {
					left += l.checkpoint
					l.redone += l.checkpoint * size
				}
				if l.most--; l.most < 0 {
					yield(j, workload.OptionFault("vary", fmt.Sprintf("time-limit=%gs", l.limit), "limits that split the jobs into fewer parts, or a larger `most-jobs`"))
					return
				}
				if !yield(j, nil) {
					return
				}
				j.Preceding, j.Think = j.ID, 0
			}
		}
	}
}

// limits adds the effects of time limits under a policy.
func (s *study) limits(ctx context.Context, limits []float64, policy int, r *Result) error {
	x := &search{study: s, target: Target{}} // the zero Target is the mean wait
	var unlimited []*outcome                 // by workload
	for i, limit := range slices.Insert(slices.Clone(limits), 0, math.Inf(1)) {
		e := LimitEffect{Policy: s.o.Policies[policy], Limit: stats.Number(limit), Change: unknown, Low: unknown, High: unknown}
		outcomes := make([]*outcome, len(s.sets))
		err := par.Run(ctx, s.o.Workers, len(s.sets), func(w int) error {
			l := &limiter{limit: limit, checkpoint: s.o.Checkpoint, beyond: s.o.Beyond, most: s.o.MostJobs / int64(len(s.sets))}
			waits, err := simulate(ctx, s.sets[w].rows, l.limited(s.sets[w].jobs()), s.config(s.machine.today, policy))
			if err != nil {
				return err
			}
			s.o.Simulated()
			outcomes[w] = x.outcome(s.machine.today, w, waits)
			if w == 0 {
				e.Jobs, e.Redone, e.Undone = l.jobs, stats.Number(100*l.redone/l.work), stats.Number(100*l.undone/l.work)
				e.Mean, e.Q95 = stats.Number(Target{}.of(waits)), stats.Number(Target{Quantile: 0.95}.of(waits))
			}
			return nil
		})
		if err != nil {
			return err
		}
		if i == 0 {
			unlimited = outcomes
		} else {
			ratio := func(w int, weeks site) float64 {
				return curve{outcomes[w]}.excess(weeks, 0) / curve{unlimited[w]}.excess(weeks, 0)
			}
			low, high := s.spread(ratio, len(s.sets))
			e.Change, e.Low, e.High = stats.Number(100*(ratio(0, s.same())-1)), stats.Number(100*(low-1)), stats.Number(100*(high-1))
		}
		r.Limits = append(r.Limits, e)
	}
	return nil
}
