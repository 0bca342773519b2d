package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/study/grid"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
)

// gridPlacementsSchema names the table of placements and its version.
const gridPlacementsSchema = "loadstone.grid-placements/1"

var gridPlacementColumns = []columnar.PlainColumn{
	{Name: "policy", Meaning: "the policy", Kind: columnar.PlainText},
	{Name: "job_id", Meaning: "the log's number of the job", Kind: columnar.PlainInt},
	{Name: "partition_id", Meaning: "the job's site in the log", Kind: columnar.PlainInt},
	{Name: "size", Unit: "processors", Meaning: "processors", Kind: columnar.PlainInt},
	{Name: "submit_time_s", Unit: "s", Meaning: "submission, from the log's start", Kind: columnar.PlainFloat},
	{Name: "cluster", Meaning: "the cluster that it was sent to", Kind: columnar.PlainText},
	{Name: "wait_time_s", Unit: "s", Meaning: "from submission to start", Kind: columnar.PlainFloat},
	{Name: "run_time_s", Unit: "s", Meaning: "run time on the cluster", Kind: columnar.PlainFloat},
	{Name: "predicted_wait_s", Unit: "s", Meaning: "wait that was expected when it was sent", Kind: columnar.PlainFloat},
	{Name: "predicted_run_s", Unit: "s", Meaning: "run time that was expected there", Kind: columnar.PlainFloat},
}

// writePlacements writes a row for each policy and job that it placed, in the
// order of the log.
func (r *gridRun) writePlacements() error {
	format, err := plainFormat("placements", r.o.placements)
	if err != nil {
		return &usageError{r.a.cmd, err}
	}
	return r.a.writeFile(r.o.placements, func(w io.Writer) error {
		t, err := columnar.NewPlainTable(format, w, gridPlacementsSchema, gridPlacementColumns)
		if err != nil {
			return err
		}
		for _, o := range r.outcomes {
			for i, p := range o.Placements {
				if p.Cluster < 0 || t.Err() != nil {
					continue
				}
				j := &r.jobs[i]
				t.Text(o.Policy.Name())
				t.Int(j.ID)
				t.Int(j.Partition)
				t.Int(j.Size)
				t.Float(j.Submit)
				t.Text(r.grid.Clusters[p.Cluster].Name)
				t.Float(p.Wait)
				t.Float(p.Run)
				t.Float(p.PredictedWait)
				t.Float(p.PredictedRun)
			}
		}
		return t.Close()
	})
}

// plot draws figures 6 and 7 of Sonmez and others (2009) for this study.
func (r *gridRun) plot() error {
	var wait, response, slowdown []figure.Shares
	var jobs []figure.ClusterJobs
	for i, o := range r.outcomes {
		name, d := r.policies[i].Name(), o.Tally.Distributions()
		wait, response, slowdown = append(wait, shares(name, d.Wait)), append(response, shares(name, d.Response)), append(slowdown, shares(name, d.Slowdown))
		c := figure.ClusterJobs{Name: name}
		for _, x := range r.scores[i].Clusters {
			c.Shares = append(c.Shares, float64(x.JobsPct)/100)
		}
		jobs = append(jobs, c)
	}
	var names []string
	for _, c := range r.grid.Clusters {
		names = append(names, fmt.Sprintf("%s (%d)", c.Name, c.Processors))
	}
	source := r.source()
	pictures := []runtimePicture{
		{"grid-response", func(w io.Writer) error {
			return figure.GridShares(w, r.a.pictureFormat(), source, figure.GridResponse, response)
		}},
		{"grid-slowdown", func(w io.Writer) error {
			return figure.GridShares(w, r.a.pictureFormat(), source, figure.GridSlowdown, slowdown)
		}},
	}
	if slices.ContainsFunc(r.scores, func(s grid.Score) bool { return s.Wait.Max >= 1 }) {
		pictures = append(pictures, runtimePicture{"grid-wait", func(w io.Writer) error {
			return figure.GridShares(w, r.a.pictureFormat(), source, figure.GridWait, wait)
		}})
	} else {
		r.a.warn("%s: no picture of waits: no job waits a second", r.o.plots)
	}
	if len(names) <= mostClusterBars {
		pictures = append(pictures, runtimePicture{"grid-clusters", func(w io.Writer) error {
			return figure.GridClusters(w, r.a.pictureFormat(), source, names, jobs)
		}})
	} else {
		r.a.warn("%s: no picture of the clusters' jobs: there is room for %d clusters, and the grid has %d", r.o.plots, mostClusterBars, len(names))
	}
	for _, p := range pictures {
		if err := r.a.drawTo(filepath.Join(r.o.plots, p.name+".svg"), p.write); err != nil {
			return err
		}
	}
	return nil
}

// mostClusterBars is how many clusters a picture has room for.
const mostClusterBars = 16
