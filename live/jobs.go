package live

import (
	"context"
	"math"
	"slices"
	"strconv"

	"github.com/loadstone-hpc/loadstone/live/watch"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Job returns the answers about a job, given its number or the scheduler's own
// name for it, such as 123_4. The error is ErrUnknownJob if no such job is
// queued or running, and ErrNotReady before the first state.
func (s *Service) Job(ctx context.Context, label string) (*JobAnswer, error) {
	v := s.view.Load()
	if v == nil {
		return nil, ErrNotReady
	}
	j := v.find(label)
	if j == nil {
		return nil, ErrUnknownJob
	}
	a := &JobAnswer{Schema: JobSchema, State: s.momentNow(v), Predictions: []Prediction{}}
	a.Job = s.job(v, j, &a.State)
	if math.IsNaN(j.start) {
		a.Withheld = v.withheld(&a.State, j.request, true)
		if a.Withheld == nil && j.held {
			a.Withheld = &Withheld{ReasonHeld, "the job is held, or waits for something other than processors"}
		}
	}
	submitted := s.timeAt(j.request.Submit)
	given := s.timeAt(j.givenAt)
	a.Given = &given
	levels := len(s.o.Quantiles)
	bounds := boundsOf(s.engine.audit.slots, j.given)
	names := s.o.Predictors
	if s.o.Plan != nil {
		names = append(slices.Clip(names), PlanName)
	}
	for i, name := range names {
		p := s.prediction(v, name, i*levels, bounds[i*levels:(i+1)*levels], submitted)
		p.Age = stats.Number(max(0, v.at-j.givenAt)) + a.State.Age
		a.Predictions = append(a.Predictions, p)
	}
	slices.SortStableFunc(a.Predictions, func(x, y Prediction) int { return order(y.Recommended) - order(x.Recommended) })
	if f := j.forecast; f != nil {
		a.Forecast = &Forecast{At: s.timeAt(f.at), Ours: after(submitted, f.ours), Theirs: after(submitted, f.theirs)}
	}
	return a, nil
}

// find returns a job by its name or number; nil if there is none.
func (v *view) find(label string) *viewJob {
	if j := v.byLabel[label]; j != nil {
		return j
	}
	id, err := strconv.ParseInt(label, 10, 64)
	if err != nil {
		return nil
	}
	return v.byID[id]
}

// job describes a job. A state that is too old has no expected starts.
func (s *Service) job(v *view, j *viewJob, m *Moment) Job {
	r := j.request
	out := Job{ID: r.ID, Label: j.name, State: "pending", Size: r.Size, Time: stats.Number(r.Time), Submitted: s.timeAt(r.Submit), Waited: stats.Number(max(0, v.at-r.Submit))}
	out.Partition, _ = s.feed.Text("Partition", r.Partition)
	if out.Label == "" {
		out.Label = strconv.FormatInt(r.ID, 10)
	}
	if s.o.ShowUsers {
		out.User, _ = s.feed.Text("User", r.User)
	}
	if !math.IsNaN(j.start) {
		started := s.timeAt(j.start)
		out.State, out.Started, out.Waited = "running", &started, stats.Number(j.start-r.Submit)
		return out
	}
	if j.held {
		out.State = "held"
	} else {
		out.Place, out.Of = j.place, v.queued[r.Partition]
		if start, ok := v.start(r.Row); ok && !m.Stale && j.blocked == nil {
			out.Expected = after(s.timeAt(v.at), start.Expected-v.at)
		}
	}
	out.Reason, out.Own = j.reason, after(s.timeAt(v.at), j.own-v.at)
	return out
}

// Jobs returns the present queue: pending jobs in the scheduler's order, then
// running ones by their starts. Its errors are those of Wait.
func (s *Service) Jobs(ctx context.Context, q JobsQuestion) (*Jobs, error) {
	v := s.view.Load()
	if v == nil {
		return nil, ErrNotReady
	}
	chosen, err := s.chooser(&q)
	if err != nil {
		return nil, err
	}
	out := &Jobs{Schema: JobsSchema, State: s.momentNow(v), Partitions: s.partitions(v), Jobs: []Job{}}
	for _, jobs := range [][]*viewJob{v.pending, v.running} {
		for i, j := range jobs {
			if chosen == nil && q.Limit > 0 && len(out.Jobs) >= q.Limit {
				out.More += len(jobs) - i
				break
			}
			switch {
			case chosen != nil && !chosen(j):
			case q.Limit > 0 && len(out.Jobs) >= q.Limit:
				out.More++
			default:
				out.Jobs = append(out.Jobs, s.job(v, j, &out.State))
			}
		}
	}
	return out, nil
}

// chooser returns which jobs a question is about; nil is all.
func (s *Service) chooser(q *JobsQuestion) (func(*viewJob) bool, error) {
	partition, err := s.named("partition", "Partition", q.Partition)
	if err != nil {
		return nil, err
	}
	user := workload.Unknown
	if q.User != "" {
		if !s.o.ShowUsers {
			return nil, workload.OptionFault("user", "a user", "job numbers: users are not shown")
		}
		var ok bool
		if user, ok = s.feed.Find("User", q.User); !ok {
			return func(*viewJob) bool { return false }, nil
		}
	}
	if !slices.Contains([]string{"", "pending", "held", "running"}, q.State) {
		return nil, workload.OptionFault("state", strconv.Quote(q.State), "pending, held or running")
	}
	if len(q.IDs) == 0 && partition == workload.Unknown && user == workload.Unknown && q.State == "" {
		return nil, nil
	}
	ids := map[int64]bool{}
	for _, id := range q.IDs {
		ids[id] = true
	}
	return func(j *viewJob) bool {
		waits := math.IsNaN(j.start)
		switch {
		case partition != workload.Unknown && j.request.Partition != partition:
		case user != workload.Unknown && j.request.User != user:
		case len(ids) > 0 && !ids[j.request.ID]:
		case q.State == "pending" && (!waits || j.held), q.State == "held" && (!waits || !j.held), q.State == "running" && waits:
		default:
			return true
		}
		return false
	}, nil
}

// partitions describes the partitions: those of the capacity, or those that jobs have.
func (s *Service) partitions(v *view) []Partition {
	all := []Partition{}
	for _, p := range v.capacity.Partitions {
		all = append(all, v.partition(&p))
	}
	if len(all) > 0 {
		return all
	}
	numbers := v.partitionNumbers()
	for _, n := range numbers {
		if n == workload.Unknown && len(numbers) > 1 {
			continue // some jobs of the log have none
		}
		name, _ := s.feed.Text("Partition", n)
		if name == "" && n != workload.Unknown {
			name = strconv.FormatInt(n, 10)
		}
		all = append(all, v.partition(&watch.Partition{Name: name, Number: n, State: watch.Up, Processors: v.capacity.Processors, MaxTime: math.NaN()}))
	}
	return all
}

func (v *view) partition(p *watch.Partition) Partition {
	out := Partition{Name: p.Name, State: p.State, Processors: p.Processors, Unavailable: p.Unavailable, MaxSize: p.MaxProcessors, MaxTime: finite(p.MaxTime)}
	if n := v.byPart[p.Number]; n != nil {
		out.Running, out.Pending = n.running, n.pending
	}
	return out
}
