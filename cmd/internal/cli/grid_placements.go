package cli

import (
	"io"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
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
func (a *app) writePlacements(path string, r *grid.Result) error {
	format, err := plainFormat("placements", path)
	if err != nil {
		return flags.Usage(a.cmd, err)
	}
	return a.writeFile(path, func(w io.Writer) error {
		t, err := columnar.NewPlainTable(format, w, gridPlacementsSchema, gridPlacementColumns)
		if err != nil {
			return err
		}
		for _, o := range r.Outcomes {
			for i, p := range o.Placements {
				if p.Cluster < 0 || t.Err() != nil {
					continue
				}
				j := &r.Jobs[i]
				t.Text(o.Policy.Name())
				t.Int(j.ID)
				t.Int(j.Partition)
				t.Int(j.Size)
				t.Float(j.Submit)
				t.Text(r.Grid.Clusters[p.Cluster].Name)
				t.Float(p.Wait)
				t.Float(p.Run)
				t.Float(p.PredictedWait)
				t.Float(p.PredictedRun)
			}
		}
		return t.Close()
	})
}
