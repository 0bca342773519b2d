package evaluate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/sessions"
)

// Schedule runs the jobs of a log through a simulated machine and scores the
// schedule: waits, response times, slowdowns, utilisation and the queue.
//
// An invalid option is a *workload.OptionError. If neither the options nor the header give
// the size of the machine, the error wraps workload.ErrNoMachine. Errors of the simulation,
// such as sched.ErrNoEstimates, and of the log's reader are returned unchanged, even if
// Scheduled does not return them. Schedule reads the log to its end but does not close it.
func Schedule(ctx context.Context, log *workload.Log, o ScheduleOptions) (*ScheduleResult, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	opt.Fill(&o)
	if o.Processors == 0 && o.Sites == nil && o.Cluster == nil {
		if o.Processors, _ = log.Header.Processors(); o.Processors == 0 {
			return nil, fmt.Errorf("%s: %w", log.Name, workload.ErrNoMachine)
		}
	}
	var odd workload.Warnings
	config, err := o.config(&odd)
	if err != nil {
		return nil, err
	}
	config.Named = NamesOf(log)
	watch := newScheduleWatch(o)
	var facts workload.FactsCounter
	read := workload.Until(ctx, log.Jobs())
	if !o.isSorted {
		read = workload.InOrder(read, &odd)
	}
	if o.Watch != nil {
		read = o.Watch(read)
	}
	own, _ := log.Header.Processors()
	starts := workload.NewStartsWatch(cmp.Or(own, o.Processors))
	read = workload.Each(facts.Counting(read), starts.AddJob)
	var links sessions.Links
	if o.Feedback {
		read = sessions.Linked(read, &odd, &links)
	}
	jobs := watch.scoring(sched.Simulate(read, config, watch.observer()))
	if o.Scheduled != nil {
		err = o.scheduled(inSubmissionOrder(jobs, func() int64 { return watch.number }, mostStarted, &odd))
	} else {
		for _, fault := range jobs {
			err = fault
		}
	}
	if err != nil {
		return nil, err
	}
	r := o.result(log, config, watch, int(facts.Facts().Jobs))
	if o.Feedback {
		r.close(watch, links)
	}
	if o.Cluster != nil {
		r.Resources = watch.cluster.resources(o.Cluster, &r.Whole)
		if watch.resource != sched.Processors && len(r.Resources) > 0 {
			r.UtilisationOf, r.Whole.Utilisation = r.Resources[0].Name, r.Resources[0].Utilisation
		}
	}
	r.Warnings = append(append(r.Warnings, log.Warnings()...), odd.List()...)
	r.Warnings = append(r.Warnings, starts.Warnings()...)
	return r, nil
}

// scheduled calls Scheduled with the jobs. It returns the error of the callback, else an error
// of the jobs that the callback did not return, else an error if the callback stopped before
// the last job.
func (o *ScheduleOptions) scheduled(jobs workload.JobSeq) error {
	var fault error
	read := false
	err := o.Scheduled(func(yield func(workload.Job, error) bool) {
		for j, err := range jobs {
			fault = err
			if !yield(j, err) {
				return
			}
		}
		read = true
	})
	switch {
	case err != nil:
		return err
	case fault != nil:
		return fault
	case !read:
		return errors.New("the Scheduled function stopped reading before the last job, so that there are no scores: want all jobs read, or an error returned")
	}
	return nil
}

// ScheduleSchema names the JSON form of ScheduleResult and its version.
const ScheduleSchema = "loadstone.simulate/1"

// ScheduleResult is a simulated schedule with its scores.
type ScheduleResult struct {
	Schema    string            `json:"schema"`
	Log       workload.Summary  `json:"log"`
	Policy    string            `json:"policy"`
	Estimates string            `json:"estimates,omitempty"` // empty if the policy uses none
	Classes   string            `json:"classes,omitempty"`   // empty unless the estimates are those of a predictor with classes
	Corrected bool              `json:"corrected"`
	Killed    bool              `json:"killed_at_estimate"`
	Feedback  *ScheduleFeedback `json:"feedback,omitempty"` // nil if the simulation is open
	Tau       float64           `json:"tau_s"`
	Whole     score.Schedule    `json:"schedule"`
	// InLog contains the scores of the schedule recorded in the log, over the simulated jobs
	// with a known wait, with the log's submissions, run times and machine; nil if no wait is
	// known.
	InLog *score.Schedule `json:"in_log,omitempty"`
	// UtilisationOf names the resource whose utilisation is given, by its name in Resources;
	// empty for processors.
	UtilisationOf string `json:"utilisation_of,omitempty"`
	// Sites contains a schedule for each partition, in order of first appearance, if each
	// has its own machine or the Cluster has partitions.
	Sites     []SiteSchedule     `json:"sites,omitempty"`
	Resources []ScheduleResource `json:"resources,omitempty"` // of a Cluster

	Line     []ScheduleStretch  `json:"over_time"`
	capacity float64            // of the resource that UtilisationOf names
	Warnings []workload.Warning `json:"warnings,omitempty"`
}

// Elsewhere reports whether the log's machine differs in size from the simulated one, so that
// the waits in the log cannot be compared with the simulated ones.
func (r *ScheduleResult) Elsewhere() bool {
	return r.InLog != nil && r.InLog.Processors.Known() && r.Whole.Processors.Known() && r.InLog.Processors != r.Whole.Processors && len(r.Resources) == 0 && len(r.Sites) == 0
}

// SiteSchedule is the schedule of one site, or of one partition of a Cluster. The size and
// utilisation of such a partition are not known.
type SiteSchedule struct {
	Partition workload.Integer `json:"partition,omitzero"`
	Name      string           `json:"name,omitempty"` // in the log
	score.Schedule
}

// ScheduleStretch describes the queue and the machine during a stretch of time.
type ScheduleStretch struct {
	score.SchedulePart
	Utilisation stats.Number `json:"utilisation"` // in [0, 1]
}

// Stretches adds the utilisation to stretches of the result's time.
func (r *ScheduleResult) Stretches(parts []score.SchedulePart) (all []ScheduleStretch) {
	for _, p := range parts {
		all = append(all, ScheduleStretch{p, stats.Number(p.BusyMean / r.capacity)})
	}
	return all
}

func (o *ScheduleOptions) result(log *workload.Log, c sched.Config, w *scheduleWatch, jobs int) *ScheduleResult {
	whole, policy := w.whole.Result(), c.Policy
	r := &ScheduleResult{
		Schema: ScheduleSchema, Log: workload.Summary{Name: log.Name, Jobs: jobs}, Policy: cmp.Or(o.Policy, policy.Name()),
		Corrected: o.Correct, Killed: o.Kill, Tau: whole.Tau, Whole: whole,
	}
	if o.Cluster == nil { // with a Cluster, the utilisation may be of another resource
		w.inLog.Processors, _ = log.Header.Processors()
	}
	if inLog := w.inLog.Result(); inLog.Jobs > 0 {
		if inLog.Jobs < whole.Jobs || o.Sites != nil { // they are only a part of the machine's jobs
			inLog.Utilisation, inLog.QueuedMean = stats.Number(math.NaN()), stats.Number(math.NaN())
		}
		r.InLog = &inLog
	}
	if policy.UsesEstimates() {
		r.Estimates = o.Estimates
		if o.Classed() {
			r.Classes = o.Classes
		}
	} else if o.Predicts() || o.Estimates == "perfect" {
		r.Warnings = append(r.Warnings, workload.Warning{Rule: "estimates-unused", Count: 1,
			Text: fmt.Sprintf("policy %s does not use estimates: %s has no effect", policy.Name(), o.Estimates)})
	}
	if p, ok := policy.(sched.Priority); ok {
		var unused []string
		for _, queue := range p.Queues {
			if !w.queues[queue] {
				unused = append(unused, fmt.Sprint(queue))
			}
		}
		r.warnOfUnmet("no-queue", "no job has a queue of the policy", unused)
	}
	r.capacity = max(0, float64(whole.Processors))
	if o.Cluster != nil {
		r.capacity = float64(o.Cluster.Capacity(w.resource))
	}
	r.Line = r.Stretches(whole.Line)
	var unmet []string
	for _, partition := range slices.Sorted(maps.Keys(o.Sites)) {
		if w.by[partition] == nil {
			unmet = append(unmet, strconv.FormatInt(partition, 10))
		}
	}
	r.warnOfUnmet("no-partition", "no job has a partition that a machine is given for", unmet)
	for _, x := range w.sites {
		name, _ := c.Named(workload.ColPartition, x.partition)
		r.Sites = append(r.Sites, SiteSchedule{workload.Integer(x.partition), name, x.Result()})
	}
	return r
}

// warnOfUnmet warns of things, if any, that an option names but no job has.
func (r *ScheduleResult) warnOfUnmet(rule, text string, things []string) {
	if len(things) > 0 {
		r.Warnings = append(r.Warnings, workload.Warning{Rule: rule, Count: int64(len(things)), SawAll: true, Text: text, Saw: strings.Join(things, ", ")})
	}
}

// ScheduleFeedback describes how a closed simulation changed the submissions.
type ScheduleFeedback struct {
	Dependencies string       `json:"dependencies"` // "log" for those in the log, "users" for those that package sessions finds
	Linked       int64        `json:"linked_jobs"`  // number of jobs with a preceding job
	Delayed      int          `json:"delayed_jobs"` // number of jobs submitted later than in the log
	DelayMean    stats.Number `json:"delay_mean_s"` // of the delayed jobs, s; NaN if there are none
	DelayMax     stats.Number `json:"delay_max_s"`
}

// close adds the effects of feedback.
func (r *ScheduleResult) close(w *scheduleWatch, links sessions.Links) {
	f := &ScheduleFeedback{Dependencies: "users", Linked: links.Jobs, Delayed: w.late.delay.N(),
		DelayMean: stats.Number(w.late.delay.Mean()), DelayMax: stats.Number(w.late.longest)}
	if links.Own {
		f.Dependencies = "log"
	}
	if f.Delayed == 0 {
		f.DelayMean, f.DelayMax = stats.Number(math.NaN()), stats.Number(math.NaN())
	}
	if links.Jobs == 0 {
		r.Warnings = append(r.Warnings, workload.Warning{Rule: "no-dependencies", Count: 1,
			Text: "no job waits for another, so that feedback has no effect: the log has neither preceding jobs nor users whose waits and run times are known"})
	}
	r.Feedback = f
	r.Whole.Throughput = score.ThroughputOf(&r.Whole)
	for i := range r.Sites {
		r.Sites[i].Throughput = score.ThroughputOf(&r.Sites[i].Schedule)
	}
}

// ScheduleResource describes the use of one resource of a machine. Shares are
// of the machine's capacity from the first submission to the last end, in [0,
// 1].
type ScheduleResource struct {
	Name        string       `json:"name" csv:"resource" show:"resource"` // "processors", "gpus", "memory_kb" or "nodes"
	Capacity    float64      `json:"capacity" show:"capacity"`            // of all pools together
	Utilisation stats.Number `json:"utilisation" show:"requested,share"`  // share requested by jobs; for nodes, Held
	Held        stats.Number `json:"held" show:"held,share"`              // share held by jobs; more than requested if nodes are allocated whole
}
