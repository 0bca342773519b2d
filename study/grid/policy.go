package grid

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Policy says which cluster gets a job. A policy holds no state and is safe to use in
// several simulations at once: it is its parameters, and Broker makes what decides.
// Clusters serve what they are sent first come, first served.
type Policy interface {
	// Name is the policy's name in commands and tables, such as "ect-last2".
	Name() string
	// Broker makes what decides in one simulation, or says why the grid is not one
	// for the policy. Its machines are the clusters, in their order.
	Broker(g *Grid) (sched.Broker, error)
}

// Selective is a Policy that cannot place each job that fits a cluster; the others are
// left out and counted.
type Selective interface {
	Policy
	// Takes reports whether the policy can place the request on a cluster of the grid.
	Takes(g *Grid, r *workload.Request) bool
}

// Predicting is a Broker that predicts what comes of a job where it sends it.
type Predicting interface {
	sched.Broker
	// Predicted returns the wait and the run time that were predicted, in seconds on
	// the cluster. It is asked when the job has started.
	Predicted(key int32) (wait, run float64)
}

// PaperPolicies returns the four of Sonmez and others (2009), table 6, in its
// order.
func PaperPolicies() []Policy { return []Policy{ECTPerfect{}, ECT{}, LB{}, FPF{}} }

// otherPolicies are those to compare the paper's with.
func otherPolicies() []Policy { return []Policy{FPF{InOrder: true}, Home{}} }

// PolicyNames lists the names that PolicyByName knows: the paper's first.
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

// PolicyByName returns the policy with that name; ECT's take the forecast, with
// the predictor that their name says. The error for an unknown name lists
// those there are.
func PolicyByName(name string, f Forecast) (Policy, error) {
	for _, p := range append(PaperPolicies(), otherPolicies()...) {
		_, predicts := p.(ECT)
		if p.Name() == name && !predicts {
			return p, nil
		}
	}
	if r, ok := strings.CutPrefix(name, ectPrefix); ok && slices.Contains(runtime.PredictorNames(), r) {
		f.Predictor = r
		return ECT{f}, nil
	}
	return nil, fmt.Errorf("grid: unknown policy %q, want one of %s", name, strings.Join(PolicyNames(), ", "))
}
