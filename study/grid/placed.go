package grid

// PlacedJob is a job that a policy placed.
type PlacedJob struct {
	Policy        string  `json:"policy" help:"the policy"`
	JobID         int64   `json:"job_id" help:"the log's number of the job"`
	Partition     int64   `json:"partition_id" help:"the job's site in the log"`
	Size          int64   `json:"size" unit:"processors" help:"processors"`
	LogSubmit     float64 `json:"log_submit_time_s" help:"submission in the log, from its start"`
	Submit        float64 `json:"submit_time_s" help:"submission as simulated, later only under feedback"`
	Cluster       string  `json:"cluster" help:"the cluster that it was sent to"`
	Wait          float64 `json:"wait_time_s" help:"from submission to start"`
	Run           float64 `json:"run_time_s" help:"run time on the cluster"`
	PredictedWait float64 `json:"predicted_wait_s" help:"wait that was expected when it was sent"`
	PredictedRun  float64 `json:"predicted_run_s" help:"run time that was expected there"`
}

// EachPlaced calls f with the jobs that each policy placed, in the order of the log, until it
// returns an error.
func (r *Result) EachPlaced(f func(PlacedJob) error) error {
	for _, o := range r.Outcomes {
		for i, p := range o.Placements {
			if p.Cluster < 0 {
				continue
			}
			j := &r.Jobs[i]
			if err := f(PlacedJob{
				o.Policy.Name(), j.ID, j.Partition, j.Size, j.Submit, p.Submit, r.Grid.Clusters[p.Cluster].Name,
				p.Wait, p.Run, p.PredictedWait, p.PredictedRun,
			}); err != nil {
				return err
			}
		}
	}
	return nil
}
