package evaluate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

// VerdictOptions are the options of the verdict on a twin of a log.
type VerdictOptions struct {
	// Policies names the policies of sched.Policies under which both workloads are
	// scheduled. It may be empty.
	Policies []string `opt:"schedule" common:"true" help:"also compare the waits of A and B under these policies"`
	// Feedback also simulates each workload closed (ScheduleOptions.Feedback), in addition
	// to the open simulation.
	Feedback bool `opt:"feedback" for:"schedule" help:"also schedule both closed: a job is submitted when those it depends on have ended"`
	// Estimates selects the run times with which policies plan: "user" for the jobs'
	// estimates, or "perfect". "" means user if both workloads have jobs with estimates,
	// else perfect; Verdict.Estimates reports which was used.
	Estimates string `opt:"estimates" open:"true" for:"schedule" help:"run times that the policies plan with (default: user where A and B have estimates, else perfect)"`
	// Processors is the size of the machine on which both are scheduled; 0 means that of
	// the log's header. Offered loads also use it if a header has no size.
	Processors int64 `opt:"procs" in:"[1,)" help:"processors of the machine (default: those of A's header)"`
	Workers    int   // goroutines; 0 means one for each core. The result does not depend on it
}

const (
	// verdictBootstraps is the number of draws of a log's weeks: enough for the ends of a
	// 90 % interval to within a few percentage points. For a log of many jobs, the number of
	// draws is limited to mostBootstrapJobs jobs in all, but is at least leastBootstraps.
	verdictBootstraps, leastBootstraps, mostBootstrapJobs = 200, 50, 10_000_000
	// MaxVerdictJobs is the largest number of jobs of a workload. They are held in memory.
	MaxVerdictJobs = 4_000_000
)

// Choices returns the names that an option accepts; nil if they are not listed.
func (o *VerdictOptions) Choices(option string) []string {
	switch option {
	case "schedule":
		return VerdictPolicies()
	case "estimates":
		return []string{"user", "perfect"}
	}
	return nil
}

// Validate returns a *workload.OptionError for an option that cannot be used.
func (o *VerdictOptions) Validate() error {
	if err := opt.Check(o); err != nil {
		return err
	}
	if o.Feedback && len(o.Policies) == 0 {
		return workload.OptionFault("feedback", true, "policies in `schedule`")
	}
	return nil
}

// VerdictPolicies returns the names of the policies that a verdict can use: all but
// sched.Priority, which needs queues as a parameter.
func VerdictPolicies() []string {
	var names []string
	for _, p := range sched.Policies() {
		if _, ok := p.(sched.Priority); !ok {
			names = append(names, p.Name())
		}
	}
	return names
}

// Loops returns score.OpenLoop and, with Feedback, score.ClosedLoop.
func (o *VerdictOptions) Loops() []string {
	if o.Feedback {
		return []string{score.OpenLoop, score.ClosedLoop}
	}
	return []string{score.OpenLoop}
}

// verdict makes a verdict on a twin of a log.
type verdict struct {
	ctx        context.Context
	o          *CompareOptions
	log, twin  *gathered
	processors int64
	estimates  string // of all schedules
	weeks      *score.Weeks
	schedules  []*score.WeeklySchedule // of the log
	odd        []workload.Warning
}

// errNoSizes is the error for a log in which no job can be scheduled. It names the remedy for
// logs that count GPUs.
var errNoSizes = errors.New("no job has processors, by which the policies schedule: where jobs have only GPUs, convert the log to CSV and read GPUs as processors (--map requested_processors=requested_gpus)")

func (v *verdict) make() (*score.Verdict, error) {
	o := v.o.Verdict
	if err := v.settle(); err != nil {
		return nil, err
	}
	var all [2]*score.Traits // of the log and the twin
	var warnings [2][]workload.Warning
	err := par.Run(v.ctx, o.Workers, len(all), func(i int) (err error) {
		all[i], warnings[i], err = v.traits(i)
		return err
	})
	if err != nil {
		return nil, err
	}
	v.odd = slices.Concat(warnings[0], warnings[1])
	out := &score.Verdict{Processors: v.processors, Estimates: v.estimates, Weeks: v.weeks.N(), BlockWeeks: score.BlockWeeks, Seed: v.o.Seed,
		Rows: score.CompareTraits(all[0], all[1])}
	if v.weeks.N() >= score.LeastWeeks {
		drawn, err := v.bootstraps()
		if err != nil {
			return nil, err
		}
		out.Noise(drawn)
	} else {
		v.warn("short-log", fmt.Sprintf("the log's own variability is unknown: it has %d whole weeks, and at least %d are needed", v.weeks.N(), score.LeastWeeks))
	}
	return out, nil
}

// settle determines the size of the machine and the estimates for all schedules.
func (v *verdict) settle() error {
	o := v.o.Verdict
	has := func(of *gathered, x func(j *workload.Job) bool) bool {
		return slices.ContainsFunc(of.jobs, func(j workload.Job) bool { return x(&j) })
	}
	if v.processors = o.Processors; v.processors == 0 {
		v.processors, _ = v.log.header.Processors()
	}
	v.weeks = score.NewWeeks(v.log.jobs)
	if len(o.Policies) == 0 {
		return nil
	}
	switch {
	case !has(v.log, func(j *workload.Job) bool { return j.Size > 0 }):
		return v.fault(v.log.name, errNoSizes)
	case v.processors == 0:
		return workload.ErrNoMachine
	}
	if v.estimates = o.Estimates; v.estimates == "" {
		v.estimates = "perfect"
		if requested := func(j *workload.Job) bool { return j.Time > 0 }; has(v.log, requested) && has(v.twin, requested) {
			v.estimates = "user"
		}
	}
	for _, policy := range o.Policies {
		for _, loop := range o.Loops() {
			v.schedules = append(v.schedules, score.NewWeeklySchedule(policy, loop, score.DefaultTau, v.processors))
		}
	}
	return nil
}

func (v *verdict) warn(rule, text string) {
	v.odd = append(v.odd, workload.Warning{Rule: rule, Text: text, Count: 1})
}

// fault adds the name of a workload to an error, except for an option error or a cancellation.
func (v *verdict) fault(name string, err error) error {
	var option *workload.OptionError
	if errors.As(err, &option) || v.ctx.Err() != nil {
		return err
	}
	return workload.About(name, err)
}

// traits measures the log, if i is 0, or the twin.
func (v *verdict) traits(i int) (*score.Traits, []workload.Warning, error) {
	g := []*gathered{v.log, v.twin}[i]
	tally := score.NewTraitsTally(v.processors)
	for k := range g.jobs {
		tally.Add(&g.jobs[k])
	}
	t := tally.Finish()
	var odd []workload.Warning
	for _, s := range v.schedules {
		policy, loop := s.Name()
		o := ScheduleOptions{Policy: policy, Estimates: v.estimates, Processors: v.processors, Feedback: loop == score.ClosedLoop, isSorted: true}
		if i == 0 {
			o.Scheduled = func(jobs workload.JobSeq) error {
				for j, err := range jobs {
					if err != nil {
						return err
					}
					s.Add(&j, v.weeks.Of(g.jobs[j.Row].Submit))
				}
				s.Finish()
				return nil
			}
		}
		r, err := Schedule(v.ctx, workload.LogOf(g.name, g.header, g.jobs), o)
		if err != nil {
			return nil, nil, v.fault(g.name, err)
		}
		t.AddSchedule(policy, loop, r.Whole)
		for _, w := range r.Warnings {
			// All policies leave out the same jobs, so each rule is reported once. Estimates are
			// set for all policies, whether or not they use them.
			if w.About = g.name; w.Rule != "estimates-unused" && !slices.ContainsFunc(odd, func(o workload.Warning) bool { return o.Rule == w.Rule }) {
				odd = append(odd, w)
			}
		}
	}
	return t, odd, nil
}

// bootstraps compares the log with draws of its weeks.
func (v *verdict) bootstraps() ([][]score.VerdictRow, error) {
	kept := v.weeks.Traits(v.weeks.Kept(), v.processors, v.schedules)
	drawn := make([][]score.VerdictRow, min(verdictBootstraps, max(leastBootstraps, mostBootstrapJobs/len(v.log.jobs))))
	return drawn, par.Run(v.ctx, v.o.Verdict.Workers, len(drawn), func(i int) error {
		drawn[i] = score.CompareTraits(kept, v.weeks.Traits(v.weeks.Draw(v.o.Seed, i), v.processors, v.schedules))
		return nil
	})
}

// VerdictMetrics returns the metrics of conditions on a verdict: the ways in which rows are
// compared, and "factor", the ratio or its inverse, whichever is above 1.
func VerdictMetrics() []string {
	return []string{score.AsRatio, "factor", score.AsDifference, score.AsDistance}
}

// CheckCondition returns an error for a condition on an unknown row, or on a row that is not
// compared by the metric. of is the name of the row, followed for a row of a schedule by the
// policy and optionally the loop.
func (o *VerdictOptions) CheckCondition(metric string, of []string) error {
	saw := strings.Join(of, ",")
	rows, comparedAs := score.TraitNames(false)
	names, as := score.TraitNames(true)
	for i, name := range names {
		for _, policy := range o.Policies {
			rows, comparedAs = append(rows, name+","+policy), append(comparedAs, as[i])
			for _, loop := range o.Loops() {
				rows, comparedAs = append(rows, name+","+policy+","+loop), append(comparedAs, as[i])
			}
		}
	}
	row := slices.Index(rows, saw)
	switch {
	case row < 0 && len(o.Policies) == 0:
		return fmt.Errorf("saw %q, want a row: %s, or with --schedule one of a policy, such as wait_mean_s,easy", saw, strings.Join(rows, ", "))
	case row < 0:
		return fmt.Errorf("saw %q, want a row: %s", saw, strings.Join(rows, ", "))
	case metric == "factor":
		metric = score.AsRatio
	}
	if metric != comparedAs[row] {
		return fmt.Errorf("%s is compared as a %s, not as a %s", of[0], comparedAs[row], metric)
	}
	return nil
}

// ConditionValue returns the value that a condition tests, with metric and of as in
// CheckCondition, or else the reason why there is none.
func ConditionValue(c *score.Compared, metric string, of []string) (x float64, why string) {
	named := append(slices.Clone(of), "", "")
	switch row := c.Verdict.Row(named[0], named[1], named[2]); {
	case row == nil:
		return 0, "there is no such row"
	case row.Why != "":
		return 0, "it is " + row.Why
	case metric == "factor":
		return max(float64(row.Compared), 1/float64(row.Compared)), ""
	default:
		return float64(row.Compared), ""
	}
}
