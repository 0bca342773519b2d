package cli

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// check finds the faults of options that are out of range or at odds.
func (o *simulateOptions) check(cmd *cobra.Command, sites string) error {
	if err := checkProcs(cmd, o.processors); err != nil {
		return err
	}
	switch {
	case !(o.tau > 0) || math.IsInf(o.tau, 1):
		return usagef(cmd, "--tau %g: want a number of seconds above 0", o.tau)
	case o.policy == (sched.Priority{}).Name() && len(o.queues) == 0:
		return usagef(cmd, "--policy priority: want --queues, the log's queue numbers with the most urgent first")
	case o.policy != (sched.Priority{}).Name() && len(o.queues) > 0:
		return usagef(cmd, "--queues is for --policy priority, and this is %s", o.policy)
	case o.jobs.output != "" && slices.Contains(logFormats, o.jobs.format):
		return usagef(cmd, "%s: --format %s prints the log on standard output: leave one away", o.jobs.output, o.jobs.format)
	case o.correct && !o.predicts():
		return usagef(cmd, "--correct is for predictors, which learn from completions, and --estimates is %s", o.estimates)
	case cmd.Flags().Changed("classes") && !o.predicts():
		return usagef(cmd, "--classes is for predictors, and --estimates is %s", o.estimates)
	}
	for i, q := range o.queues {
		if slices.Contains(o.queues[:i], q) {
			return usagef(cmd, "--queues: queue %d is named twice", q)
		}
	}
	if _, err := runtime.ClassesByName(o.classes); err != nil {
		return usagef(cmd, "--classes: %w", classesFault(o.classes, err))
	}
	var err error
	if o.sites, err = parseSites(sites); err != nil {
		return usagef(cmd, "--sites: %w", err)
	}
	if sites == "all" && o.processors == 0 {
		return usagef(cmd, "--sites all: want --procs, the processors of each site")
	}
	return nil
}

// predicts says whether the estimates are a predictor's.
func (o *simulateOptions) predicts() bool { return o.estimates != "user" && o.estimates != "perfect" }

// parseSites reads the sizes of sites; "all" is none of them, nil is no sites.
func parseSites(text string) (map[int64]int64, error) {
	switch text {
	case "":
		return nil, nil
	case "all":
		return map[int64]int64{}, nil
	}
	sites := map[int64]int64{}
	for _, item := range strings.Split(text, ",") {
		name, size, _ := strings.Cut(strings.TrimSpace(item), "=")
		partition, errName := strconv.ParseInt(name, 10, 64)
		n, errSize := strconv.ParseInt(size, 10, 64)
		if _, twice := sites[partition]; errName != nil || errSize != nil || n < 1 || twice {
			return nil, fmt.Errorf("saw %q, want all, or partitions with their processors, each once, such as 1=64,2=128", item)
		}
		sites[partition] = n
	}
	return sites, nil
}

// siteSizes writes the sizes of sites as parseSites reads them.
func siteSizes(sites map[int64]int64) string {
	var sizes []string
	for _, p := range slices.Sorted(maps.Keys(sites)) {
		sizes = append(sizes, fmt.Sprintf("%d=%d", p, sites[p]))
	}
	return strings.Join(sizes, ",")
}

// config is the simulation that the options ask for.
func (r *simulateRun) config(warnings *workload.Warnings) (sched.Config, error) {
	o := &r.o
	for _, p := range sched.Policies() {
		if p.Name() == o.policy {
			r.policy = p
		}
	}
	if _, ok := r.policy.(sched.Priority); ok {
		r.policy = sched.Priority{Queues: o.queues}
	}
	c := sched.Config{Processors: r.processors, Policy: r.policy, Sites: o.sites, Correct: o.correct, Kill: o.kill, Warnings: warnings}
	switch o.estimates {
	case "user":
		c.Estimator = sched.UserEstimates{}
	case "perfect":
		c.Estimator = sched.Perfect{}
	default:
		classes, err := runtime.ClassesByName(o.classes)
		if err != nil {
			return c, err
		}
		p, err := runtime.New(o.estimates, classes, runtime.Options{})
		if err != nil {
			return c, err
		}
		c.Estimator = p
		if o.estimates != "linear" { // which learns from all classes for all
			c.Estimator = classEstimator{p, classes}
		}
	}
	return c, nil
}

// classEstimator is a predictor whose predictions a job changes only within its
// class.
type classEstimator struct {
	runtime.Predictor
	classes runtime.Classes
}

var _ sched.Relater = classEstimator{}

// Related implements sched.Relater.
func (c classEstimator) Related(ended *workload.Job, r *workload.Request) bool {
	return c.classes.Key(&ended.Request) == c.classes.Key(r)
}

// useless says which flags do nothing under the policy.
func (r *simulateRun) useless() []string {
	if r.policy.UsesEstimates() || !(r.o.predicts() || r.o.estimates == "perfect") {
		return nil
	}
	return []string{fmt.Sprintf("--estimates %s is of no use: policy %s does not use estimates", r.o.estimates, r.o.policy)}
}

// describe says what was simulated, for a header and for people.
func (r *simulateRun) describe() string {
	o := &r.o
	text := fmt.Sprintf("policy %s on %d processors", o.policy, r.processors)
	switch {
	case o.sites != nil && len(o.sites) == 0:
		text = fmt.Sprintf("policy %s on %d processors a site", o.policy, r.processors)
	case o.sites != nil:
		text = fmt.Sprintf("policy %s on the sites %s", o.policy, siteSizes(o.sites))
		if r.processors > 0 {
			text += fmt.Sprintf(" and others of %d processors", r.processors)
		}
	}
	if len(o.queues) > 0 {
		text += ", queues " + strings.Trim(strings.ReplaceAll(fmt.Sprint(o.queues), " ", ","), "[]")
	}
	if r.policy.UsesEstimates() {
		text += ", estimates " + o.estimates
		if o.predicts() {
			text += " by " + o.classes
		}
		if o.correct {
			text += ", corrected"
		}
	}
	if o.kill {
		text += ", jobs killed at the user's estimate"
	}
	return text
}
