package tables

import (
	"github.com/loadstone-hpc/loadstone/study/grid"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
)

// Placement is a job that a policy placed.
type Placement struct {
	policy, cluster string
	job             *workload.Job
	grid.Placement
}

// Placements has a row for each policy and job that it placed (SavePlacements).
var Placements = columnar.PlainForm[Placement]{Schema: "loadstone.grid-placements/1", Fields: []columnar.PlainField[Placement]{
	columnar.TextField("policy", "the policy", func(r *Placement) string { return r.policy }),
	columnar.IntField("job_id", "", "the log's number of the job", func(r *Placement) int64 { return r.job.ID }),
	columnar.IntField("partition_id", "", "the job's site in the log", func(r *Placement) int64 { return r.job.Partition }),
	columnar.IntField("size", "processors", "processors", func(r *Placement) int64 { return r.job.Size }),
	columnar.FloatField("log_submit_time_s", "s", "submission in the log, from its start", func(r *Placement) float64 { return r.job.Submit }),
	columnar.FloatField("submit_time_s", "s", "submission as simulated, later only under feedback", func(r *Placement) float64 { return r.Submit }),
	columnar.TextField("cluster", "the cluster that it was sent to", func(r *Placement) string { return r.cluster }),
	columnar.FloatField("wait_time_s", "s", "from submission to start", func(r *Placement) float64 { return r.Wait }),
	columnar.FloatField("run_time_s", "s", "run time on the cluster", func(r *Placement) float64 { return r.Run }),
	columnar.FloatField("predicted_wait_s", "s", "wait that was expected when it was sent", func(r *Placement) float64 { return r.PredictedWait }),
	columnar.FloatField("predicted_run_s", "s", "run time that was expected there", func(r *Placement) float64 { return r.PredictedRun }),
}}

// SavePlacements saves the jobs that were placed, in the order of the log.
func SavePlacements(save func(Placement) error, r *grid.Result) error {
	for _, o := range r.Outcomes {
		for i, p := range o.Placements {
			if p.Cluster < 0 {
				continue
			}
			if err := save(Placement{o.Policy.Name(), r.Grid.Clusters[p.Cluster].Name, &r.Jobs[i], p}); err != nil {
				return err
			}
		}
	}
	return nil
}
