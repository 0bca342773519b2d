package grid

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Home sends each job to the cluster that stands for its own site
// (Cluster.Partition): the grid without a broker, as in section 4 of Sonmez and
// others (2009). It is not one of the paper's policies of section 5. A job
// that is larger than its own site's cluster goes to none, and is left out.
type Home struct{}

var _ Selective = Home{}

// Name returns "home".
func (Home) Name() string { return "home" }

// Broker implements Policy.
func (Home) Broker(g *Grid) (sched.Broker, error) {
	for _, c := range g.Clusters {
		if !c.Partition.Known() {
			return nil, fmt.Errorf("grid: policy home sends jobs to their own sites, and cluster %s has no \"partition\", the number of its site in the log", c.Name)
		}
	}
	return atHome{g: g}, nil
}

// Takes implements Selective.
func (Home) Takes(g *Grid, r *workload.Request) bool {
	c := g.of(r.Partition)
	return c >= 0 && r.Size <= g.Clusters[c].Processors
}

type atHome struct {
	sched.Sender
	g *Grid
}

func (b atHome) Submit(t sched.Task, _ []*sched.State) int { return b.g.of(t.Request.Partition) }
