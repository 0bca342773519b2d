package allocate

// PlacedJob is a job of a workload under a strategy.
type PlacedJob struct {
	Swept       float64 `json:"swept_value" help:"value of the parameter that --sweep varies"` // NaN without one
	Seed        int64   `json:"seed" help:"seed of the workload"`                              // workload.Unknown for a log
	ID          int64   `json:"job_id" help:"number of the job"`
	Strategy    string  `json:"strategy" help:"the strategy"`
	Side        string  `json:"side" help:"application: the job alone chose so on avg's schedule; system: all jobs did"`
	Kind        string  `json:"kind" help:"spoiled, docile or rebel"`
	Sequential  float64 `json:"sequential_time_s" help:"run time on one processor"`
	Parallelism float64 `json:"average_parallelism" unit:"processors" help:"average parallelism"`
	Sigma       float64 `json:"sigma" unit:"1" help:"variance of parallelism"`
	Submit      float64 `json:"submit_time_s" help:"submission, from the first day's begin"`
	Wait        float64 `json:"wait_time_s" help:"time from the submission to the start"`
	Run         float64 `json:"run_time_s" help:"run time on the processors it got"`
	Size        int     `json:"processors" unit:"processors" help:"processors it got"`
	Offered     int     `json:"offered_processors" unit:"processors" help:"free when it could first choose, at most what it can use"`
	Chosen      int     `json:"chosen_processors" unit:"processors" help:"what it chose then"`
	Saved       float64 `json:"saved_s" help:"how much sooner than under avg it ends after its submission"`
}

// each calls f with the jobs of a workload under each strategy, alone and all together, until
// it returns an error.
func (o *Outcome) each(swept float64, seed int64, jobs []Job, f func(PlacedJob) error) error {
	for k := range o.Rows {
		row := &o.Rows[k]
		for side, placed := range [][]Placement{row.Alone, row.Schedule} {
			for i := range jobs {
				j, p := &jobs[i], &placed[i]
				if err := f(PlacedJob{
					swept, seed, j.ID, row.Strategy.Name, []string{"application", "system"}[side], p.Kind(), j.Sequential, j.Parallelism, j.Sigma,
					p.Submit, p.Start - p.Submit, p.Run, p.Size, p.Offered, p.Chosen, p.Saved(&o.Schedule[i]),
				}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
