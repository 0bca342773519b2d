package tables

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/internal/printable"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/study/grid"
)

// gridColumns are those of the policies, with the jobs of each cluster for
// programs.
func gridColumns(r *grid.Result) []present.Column[grid.Score] {
	number := func(name, heading string, short func(float64) string, of func(*grid.Score) stats.Number) present.Column[grid.Score] {
		return present.Float(name, heading, func(s grid.Score) stats.Number { return of(&s) }, short)
	}
	time := func(name, heading string, of func(*grid.Score) stats.Number) present.Column[grid.Score] {
		return present.Time(name, heading, func(s grid.Score) stats.Number { return of(&s) }, second)
	}
	slowdown := present.Sig[float64]
	columns := []present.Column[grid.Score]{
		present.Text("policy", "policy", func(s grid.Score) string { return s.Policy }),
		present.Count("jobs", "", func(s grid.Score) int { return s.Jobs }),
		time("response_mean_s", "response mean", func(s *grid.Score) stats.Number { return s.Response.Mean }),
		time("wait_mean_s", "wait mean", func(s *grid.Score) stats.Number { return s.Wait.Mean }),
		number("bounded_slowdown_mean", "slowdown mean", slowdown, func(s *grid.Score) stats.Number { return s.BoundedSlowdown.Mean }),
		number("response_median_s", "", nil, func(s *grid.Score) stats.Number { return s.Response.Median }),
		number("wait_median_s", "", nil, func(s *grid.Score) stats.Number { return s.Wait.Median }),
		number("bounded_slowdown_median", "", nil, func(s *grid.Score) stats.Number { return s.BoundedSlowdown.Median }),
		number("response_q95_s", "", nil, func(s *grid.Score) stats.Number { return s.Response.Q95 }),
		time("wait_q95_s", "wait 95%", func(s *grid.Score) stats.Number { return s.Wait.Q95 }),
		number("bounded_slowdown_q95", "", nil, func(s *grid.Score) stats.Number { return s.BoundedSlowdown.Q95 }),
		number("waited_pct", "waited", present.Percent[float64], func(s *grid.Score) stats.Number { return s.WaitedPct }),
		number("utilisation", "utilisation", func(x float64) string { return present.Percent(100 * x) }, func(s *grid.Score) stats.Number { return s.Utilisation }),
		number("run_time_accuracy_mean", "run accuracy", present.Sig[float64], func(s *grid.Score) stats.Number { return s.RunAccuracyMean }),
		number("wait_accuracy_mean", "", nil, func(s *grid.Score) stats.Number { return s.WaitAccuracyMean }),
		time("wait_absolute_error_mean_s", "wait error", func(s *grid.Score) stats.Number { return s.WaitErrorMean }),
		number("agreement_pct", "as "+r.Scores[0].Policy, present.Percent[float64], func(s *grid.Score) stats.Number { return s.Agreement }),
	}
	if r.Feedback != nil {
		columns = append(columns,
			number("jobs_per_day", "jobs a day", present.Sig[float64], func(s *grid.Score) stats.Number { return s.Feedback.JobsPerDay }),
			number("processor_s_per_day", "", nil, func(s *grid.Score) stats.Number { return s.Feedback.WorkPerDay }),
			number("makespan_s", "", nil, func(s *grid.Score) stats.Number { return s.Feedback.Makespan }),
			present.Count("delayed_jobs", "submitted later", func(s grid.Score) int { return s.Feedback.Delayed }),
			time("delay_mean_s", "by, mean", func(s *grid.Score) stats.Number { return s.Feedback.DelayMean }),
			number("delay_max_s", "", nil, func(s *grid.Score) stats.Number { return s.Feedback.DelayMax }))
	}
	for k, c := range r.Grid.Clusters {
		columns = append(columns, present.Count("jobs_"+c.Name, "", func(s grid.Score) int { return s.Clusters[k].Jobs }))
	}
	return columns
}

func Grid(r *grid.Result) present.Result {
	return present.Result{JSON: r, CSV: present.CSV(gridColumns(r), r.Scores), Text: func(w *present.Screen) { printGrid(w, r) }}
}

// printGrid writes the result for people.
func printGrid(w *present.Screen, r *grid.Result) {
	const day = 86400
	g := &r.Grid
	days, sites := int(r.Window.Days), r.Window.Sites
	period := fmt.Sprintf("the whole log, %d %s", days, words.Noun(days, "day"))
	if r.Window.Asked > 0 && r.Log.Jobs != len(r.Jobs) {
		period = fmt.Sprintf("the busiest %d %s, from day %s on", days, words.Noun(days, "day"), present.Fixed(r.Window.From/day, 0))
	}
	learn := ""
	if l := r.Learning; l != nil {
		from := "from the jobs of the grid, "
		if l.History == grid.HistoryCluster {
			from = "from the cluster's own jobs first, "
		}
		learn = "predictions learn by " + strings.Join(l.Classes, ", then ") + ", " + from + map[bool]string{true: "corrected\n", false: "not corrected\n"}[l.Corrected]
	}
	if f := r.Feedback; f != nil {
		learn += fmt.Sprintf("feedback: %d jobs have a preceding job, %s\n", f.Linked, whoseLinks(f.Of))
	}
	jobs := r.Scores[0].Jobs
	w.Printf("%s: %d %s of %s, %d %s, offered load %s (work over what the grid can do in these days)\ngrid %s: %d %s, %d %s\nspeeds: %s\n%s\n",
		printable.Text(filepath.Base(r.Log.Name)), jobs, words.Noun(jobs, "job"), period, sites, words.Noun(sites, "site"), present.Percent(100*r.Window.Load),
		printable.Text(g.Name), len(g.Clusters), words.Noun(len(g.Clusters), "cluster"), g.Processors(), words.Noun(int(g.Processors()), "processor"), printable.Text(g.Speeds), learn)
	w.Table(present.People(gridColumns(r), r.Scores))
	w.Printf("\nJobs of each cluster\n")
	shares := present.Table{Head: []string{"cluster", "processors", "speed"}}
	for _, s := range r.Scores {
		shares.Head = append(shares.Head, s.Policy)
	}
	for k, c := range g.Clusters {
		cells := []string{c.Name, strconv.FormatInt(c.Processors, 10), present.Sig(c.Speed)}
		for _, s := range r.Scores {
			cells = append(cells, present.Percent(s.Clusters[k].JobsPct))
		}
		shares.Add(cells...)
	}
	rest := max(0, len(shares.Rows)-MostRows)
	shares.Rows = shares.Rows[:len(shares.Rows)-rest]
	w.Table(shares)
	if rest > 0 {
		w.Printf("... and %d more; --format json gives all\n", rest)
	}
}
