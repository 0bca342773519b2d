package evaluate

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

// namedSchedule is a policy, open or closed.
type namedSchedule struct{ policy, loop string }

// Loops returns score.OpenLoop and, with Feedback, score.ClosedLoop.
func (o *VerdictOptions) Loops() []string {
	if o.Feedback {
		return []string{score.OpenLoop, score.ClosedLoop}
	}
	return []string{score.OpenLoop}
}

// schedules are those that both workloads have.
func (o *VerdictOptions) schedules() []namedSchedule {
	var all []namedSchedule
	for _, p := range o.Policies {
		for _, loop := range o.Loops() {
			all = append(all, namedSchedule{p, loop})
		}
	}
	return all
}

// schedule runs a workload through the machine. each is told of the jobs with
// their waits; Row is their place in the workload.
func (v *verdict) schedule(g *gathered, s namedSchedule, each func(*workload.Job)) (*ScheduleResult, error) {
	o := ScheduleOptions{Policy: s.policy, Estimates: v.estimates, Processors: v.processors, Feedback: s.loop == score.ClosedLoop, isSorted: true}
	if each != nil {
		o.Scheduled = func(jobs workload.JobSeq) error {
			for j, err := range jobs {
				if err != nil {
					return err
				}
				each(&j)
			}
			return nil
		}
	}
	return Schedule(v.ctx, workload.LogOf(g.name, g.header, g.jobs), o)
}

// replicas are twins drawn like the one compared, which is the first of them, and
// the only one where no others are asked for.
func (v *verdict) replicas(first *described) ([]*described, error) {
	twins := make([]*described, max(1, v.o.Verdict.Replicas))
	faults := make([]error, len(twins))
	twins[0] = first
	par.Each(v.o.Verdict.Workers, len(twins), func(i int) {
		if i > 0 && v.ctx.Err() == nil {
			twins[i], faults[i] = v.replica(i)
		}
	})
	if err := v.ctx.Err(); err != nil {
		return nil, err
	}
	for i, err := range faults {
		if err != nil {
			return nil, v.fault(fmt.Sprintf("twin %d", i+1), err)
		}
	}
	return twins, nil
}

func (v *verdict) replica(i int) (*described, error) {
	d, err := v.source.open(v.ctx, v.o, v.log, v.o.Seed+uint64(i))
	if err != nil {
		return nil, err
	}
	if d.close != nil {
		defer d.close()
	}
	g := &gathered{name: fmt.Sprintf("twin %d", i+1), header: d.header}
	if g.jobs, err = hold(workload.Until(v.ctx, d.jobs)); err != nil {
		return nil, err
	}
	g.nameGPUsAs(&v.log.header)
	t := v.describe(g.jobs)
	for i, s := range v.o.Verdict.schedules() {
		r, err := v.schedule(g, s, t.watch(i))
		if err != nil {
			return nil, err
		}
		t.traits.AddSchedule(s.policy, s.loop, r.Whole)
	}
	return t, nil
}

// pinned are the rows that twins have from the log by construction: a twin by
// CompareInput.Like that is as long as its log has all jobs of all users. With the
// work of the log in its time a twin has the log's utilisation, but for the jobs that
// are left when submissions end: few in a log of jobs that ended before a date, whose
// rank says this only.
func (v *verdict) pinned() []string {
	switch {
	case v.source.Users != nil: // which are drawn until they have the log's load
		return []string{"offered_load", "users", "utilisation"}
	case !v.source.Like:
		return nil
	}
	return []string{"run_time_s", "size_processors", "work_processor_s", "jobs_by_user", "work_by_user_processor_s", "estimate_accuracy",
		"offered_load", "utilisation", "users", "jobs_by_user_gini", "work_by_user_gini", "size_run_time_spearman",
		"estimate_run_time_spearman", "estimate_accuracy_mean", "estimate_reached_share",
		"nodes", "gpus", "requested_memory_total_kb", "work_gpu_s", "gpus_by_work", "gpu_types", "gpu_jobs_share", "gpus_asked_mean"}
}
