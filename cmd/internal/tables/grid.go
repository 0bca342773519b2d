package tables

import (
	"slices"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/study/grid"
)

// feedbackRow is a row of the table of throughputs.
type feedbackRow struct {
	Policy string `show:"policy"`
	*grid.FeedbackScore
}

// Grid is the result in its three forms.
func Grid(r *grid.Result) view.Result {
	return view.Result{JSON: r, CSV: view.CSV(r.Scores), Text: func(w *view.Screen) {
		w.Printf("%s", prose.Text("grid", r))
		w.Table(view.For(r.Scores).Without("submitted later", "later by", "jobs a day").Table())
		if r.Feedback != nil {
			w.Printf("\nFeedback\n")
			var rows []feedbackRow
			for _, s := range r.Scores {
				rows = append(rows, feedbackRow{s.Policy, s.Feedback})
			}
			w.Table(view.For(rows).Table())
		}
		w.Printf("\nJobs of each cluster\n")
		clusters := r.Grid.Clusters[:min(MostRows, len(r.Grid.Clusters))]
		shares := view.For(clusters)
		for _, s := range r.Scores {
			shares.With(view.Cell[grid.Cluster]{Heading: s.Policy, Text: func(c grid.Cluster) string {
				i := slices.IndexFunc(s.Clusters, func(x score.GridCluster) bool { return x.Name == c.Name })
				return view.Percent(s.Clusters[i].JobsPct)
			}})
		}
		w.Table(shares.Table())
		if rest := len(r.Grid.Clusters) - len(clusters); rest > 0 {
			w.Printf("... and %d more; --format json gives all\n", rest)
		}
	}}
}
