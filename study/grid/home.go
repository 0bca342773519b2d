package grid

import (
	"fmt"
)

// Home sends each job to the cluster that stands for its own site
// (Cluster.Partition): the grid without a broker, as in section 4 of Sonmez and
// others (2009). It is not one of the paper's policies of section 5. A job
// that is larger than its own site's cluster goes to none, and is left out.
type Home struct{}

var _ Policy = Home{}

// Name returns "home".
func (Home) Name() string { return "home" }

func (Home) broker(s *simulation) (broker, error) {
	for _, c := range s.cfg.Grid.Clusters {
		if !c.Partition.Known() {
			return nil, fmt.Errorf("grid: policy home sends jobs to their own sites, and cluster %s has no \"partition\", the number of its site in the log", c.Name)
		}
	}
	return &atHome{s: s}, nil
}

type atHome struct {
	sender
	s *simulation
}

func (b *atHome) submit(slot int32) int { return b.s.sites[b.s.jobs.At(slot).job.Partition] }
