package grid

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Values of Options.History: the jobs from which the predictors of a cluster learn.
const (
	HistoryGrid    = "grid"    // jobs of the whole grid
	HistoryCluster = "cluster" // first those that ran on the cluster: the paper's "on site", taken literally
)

// Options are the options of Compute.
type Options struct {
	Grid     *Grid    // the grid, from Decode
	Policies []string `opt:"policies" open:"true" group:"The policies" common:"true" help:"policies to compare" brief:"policies to compare"`
	History  string   `opt:"history" default:"grid" help:"whose jobs ect's predictors learn from: the whole grid's, or first those that ran on the cluster"`
	// Classes are names of classifications of jobs, the finest first. They do not include the
	// site, which is the cluster.
	Classes []string `opt:"classes" sorts:"true" help:"<classes> of jobs that they learn from, the finest first; the next is asked where one has no history"`
	Days    int      `opt:"days" in:"[0,)" usual:"91" group:"The log" common:"true" help:"study this many consecutive days, those with the most work; 0 is the whole log"`
	NoSites bool     `opt:"no-sites" help:"treat a log in which no job has a site (partition) as a grid's"`
	Workers int      // number of concurrent simulations; 0 means one for each core. The result does not depend on it

	// Watch, if not nil, wraps each pass over the jobs, for example to show
	// progress. n is the number of jobs, 0 if unknown. Several goroutines call
	// it.
	Watch func(jobs iter.Seq2[workload.Job, error], n int) iter.Seq2[workload.Job, error]
}

// maxWays is the largest number of classifications that a prediction tries in turn.
const maxWays = 7

// DefaultOptions returns the options of the paper: its policies, on the whole log. Predictors learn
// from the jobs of all clusters with the same user, application and size, then with the same user,
// then from all jobs.
func DefaultOptions() Options {
	return Options{Policies: paperPolicies(), History: HistoryGrid, Classes: []string{"user+application+size", "user", "all"}}
}

// Predicts reports whether any policy learns from jobs that end.
func (o *Options) Predicts() bool { return slices.ContainsFunc(o.Policies, predicts) }

// Choices returns the names that an option accepts; nil if they are not listed.
func (o *Options) Choices(option string) []string {
	switch option {
	case "policies":
		return PolicyNames()
	case "history":
		return []string{HistoryGrid, HistoryCluster}
	}
	return nil
}

// validate returns a *workload.OptionError for the first invalid option.
func (o *Options) validate() error {
	if err := opt.Check(o); err != nil {
		return err
	}
	switch {
	case len(o.Policies) == 0:
		return workload.OptionFault("policies", "none", "one or more")
	case len(o.Classes) < 1 || len(o.Classes) > maxWays:
		return workload.OptionFault("classes", strings.Join(o.Classes, ","), "at most %d ways of sorting jobs", maxWays)
	}
	for _, name := range o.Classes {
		c, err := runtime.ClassesByName(name)
		if err != nil {
			return err
		}
		if slices.Contains(c.Columns(), "partition_id") {
			return workload.OptionFault("classes", strconv.Quote(name), "classes without the log's site: a job's site is the cluster that it is sent to, and history cluster learns from that first")
		}
	}
	for _, name := range o.Policies {
		if _, err := o.broker(name); err != nil {
			return err
		}
	}
	return nil
}

// ResultSchema names the JSON form of Result and its version.
const ResultSchema = "loadstone.grid-scores/1"

// Result is the result of Compute: the scores of policies on the jobs of a
// window of a log.
type Result struct {
	Schema   string             `json:"schema"`
	Log      workload.Summary   `json:"log"`
	Window   Studied            `json:"window"`
	Grid     *Grid              `json:"grid"`
	Tau      float64            `json:"tau_s"`
	Learning *Learning          `json:"predictions,omitempty"` // nil if no policy predicts
	Scores   []Score            `json:"scores"`
	Warnings []workload.Warning `json:"warnings,omitempty"`

	// Jobs are the jobs of the window in order of submission, and Outcomes the
	// results of the policies in the order of Scores.
	Jobs     []workload.Job `json:"-"`
	Outcomes []Outcome      `json:"-"`
}

// Studied is the window of the log that was studied.
type Studied struct {
	Asked int          `json:"asked_days"` // 0 for the whole log
	Days  float64      `json:"days"`       // length of the window; a log may be shorter than asked
	From  float64      `json:"from_s"`
	To    float64      `json:"to_s"`
	Jobs  int          `json:"jobs"`
	Sites int          `json:"sites"`
	Load  stats.Number `json:"offered_load"` // work divided by the grid's capacity in the window
}

// FromDay returns the day of the log on which the window begins, counted from 0.
func (s *Studied) FromDay() float64 { return s.From / day }

// Learning describes the jobs from which predictors learn.
type Learning struct {
	Classes []string `json:"classes"` // classifications, the finest first
	History string   `json:"history"` // HistoryGrid or HistoryCluster
}

// Compute simulates a log's jobs, or those of its busiest days, on a grid under
// several policies. open opens the log from its start. It is called twice, the
// second time after the first log has been read and closed.
//
// An invalid option is a *workload.OptionError. For a log without sites, the error wraps
// ErrNoSites, unless o.NoSites is set. Other errors are those of open, of the log's reader and
// of sched.Simulate.
func Compute(ctx context.Context, open func() (*workload.Log, error), o Options) (*Result, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	if o.Watch == nil {
		o.Watch = func(jobs iter.Seq2[workload.Job, error], _ int) iter.Seq2[workload.Job, error] { return jobs }
	}
	r := &Result{Schema: ResultSchema, Grid: o.Grid, Tau: Tau, Outcomes: make([]Outcome, len(o.Policies))}
	if err := r.read(ctx, open, &o); err != nil {
		return nil, err
	}
	err := par.Run(ctx, o.Workers, len(o.Policies), func(i int) (err error) {
		r.Outcomes[i], err = o.simulate(o.Watch(workload.Until(ctx, workload.JobsOf(r.Jobs)), len(r.Jobs)), o.Policies[i])
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, o := range r.Outcomes {
		r.Scores = append(r.Scores, o.score)
	}
	r.warn()
	if o.Predicts() {
		r.Learning = &Learning{Classes: o.Classes, History: o.History}
	}
	return r, nil
}

// maxJobs is the largest number of jobs of a study. They are held in memory
// with their placements by each policy.
const maxJobs = 4_000_000

// read finds the busiest days, reads their jobs, and compares the sites of the jobs with those of
// the grid.
func (r *Result) read(ctx context.Context, open func() (*workload.Log, error), o *Options) error {
	var w window
	_, err := workload.WithLog(open, func(log *workload.Log) (err error) {
		w, err = busiest(workload.Until(ctx, log.Jobs()), o.Days)
		return err
	})
	if err != nil {
		return err
	}
	if w.jobs > maxJobs {
		return fmt.Errorf("%d jobs in the days to study, want at most %d: study fewer days", w.jobs, maxJobs)
	}
	work, sites := 0.0, map[int64]bool{}
	r.Jobs = make([]workload.Job, 0, w.jobs+w.jobs/64) // w.jobs does not count jobs that cannot be simulated
	_, err = workload.WithLog(open, func(log *workload.Log) error {
		var unordered workload.Warnings
		for j, err := range o.Watch(workload.InOrder(workload.Until(ctx, log.Jobs()), &unordered), 0) {
			if err != nil {
				return err
			}
			r.Log.Jobs++
			if !w.holds(&j) {
				continue
			}
			r.Jobs = append(r.Jobs, j)
			work += r.Grid.work(&j)
			if j.Partition != workload.Unknown {
				sites[j.Partition] = true
			}
		}
		r.Log.Name = log.Name
		r.Warnings = slices.Concat(log.Warnings(), unordered.List())
		return nil
	})
	if err != nil {
		return err
	}
	r.Window = Studied{
		Asked: o.Days, Days: (w.to - w.from) / day, From: w.from, To: w.to, Jobs: w.jobs, Sites: len(sites),
		Load: stats.Number(work / (o.Grid.capacity() * (w.to - w.from))),
	}
	return r.compareSites(sites, o.NoSites)
}

// ErrNoSites is wrapped by the error for a log in which no job has a site.
var ErrNoSites = errors.New("no job has a site (partition_id)")

// compareSites compares the sites of the log with those of the clusters. It returns an error if
// no job has a site, unless noSites is set, or if none of the clusters' sites has jobs; it warns if
// some have none.
func (r *Result) compareSites(sites map[int64]bool, noSites bool) error {
	g := r.Grid
	var named, absent []string
	for _, c := range g.Clusters {
		if c.Partition == nil {
			continue
		}
		site := fmt.Sprintf("%s (partition %d)", c.Name, *c.Partition)
		if named = append(named, site); !sites[*c.Partition] {
			absent = append(absent, site)
		}
	}
	switch {
	case len(sites) == 0 && !noSites:
		return fmt.Errorf("%w, so this is the log of one machine", ErrNoSites)
	case len(absent) == 0:
		return nil
	}
	text := fmt.Sprintf("grid %s: no job is of the site of %s; the jobs' sites are %s", g.Name, few(absent), few(slices.Sorted(maps.Keys(sites))))
	if len(absent) == len(named) {
		return errors.New(text)
	}
	r.Warnings = append(r.Warnings, workload.Warning{Rule: "sites", Count: 1, Text: text})
	return nil
}

// few lists the first values, and the number of the others.
func few[T any](all []T) string {
	const most = 12
	if len(all) == 0 {
		return "none"
	}
	var texts []string
	for _, x := range all[:min(most, len(all))] {
		texts = append(texts, fmt.Sprint(x))
	}
	if rest := len(all) - most; rest > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(texts, ", "), rest)
	}
	return strings.Join(texts, ", ")
}

// warn adds the warnings of the simulations and those about the scores.
func (r *Result) warn() {
	most := 0
	for i := range r.Outcomes {
		for _, w := range r.Outcomes[i].warnings {
			if !slices.Contains(r.Warnings, w) { // several policies may have the same warning
				r.Warnings = append(r.Warnings, w)
			}
		}
		most = max(most, r.Scores[i].Jobs)
	}
	for _, s := range r.Scores {
		if s.Jobs < most {
			r.Warnings = append(r.Warnings, workload.Warning{Rule: "unlike-jobs", Count: 1, Text: fmt.Sprintf("policy %s schedules %d of the others' %d jobs: do not compare its means with theirs", s.Policy, s.Jobs, most)})
		}
	}
	if r.Window.Load > 1 {
		r.Warnings = append(r.Warnings, workload.Warning{Rule: "overload", Count: 1, Text: fmt.Sprintf("the offered load is %.1f%% of the capacity of grid %s: queues grow without bound", 100*r.Window.Load, r.Grid.Name)})
	}
}

// PlacedJob is a job as placed by a policy.
type PlacedJob struct {
	Policy        string  `json:"policy" help:"the policy"`
	JobID         int64   `json:"job_id" help:"the log's number of the job"`
	Partition     int64   `json:"partition_id" help:"the job's site in the log"`
	Size          int64   `json:"size" unit:"processors" help:"processors"`
	Submit        float64 `json:"submit_time_s" help:"submission, from the log's start"`
	Cluster       string  `json:"cluster" help:"the cluster that it was sent to"`
	Wait          float64 `json:"wait_time_s" help:"from submission to start"`
	Run           float64 `json:"run_time_s" help:"run time on the cluster"`
	PredictedWait float64 `json:"predicted_wait_s" help:"wait that was expected when it was sent"`
	PredictedRun  float64 `json:"predicted_run_s" help:"run time that was expected there"`
}

// EachPlaced calls f with the jobs placed by each policy, in order of submission, until f returns
// an error, and returns that error.
func (r *Result) EachPlaced(f func(PlacedJob) error) error {
	for _, o := range r.Outcomes {
		for i, p := range o.Placements {
			if p.Cluster < 0 {
				continue
			}
			j := &r.Jobs[i]
			if err := f(PlacedJob{o.Policy, j.ID, j.Partition, j.Size, j.Submit, r.Grid.Clusters[p.Cluster].Name, p.Wait, p.Run, p.PredictedWait, p.PredictedRun}); err != nil {
				return err
			}
		}
	}
	return nil
}
