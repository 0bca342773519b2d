package grid

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/runtime"
)

// Policy says which cluster gets a job. Its implementations are the types of
// this package that are named after the policies; they hold no state and are
// safe to use in several simulations at once.
type Policy interface {
	// Name is the policy's name in commands and tables, such as "ect-last2".
	Name() string
	// broker makes what decides in one simulation, or says why the grid is
	// not one for the policy.
	broker(s *simulation) (broker, error)
}

// broker is a policy at work.
type broker interface {
	// submit is told of a job at its submission and returns the cluster that
	// gets it, or hold.
	submit(slot int32) int
	// release returns the next job of the global queue to be sent now, and to
	// which cluster, until there is none. It is asked at the end of an
	// instant; the job starts before it is asked again.
	release() (slot int32, cluster int, ok bool)
	// started and finished are told of a job on its cluster.
	started(slot int32)
	finished(slot int32)
}

// hold is the answer of a broker that keeps a job in the global queue.
const hold = -1

// sender is what policies have in common that send each job at once.
type sender struct{}

func (sender) release() (int32, int, bool) { return 0, 0, false }
func (sender) started(int32)               {}
func (sender) finished(int32)              {}

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
