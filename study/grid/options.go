package grid

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Whose jobs a cluster's predictors learn from.
const (
	HistoryGrid    = "grid"    // the whole grid's
	HistoryCluster = "cluster" // first those that ran on the cluster
)

// MaxClasses is how many ways of sorting jobs into classes a prediction asks in
// turn.
const MaxClasses = maxLevels - 1

// Options says what Compute studies. The zero value of all but Grid is the
// paper's policies on the whole log.
type Options struct {
	Grid Grid
	// Policies are names of PolicyNames; none stands for the paper's.
	Policies []string
	// History is HistoryGrid (and "") or HistoryCluster.
	History string
	// Classes are names of ways of sorting jobs into classes, the finest first:
	// the next is asked where one has no history. None stands for
	// DefaultClasses.
	Classes []string
	// Uncorrected keeps what was predicted at a job's submission.
	Uncorrected bool
	// Days is how many days are studied, those that bring the most work; 0
	// stands for the whole log.
	Days int
	// NoSites takes a log in which no job has a site for a grid's all the same.
	NoSites bool
	// Feedback closes the loop: a job that waits for another is submitted when that
	// has ended and its think time has passed, and not before its time in the log.
	// Dependencies are the log's or, where it has none, those that package sessions
	// finds in its users' jobs.
	Feedback bool
	// Tau is the bound of bounded slowdown, s; 0 stands for score.GridTau.
	Tau float64
	// Workers is how many policies are simulated at a time; 0 is one a core.
	// The result does not depend on it.
	Workers int

	// Watch wraps each pass over the jobs, n of them or 0 where that is not
	// known, to show progress, say; several goroutines call it. nil is for none.
	Watch func(jobs iter.Seq2[workload.Job, error], n int) iter.Seq2[workload.Job, error]
	// Early is called with each warning of Early* before the simulation begins,
	// which can take long. They are in the result as well. nil is for none.
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
	if o.History == "" {
		o.History = HistoryGrid
	}
	if o.Tau == 0 {
		o.Tau = score.GridTau
	}
	return o
}

// Predicts reports whether a policy learns from jobs that end.
func (o *Options) Predicts() bool {
	return slices.ContainsFunc(o.Policies, func(name string) bool {
		return strings.HasPrefix(name, ectPrefix) && name != (ECTPerfect{}).Name()
	})
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
	switch {
	case !(o.Tau > 0) || math.IsInf(o.Tau, 1):
		return nil, fault("tau", fmt.Sprintf("%g", o.Tau), "a number of seconds above 0")
	case o.Days < 0:
		return nil, fault("days", strconv.Itoa(o.Days), "1 or more, or 0 for the whole log")
	case o.History != HistoryGrid && o.History != HistoryCluster:
		return nil, fault("history", strconv.Quote(o.History), HistoryGrid+" or "+HistoryCluster)
	case len(o.Classes) > MaxClasses:
		return nil, fault("classes", strings.Join(o.Classes, ","), fmt.Sprintf("at most %d ways of sorting jobs", MaxClasses))
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
			return nil, fault("policies", strconv.Quote(name), "one or more of "+strings.Join(PolicyNames(), ", "))
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
