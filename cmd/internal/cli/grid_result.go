package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

type gridJSON struct {
	Schema string           `json:"schema"`
	Log    workload.Summary `json:"log"`
	Window gridWindowJSON   `json:"window"`
	Grid   gridGridJSON     `json:"grid"`
	Tau    stats.Number     `json:"tau_s"`
	Learn  *gridLearnJSON   `json:"predictions,omitempty"`
	Scores []gridScoreJSON  `json:"scores"`
}

type gridWindowJSON struct {
	Asked int          `json:"asked_days"` // 0 is the whole log
	Days  stats.Number `json:"days"`       // that it has: a log may be shorter
	From  stats.Number `json:"from_s"`
	To    stats.Number `json:"to_s"`
	Jobs  int          `json:"jobs"`
	Sites int          `json:"sites"`
	Load  stats.Number `json:"offered_load"` // work over what the grid can do in these days
}

type gridGridJSON struct {
	Name     string            `json:"name"`
	Source   string            `json:"source"`
	Speeds   string            `json:"speeds"`
	Clusters []gridClusterJSON `json:"clusters"`
}

type gridClusterJSON struct {
	Name       string       `json:"name"`
	Processors int64        `json:"processors"`
	Speed      stats.Number `json:"speed"`
	Partition  *int64       `json:"partition"`
}

type gridLearnJSON struct {
	Classes   []string `json:"classes"`
	History   string   `json:"history"`
	Corrected bool     `json:"corrected"`
}

type gridScoreJSON struct {
	Policy       string           `json:"policy"`
	Jobs         int              `json:"jobs"`
	Wait         score.Spread     `json:"wait_s"`
	Response     score.Spread     `json:"response_s"`
	Slowdown     score.Spread     `json:"bounded_slowdown"`
	Waited       stats.Number     `json:"waited_pct"`
	Utilisation  stats.Number     `json:"utilisation"`
	Predicted    int              `json:"predicted"`
	RunAccuracy  stats.Number     `json:"run_time_accuracy_mean"`
	WaitAccuracy stats.Number     `json:"wait_accuracy_mean"`
	WaitError    stats.Number     `json:"wait_absolute_error_mean_s"`
	Agreement    stats.Number     `json:"agreement_pct"` // with the first policy
	Clusters     []gridPartJSON   `json:"clusters"`
	Distribution gridSharesByWhat `json:"distributions"`
}

type gridPartJSON struct {
	Name        string       `json:"name"`
	Jobs        int          `json:"jobs"`
	JobsPct     stats.Number `json:"jobs_pct"`
	Wait        stats.Number `json:"wait_mean_s"`
	Utilisation stats.Number `json:"utilisation"`
}

type gridSharesByWhat struct {
	Wait     []gridShareJSON `json:"wait_s"`
	Response []gridShareJSON `json:"response_s"`
	Slowdown []gridShareJSON `json:"bounded_slowdown"`
}

type gridShareJSON struct {
	Value  stats.Number `json:"value"`
	AtMost stats.Number `json:"at_most"`
}

func gridSharesOf(all []score.Share) []gridShareJSON {
	out := []gridShareJSON{}
	for _, s := range all {
		out = append(out, gridShareJSON{stats.Number(s.Value), stats.Number(s.AtMost)})
	}
	return out
}

// offered is the work of the window's jobs over what the grid can do in it.
func (r *gridRun) offered() float64 {
	return r.work / (r.grid.Capacity() * (r.window.To - r.window.From))
}

// days is how long the window is.
func (r *gridRun) days() float64 { return (r.window.To - r.window.From) / 86400 }

func (r *gridRun) result() result {
	js := gridJSON{
		Schema: "loadstone.grid-scores/1", Log: workload.Summary{Name: r.o.input, Jobs: r.read}, Tau: stats.Number(r.o.tau),
		Window: gridWindowJSON{r.o.days, stats.Number(r.days()), stats.Number(r.window.From), stats.Number(r.window.To), r.window.Jobs, len(r.sites), stats.Number(r.offered())},
		Grid:   gridGridJSON{Name: r.grid.Name, Source: r.grid.Source, Speeds: r.grid.Speeds},
	}
	if r.o.predicts() {
		js.Learn = &gridLearnJSON{r.o.classes, r.o.history, r.o.correct}
	}
	for _, c := range r.grid.Clusters {
		out := gridClusterJSON{c.Name, c.Processors, stats.Number(c.Speed), nil}
		if c.Partition != workload.Unknown {
			out.Partition = &c.Partition
		}
		js.Grid.Clusters = append(js.Grid.Clusters, out)
	}
	csv := present.Table{Head: []string{
		"policy", "jobs", "response_mean_s", "wait_mean_s", "bounded_slowdown_mean", "response_median_s", "wait_median_s", "bounded_slowdown_median",
		"response_q95_s", "wait_q95_s", "bounded_slowdown_q95", "waited_pct", "utilisation", "run_time_accuracy_mean", "wait_accuracy_mean", "wait_absolute_error_mean_s", "agreement_pct",
	}}
	for _, c := range r.grid.Clusters {
		csv.Head = append(csv.Head, "jobs_"+c.Name)
	}
	for i, s := range r.scores {
		d := r.outcomes[i].Tally.Distributions()
		row := gridScoreJSON{
			Policy: r.policies[i].Name(), Jobs: s.Jobs, Wait: s.Wait, Response: s.Response, Slowdown: s.BoundedSlowdown,
			Waited: s.WaitedPct, Utilisation: s.Utilisation, Predicted: s.Predicted,
			RunAccuracy: s.RunAccuracyMean, WaitAccuracy: s.WaitAccuracyMean, WaitError: s.WaitErrorMean,
			Agreement:    stats.Number(r.agreement(i)),
			Distribution: gridSharesByWhat{gridSharesOf(d.Wait), gridSharesOf(d.Response), gridSharesOf(d.Slowdown)},
		}
		cells := []string{row.Policy, strconv.Itoa(row.Jobs)}
		for _, x := range []stats.Number{
			row.Response.Mean, row.Wait.Mean, row.Slowdown.Mean, row.Response.Median, row.Wait.Median, row.Slowdown.Median,
			row.Response.Q95, row.Wait.Q95, row.Slowdown.Q95, row.Waited, row.Utilisation, row.RunAccuracy, row.WaitAccuracy, row.WaitError, row.Agreement,
		} {
			cells = append(cells, present.Full(x))
		}
		for k, c := range s.Clusters {
			row.Clusters = append(row.Clusters, gridPartJSON{r.grid.Clusters[k].Name, c.Jobs, stats.Number(c.JobsPct), stats.Number(c.WaitMean), stats.Number(c.Utilisation)})
			cells = append(cells, strconv.Itoa(c.Jobs))
		}
		js.Scores = append(js.Scores, row)
		csv.Add(cells...)
	}
	return result{json: js, csv: csv, text: r.print}
}

// agreement is the share of jobs that a policy sends where the first one does.
func (r *gridRun) agreement(i int) float64 {
	return score.AgreementPct(r.outcomes[0].Clusters(), r.outcomes[i].Clusters())
}

// print writes the result for people.
func (r *gridRun) print(w io.Writer) error {
	const day = 86400
	g := &r.grid
	days, sites := int(r.days()), len(r.sites)
	period := fmt.Sprintf("the whole log, %d %s", days, present.Plural(days, "day", "days"))
	if r.o.days > 0 && r.read != len(r.jobs) {
		period = fmt.Sprintf("the busiest %d %s, from day %s on", days, present.Plural(days, "day", "days"), present.Fixed(r.window.From/day, 0))
	}
	learn := ""
	if r.o.predicts() {
		learn = fmt.Sprintf("predictions learn by %s, from the jobs of the %s, ", strings.Join(r.o.classes, ", then "), r.o.history)
		if r.o.history == historyCluster {
			learn = fmt.Sprintf("predictions learn by %s, from the cluster's own jobs first, ", strings.Join(r.o.classes, ", then "))
		}
		learn += map[bool]string{true: "corrected\n", false: "not corrected\n"}[r.o.correct]
	}
	if _, err := fmt.Fprintf(w, "%s: %d %s of %s, %d %s, offered load %s (work over what the grid can do in these days)\ngrid %s: %d %s, %d %s\nspeeds: %s\n%s\n",
		filepath.Base(r.o.input), r.scores[0].Jobs, present.Plural(r.scores[0].Jobs, "job", "jobs"), period, sites, present.Plural(sites, "site", "sites"), present.Percent(100*r.offered()),
		g.Name, len(g.Clusters), present.Plural(len(g.Clusters), "cluster", "clusters"), g.Processors(), present.Plural(int(g.Processors()), "processor", "processors"), g.Speeds, learn); err != nil {
		return err
	}
	first := "as " + r.policies[0].Name()
	people := present.Table{Head: []string{"policy", "response mean", "wait mean", "slowdown mean", "wait 95%", "waited", "utilisation", "run accuracy", "wait error", first}}
	for i, s := range r.scores {
		people.Add(r.policies[i].Name(), present.Sig(s.Response.Mean)+" s", present.Sig(s.Wait.Mean)+" s", present.Sig(s.BoundedSlowdown.Mean), present.Sig(s.Wait.Q95)+" s",
			present.Percent(s.WaitedPct), present.Percent(100*s.Utilisation), present.Sig(s.RunAccuracyMean), seconds(float64(s.WaitErrorMean)), present.Percent(r.agreement(i)))
	}
	if err := people.WriteTable(w); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(w, "\nJobs of each cluster"); err != nil {
		return err
	}
	shares := present.Table{Head: []string{"cluster", "processors", "speed"}}
	for _, p := range r.policies {
		shares.Head = append(shares.Head, p.Name())
	}
	for k, c := range g.Clusters {
		cells := []string{c.Name, strconv.FormatInt(c.Processors, 10), present.Sig(c.Speed)}
		for _, s := range r.scores {
			cells = append(cells, present.Percent(s.Clusters[k].JobsPct))
		}
		shares.Add(cells...)
	}
	if rest := len(shares.Rows) - tableRows; rest > 0 {
		shares.Rows = shares.Rows[:tableRows]
		if err := shares.WriteTable(w); err != nil {
			return err
		}
		_, err := fmt.Fprintf(w, "... and %d more; --format json gives all\n", rest)
		return err
	}
	return shares.WriteTable(w)
}
