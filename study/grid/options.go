package grid

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/workload"
)

// The jobs from which the predictors of a cluster learn.
const (
	HistoryGrid    = "grid"    // jobs of the whole grid
	HistoryCluster = "cluster" // first the jobs that ran on the cluster
)

// MaxClasses is the largest number of classifications of jobs that a prediction
// tries in turn.
const MaxClasses = maxLevels - 1

// Options are the options of Compute. Only Grid is required; the zero values of
// the others give the paper's policies on the whole log.
type Options struct {
	Grid Grid
	// Policies are some of PolicyNames; empty means the paper's.
	Policies []string `opt:"policies" open:"true" group:"The policies" common:"true" help:"policies to compare" brief:"policies to compare"`
	// History is HistoryGrid (and "") or HistoryCluster.
	History string `opt:"history" default:"grid" help:"whose jobs ect's predictors learn from: the whole grid's, or first those that ran on the cluster"`
	// Classes are names of classifications of jobs, the finest first: the next
	// is tried if one has no history. Empty means DefaultClasses.
	Classes runtime.Ways `opt:"classes" help:"<classes> of jobs that they learn from, the finest first; the next is asked where one has no history"`
	// Uncorrected keeps the prediction made at a job's submission.
	Uncorrected bool
	// Days limits the study to that many successive days, those with the most
	// work; 0 means the whole log.
	Days int `opt:"days" in:"[0,)" usual:"91" group:"The log" common:"true" help:"study this many consecutive days, those with the most work; 0 is the whole log"`
	// NoSites accepts a log in which no job has a site.
	NoSites bool `opt:"no-sites" help:"treat a log in which no job has a site (partition) as a grid's"`
	// Feedback closes the loop: a job that waits for another is submitted when that
	// has ended and its think time has passed, and not before its time in the log.
	// Dependencies are the log's or, where it has none, those that package sessions
	// finds in its users' jobs.
	Feedback bool `opt:"feedback" help:"submit a job that depends on another when that one has ended"`
	// Workers is the number of policies that are simulated at a time; 0 means
	// one for each core. The result does not depend on it.
	Workers int

	// Watch, if not nil, wraps each pass over the jobs, for example to show
	// progress. n is the number of jobs, 0 if unknown. Several goroutines call
	// it.
	Watch func(jobs iter.Seq2[workload.Job, error], n int) iter.Seq2[workload.Job, error]
	// Early is called with each warning of Early* before the simulation
	// begins, which can take long. They are in the result as well. It may be
	// nil.
	Early func(workload.Warning)
}

// Rules of the warnings that Options.Early is called with.
const (
	EarlyOverload = "overload" // queues grow without end
	EarlySlow     = "slow"     // and predictions for them take minutes
	EarlyMemory   = "memory"   // the study may take gigabytes
	EarlySites    = "sites"    // no job is of the site of some clusters
)

func (o Options) filled() Options {
	if len(o.Policies) == 0 {
		for _, p := range PaperPolicies() {
			o.Policies = append(o.Policies, p.Name())
		}
	}
	if len(o.Classes) == 0 {
		o.Classes = DefaultClasses()
	}
	opt.Fill(&o)
	return o
}

// Predicts reports whether a policy learns from jobs that end.
func (o *Options) Predicts() bool {
	return slices.ContainsFunc(o.Policies, func(name string) bool {
		return strings.HasPrefix(name, ectPrefix) && name != (ECTPerfect{}).Name()
	})
}

// Choices are the values of options that take one of some.
func (o Options) Choices(option string) []string {
	switch option {
	case "policies":
		return PolicyNames()
	case "history":
		return []string{HistoryGrid, HistoryCluster}
	}
	return nil
}

// Validate returns a *workload.OptionError for the first option that cannot be
// used. Errors of the grid are those of Grid.Validate.
func (o Options) Validate() error {
	_, err := o.filled().policies()
	return err
}

// policies checks the options, and makes the policies. The options are filled.
func (o Options) policies() ([]Policy, error) {
	fault := func(option, saw, want string) error {
		return &workload.OptionError{Option: option, Saw: saw, Want: want}
	}
	if err := opt.Check(&o); err != nil {
		return nil, err
	}
	if len(o.Classes) > MaxClasses {
		return nil, fault("classes", o.Classes.String(), fmt.Sprintf("at most %d ways of sorting jobs", MaxClasses))
	}
	f := Forecast{Own: o.History == HistoryCluster, Uncorrected: o.Uncorrected}
	for _, name := range o.Classes {
		c, err := runtime.ClassesByName(name)
		if err != nil {
			return nil, err
		}
		if slices.Contains(c.Columns(), "partition_id") {
			return nil, fault("classes", strconv.Quote(name), "classes without the log's site: a job's site is the cluster that it is sent to, and history cluster learns from that first")
		}
		f.Classes = append(f.Classes, c)
	}
	var all []Policy
	for _, name := range o.Policies {
		p, err := PolicyByName(name, f)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	if err := o.Grid.Validate(); err != nil {
		return nil, err
	}
	for _, c := range o.Grid.Clusters {
		if !c.Partition.Known() && slices.Contains(o.Policies, Home{}.Name()) {
			return nil, fault("policies", Home{}.Name(), fmt.Sprintf("a site of the log for each cluster, since it sends jobs to their own sites: cluster %s of grid %s has no \"partition\"", c.Name, o.Grid.Name))
		}
	}
	return all, nil
}
