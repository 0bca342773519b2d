package figure

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"

	study "github.com/loadstone-hpc/loadstone/study/grid"
)

// mostClusterBars is the number of clusters that one picture can show.
const mostClusterBars = 16

// OfGrid returns figures 6 and 7 of Sonmez and others (2009) for a study of a grid:
// the distributions of response times, bounded slowdowns and waits under each
// policy, and where the policies send the jobs.
func OfGrid(r *study.Result) []Picture {
	scores := r.Scores
	source := fmt.Sprintf("%s, %d jobs on %s (%d processors)", filepath.Base(r.Log.Name), scores[0].Jobs, r.Grid.Name, r.Grid.Processors())
	distribution := func(name string, q GridQuantity, of func(study.Distributions) []study.Point) Picture {
		return Picture{Name: name, Draw: func(w io.Writer, format string) error {
			var all []Shares
			for _, x := range scores {
				s := Shares{Name: x.Policy}
				for _, p := range of(x.Distributions) {
					s.Value, s.AtMost = append(s.Value, p.Value), append(s.AtMost, p.AtMost)
				}
				all = append(all, s)
			}
			return GridShares(w, format, source, q, all)
		}}
	}
	all := []Picture{
		distribution("grid-response", GridResponse, func(d study.Distributions) []study.Point { return d.Response }),
		distribution("grid-slowdown", GridSlowdown, func(d study.Distributions) []study.Point { return d.Slowdown }),
	}
	if slices.ContainsFunc(scores, func(s study.Score) bool { return s.Wait.Max >= 1 }) {
		all = append(all, distribution("grid-wait", GridWait, func(d study.Distributions) []study.Point { return d.Wait }))
	} else {
		all = append(all, absent("grid-wait", "no job waits a second"))
	}
	return append(all, gridClustersOf(source, r.Grid, scores))
}

func gridClustersOf(source string, g study.Grid, scores []study.Score) Picture {
	const name = "grid-clusters"
	if n := len(g.Clusters); n > mostClusterBars {
		return absent(name, fmt.Sprintf("the picture shows at most %d clusters, and the grid has %d", mostClusterBars, n))
	}
	return Picture{Name: name, Draw: func(w io.Writer, format string) error {
		var names []string
		for _, c := range g.Clusters {
			names = append(names, fmt.Sprintf("%s (%d)", c.Name, c.Processors))
		}
		var all []ClusterJobs
		for _, s := range scores {
			c := ClusterJobs{Name: s.Policy}
			for _, x := range s.Clusters {
				c.Shares = append(c.Shares, float64(x.JobsPct)/100)
			}
			all = append(all, c)
		}
		return GridClusters(w, format, source, names, all)
	}}
}
