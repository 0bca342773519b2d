package evaluate

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

// verdict makes a verdict on a twin of a log.
type verdict struct {
	ctx        context.Context
	o          *CompareOptions
	source     *CompareInput // that twins are drawn from
	log, twin  *gathered
	processors int64
	estimates  string // of all schedules
	weeks      *score.Weeks
	compared   []score.Curve // with VerdictOptions.Curves
	odd        []workload.Warning
}

// errNoSizes says that no job of the log can be scheduled, and what helps where the log
// counts GPUs.
var errNoSizes = errors.New("no job has processors, by which the policies schedule: where jobs have only GPUs, convert the log to CSV and read GPUs as processors (--map requested_processors=requested_gpus)")

// described is what a workload comes to.
type described struct {
	traits *score.Traits
	curves *score.Curves // nil without VerdictOptions.Curves
	queues []*score.QueueCurves
}

func (v *verdict) make() (*score.Verdict, error) {
	o := v.o.Verdict
	if len(o.Policies) > 0 && !slices.ContainsFunc(v.log.jobs, func(j workload.Job) bool { return j.Size > 0 }) {
		return nil, v.fault(v.log.name, errNoSizes)
	}
	if v.processors = o.Processors; v.processors == 0 {
		if v.processors, _ = v.log.header.Processors(); v.processors == 0 && len(o.Policies) > 0 {
			return nil, workload.ErrNoMachine
		}
	}
	v.weeks = score.NewWeeks(v.log.jobs)
	out := &score.Verdict{Processors: v.processors, Weeks: v.weeks.N(), BlockWeeks: score.BlockWeeks, Seed: v.o.Seed}
	if len(o.Policies) > 0 {
		if v.estimates = o.Estimates; v.estimates == "" {
			v.estimates = "perfect"
			if requested := func(j workload.Job) bool { return j.Time > 0 }; slices.ContainsFunc(v.log.jobs, requested) && slices.ContainsFunc(v.twin.jobs, requested) {
				v.estimates = "user"
			}
		}
		out.Estimates = v.estimates
	}
	log, twin, weekly, err := v.pair()
	if err != nil {
		return nil, err
	}
	out.Rows = score.CompareTraits(log.traits, twin.traits)
	if v.weeks.N() >= score.LeastWeeks {
		out.Noise(v.bootstraps(weekly))
	} else {
		v.warn("short-log", fmt.Sprintf("the log's own variability is unknown: it has %d whole weeks, and at least %d are needed", v.weeks.N(), score.LeastWeeks))
	}
	if err := v.ctx.Err(); err != nil {
		return nil, err
	}
	twins, err := v.replicas(twin)
	if err != nil {
		return nil, err
	}
	var (
		traits []*score.Traits
		curves []*score.Curves
	)
	for _, t := range twins {
		traits, curves = append(traits, t.traits), append(curves, t.curves)
	}
	if o.Curves {
		v.compared = score.CompareCurves(log.curves, curves)
	}
	defer out.DropUnknown()
	if o.Replicas == 0 {
		return out, nil
	}
	out.Rank(log.traits, traits, v.pinned())
	if o.Replicas < score.LeastReplicas {
		v.warn("few-replicas", fmt.Sprintf("%d twins are too few to say that the log lies outside of them: want %d or more", o.Replicas, score.LeastReplicas))
	}
	return out, nil
}

func (v *verdict) warn(rule, text string) {
	v.odd = append(v.odd, workload.Warning{Rule: rule, Text: text, Count: 1})
}

// pair is the log and its twin, and the log's schedules by week.
func (v *verdict) pair() (log, twin *described, weekly []*score.WeeklySchedule, err error) {
	names := v.o.Verdict.schedules()
	type outcome struct {
		r   *ScheduleResult
		err error
	}
	results := make([]outcome, 2*len(names))
	for _, s := range names {
		weekly = append(weekly, score.NewWeeklySchedule(s.policy, s.loop, score.DefaultTau, v.processors))
	}
	both := [2]*gathered{v.log, v.twin}
	of := [2]*described{v.describe(v.log.jobs), v.describe(v.twin.jobs)}
	par.Each(v.o.Verdict.Workers, len(results), func(i int) {
		k, g := i%2, both[i%2]
		each := of[k].watch(i / 2)
		if k == 0 {
			queue, week := each, weekly[i/2]
			each = func(j *workload.Job) {
				week.Add(j, v.weeks.Of(g.jobs[j.Row].Submit))
				if queue != nil {
					queue(j)
				}
			}
		}
		results[i].r, results[i].err = v.schedule(g, names[i/2], each)
	})
	for k, g := range both {
		seen := map[string]bool{"estimates-unused": true} // asked of all policies
		for i, s := range names {
			x := results[2*i+k]
			if x.err != nil {
				return nil, nil, nil, v.fault(g.name, x.err)
			}
			of[k].traits.AddSchedule(s.policy, s.loop, x.r.Whole)
			for _, w := range x.r.Warnings {
				if !seen[w.Rule] { // all policies leave out the same jobs
					seen[w.Rule] = true
					w.About = g.name
					v.odd = append(v.odd, w)
				}
			}
		}
	}
	for _, w := range weekly {
		w.Finish()
	}
	return of[0], of[1], weekly, nil
}

// fault says of which workload an error is.
func (v *verdict) fault(name string, err error) error {
	var option *workload.OptionError
	if errors.As(err, &option) || v.ctx.Err() != nil {
		return err
	}
	return workload.About(name, err)
}

// describe looks at a workload's jobs; its schedules come later.
func (v *verdict) describe(jobs []workload.Job) *described {
	d := &described{}
	if v.o.Verdict.Curves && len(jobs) > 0 {
		d.curves = score.NewCurves(jobs[0].Submit, v.processors)
		for _, s := range v.o.Verdict.schedules() {
			d.queues = append(d.queues, d.curves.Queue(s.policy, s.loop))
		}
	}
	t := score.NewTraitsTally(v.processors)
	for i := range jobs {
		t.Add(&jobs[i])
		if d.curves != nil {
			d.curves.Add(&jobs[i])
		}
	}
	d.traits = t.Finish()
	return d
}

// watch is told of the jobs of a schedule; nil where there is nothing to keep.
func (d *described) watch(schedule int) func(*workload.Job) {
	if d.curves == nil {
		return nil
	}
	return d.queues[schedule].Add
}

// bootstraps compares the log with draws of its weeks.
func (v *verdict) bootstraps(weekly []*score.WeeklySchedule) [][]score.VerdictRow {
	kept := v.weeks.Traits(v.weeks.Kept(), v.processors, weekly)
	drawn := make([][]score.VerdictRow, v.o.Verdict.bootstraps(len(v.log.jobs)))
	par.Each(v.o.Verdict.Workers, len(drawn), func(i int) {
		if v.ctx.Err() == nil {
			drawn[i] = score.CompareTraits(kept, v.weeks.Traits(v.weeks.Draw(v.o.Seed, i), v.processors, weekly))
		}
	})
	return drawn
}
