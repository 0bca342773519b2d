package live

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/loadstone-hpc/loadstone/live/watch"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Job is the current state of a job.
type Job struct {
	ID        int64        `json:"id" help:"The scheduler's number of the job."`
	Label     string       `json:"label" help:"The scheduler's name of the job, such as 123_4."`
	State     string       `json:"state" help:"Pending, held or running."`
	Size      int64        `json:"size" help:"Processors."`
	Time      stats.Number `json:"time_s" help:"Requested time in seconds."`
	Partition string       `json:"partition,omitempty"`
	Submitted time.Time    `json:"submitted"`
	Started   *time.Time   `json:"started"`
	Waited    stats.Number `json:"waited_s" help:"The wait so far, or until the start, in seconds."`
	Place     int          `json:"place,omitempty" help:"The place among pending jobs of its partition, from 1."`
	Of        int          `json:"place_of,omitempty" help:"The number of pending jobs in its partition."`
	Reason    string       `json:"reason,omitempty" help:"Why the scheduler does not start it."`
	Expected  *time.Time   `json:"expected_start" help:"By the latest simulated schedules; null if the job cannot start now, or the state is too old."`
	Own       *time.Time   `json:"scheduler_own_start" help:"The scheduler's own forecast at the latest poll."`
}

// JobsSchema is the name and version of the JSON form of Jobs.
const JobsSchema = "loadstone.queue/1"

// Jobs is the present queue.
type Jobs struct {
	Schema     string      `json:"schema"`
	State      State       `json:"state"`
	Partitions []Partition `json:"partitions"`
	Jobs       []Job       `json:"jobs"`
	More       int         `json:"more" help:"Number of further jobs that match the request, beyond its limit."`
}

// Partition is the current state of a partition.
type Partition struct {
	Name        string               `json:"name"`
	State       watch.PartitionState `json:"state" help:"Slurm's: up, down (it starts no jobs), drain (it accepts none) or inactive (neither)."`
	Processors  int64                `json:"processors" help:"Processors in service."`
	Unavailable watch.Unavailable    `json:"unavailable_processors"`
	MaxSize     int64                `json:"max_size,omitempty" help:"The largest job, in processors."`
	MaxTime     stats.Number         `json:"max_time_s" help:"The longest time limit."`
	Running     int                  `json:"running"`
	Pending     int                  `json:"pending"`
}

// JobsQuestion selects jobs of the queue.
type JobsQuestion struct {
	Partition string `opt:"partition" help:"name of the partition; all of them if absent"`
	Limit     int    `opt:"limit" in:"[1,10000]" usual:"100" help:"largest number of jobs to list"` // 0: no limit
}

// Job returns the answer about a job, given its number or the scheduler's
// name for it, such as 123_4. The error is ErrUnknownJob if no such job is
// queued or running, and ErrNotReady before the first state.
func (s *Service) Job(ctx context.Context, label string) (*Answer, error) {
	v := s.view.Load()
	if v == nil {
		return nil, ErrNotReady
	}
	j := v.find(label)
	if j == nil {
		return nil, ErrUnknownJob
	}
	r := j.request
	a := answer(Request{Size: r.Size, Partition: nameOf(s.feed.Names(), "Partition", r.Partition)}, s.stateNow(v))
	if r.Time > 0 {
		a.Request.Time = r.Time
	}
	job, given := s.job(v, j, &a.State), s.timeAt(j.givenAt)
	a.Job, a.Given = &job, &given
	if j.waits() {
		a.Withheld = v.withheld(&a.State, r, true)
		if a.Withheld == nil && j.Held {
			a.Withheld = &Withheld{ReasonHeld, "the job is held, or waits for something other than processors"}
		}
	}
	for i, name := range s.o.names() {
		f := predict.Forecast{Expected: math.NaN()}
		for k, q := range s.o.Quantiles {
			b := predict.NoBound()
			b.Quantile, b.Seconds = q, j.given[i*len(s.o.Quantiles)+k]
			f.Bounds = append(f.Bounds, b)
		}
		a.add(name, f, v.scores.covered(name), job.Submitted)
	}
	a.recommend(s.tested(v.scores.Bounds))
	a.Start = after(job.Submitted, float64(a.Expected))
	return a, nil
}

// find returns the job with the given name or number, or nil if there is none. Of the waiting
// tasks of an array, which share a number, it returns the first.
func (v *view) find(label string) (found *viewJob) {
	id, err := strconv.ParseInt(label, 10, 64)
	for _, jobs := range [][]*viewJob{v.pending, v.running} {
		for _, j := range jobs {
			switch {
			case j.name() == label && label != "":
				return j
			case err == nil && j.request.ID == id && (found == nil || j.request.Row < found.request.Row):
				found = j
			}
		}
	}
	return found
}

// job returns the description of a job. If the state is stale there is no expected start.
func (s *Service) job(v *view, j *viewJob, m *State) Job {
	r := j.request
	out := Job{ID: r.ID, Label: cmp.Or(j.name(), strconv.FormatInt(r.ID, 10)), State: "pending", Size: r.Size, Time: stats.Number(r.Time),
		Partition: nameOf(s.feed.Names(), "Partition", r.Partition), Submitted: s.timeAt(r.Submit), Waited: stats.Number(max(0, v.at-r.Submit))}
	if !j.waits() {
		started := s.timeAt(j.start)
		out.State, out.Started, out.Waited = "running", &started, stats.Number(j.start-r.Submit)
		return out
	}
	if j.Held {
		out.State = "held"
	} else {
		out.Place, out.Of = j.place, v.parts[r.Partition].queued
		if start, ok := v.start(r.Row); ok && !m.Stale && !j.blocked {
			out.Expected = after(s.timeAt(v.plan.at), start.Expected)
		}
	}
	out.Reason, out.Own = j.Reason, after(s.timeAt(v.at), j.Sighting.Expected-v.at)
	return out
}

// Jobs returns the present queue: pending jobs in the scheduler's order, then
// running jobs in order of start. If the partition is unknown, the error is a
// *workload.OptionError; before the first state it is ErrNotReady.
func (s *Service) Jobs(ctx context.Context, q JobsQuestion) (*Jobs, error) {
	v := s.view.Load()
	if v == nil {
		return nil, ErrNotReady
	}
	partition, err := numberOf(s.feed.Names(), "partition", "Partition", q.Partition)
	if err != nil {
		return nil, err
	}
	out := &Jobs{Schema: JobsSchema, State: s.stateNow(v), Partitions: v.partitions(), Jobs: []Job{}}
	for _, jobs := range [][]*viewJob{v.pending, v.running} {
		for _, j := range jobs {
			switch {
			case q.Partition != "" && j.request.Partition != partition:
			case q.Limit > 0 && len(out.Jobs) >= q.Limit:
				out.More++
			default:
				out.Jobs = append(out.Jobs, s.job(v, j, &out.State))
			}
		}
	}
	return out, nil
}

// partitions returns the partitions of the capacity and those of the jobs, by number. The unknown
// partition, of jobs without one, is included only if there is no other.
func (v *view) partitions() []Partition {
	all := []Partition{}
	for _, n := range slices.Sorted(maps.Keys(v.parts)) {
		if p := v.parts[n]; n != workload.Unknown || len(v.parts) == 1 {
			all = append(all, Partition{Name: p.Name, State: p.State, Processors: p.Processors, Unavailable: p.Unavailable,
				MaxSize: p.MaxProcessors, MaxTime: finite(p.MaxTime), Running: p.running, Pending: p.pending})
		}
	}
	return all
}
