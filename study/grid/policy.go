package grid

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Policy decides which cluster gets a job. It holds only parameters and is safe
// to use in several simulations at once; its Broker keeps the state. Clusters
// serve their jobs first come, first served.
type Policy interface {
	// Name is the policy's name in commands and tables, such as "ect-last2".
	Name() string
	// Broker returns a broker for one simulation, or an error if the policy
	// does not support the grid. The broker's machines are the clusters, in
	// their order.
	Broker(g *Grid) (sched.Broker, error)
}

// Selective is a Policy that cannot place each job that fits a cluster; the others are
// left out and counted.
type Selective interface {
	Policy
	// Takes reports whether the policy can place the request on a cluster of the grid.
	Takes(g *Grid, r *workload.Request) bool
}

// Predicting is a Broker that predicts the wait and run time of each job on the
// cluster to which it sends the job.
type Predicting interface {
	sched.Broker
	// Predicted returns the wait and the run time that were predicted, in
	// seconds on the cluster. It is called when the job has started.
	Predicted(key int32) (wait, run float64)
}

// PaperPolicies returns the four of Sonmez and others (2009), table 6, in its
// order.
func PaperPolicies() []Policy { return []Policy{ECTPerfect{}, ECT{}, LB{}, FPF{}} }

// otherPolicies are those to compare the paper's with.
func otherPolicies() []Policy { return []Policy{FPF{InOrder: true}, Home{}} }

// PolicyNames returns the names that PolicyByName accepts, the paper's first.
func PolicyNames() []string {
	var names []string
	for _, p := range PaperPolicies() {
		names = append(names, p.Name())
	}
	for _, r := range runtime.PredictorNames() {
		if name := ectPrefix + r; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, p := range otherPolicies() {
		names = append(names, p.Name())
	}
	return names
}

// PolicyByName returns the policy of that name. ECT policies use the forecast
// f, with the predictor in their name. The error for an unknown name lists the
// known ones.
func PolicyByName(name string, f Forecast) (Policy, error) {
	for _, p := range append(PaperPolicies(), otherPolicies()...) {
		_, predicts := p.(ECT)
		if p.Name() == name && !predicts {
			return p, nil
		}
	}
	if r, ok := strings.CutPrefix(name, ectPrefix); ok {
		if _, err := runtime.RuleNamed(r, nil); err == nil || strings.Contains(r, "(") {
			f.Predictor = r
			return ECT{f}, workload.OptionNamed("policies", err)
		}
	}
	return nil, fmt.Errorf("grid: unknown policy %q, want one of %s", name, strings.Join(PolicyNames(), ", "))
}
