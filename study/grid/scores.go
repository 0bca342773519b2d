package grid

import (
	"math"

	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Tau is the threshold of bounded slowdown in seconds, as used for grids by Sonmez and
// others (2009), equation 2.
const Tau = 60

// Score contains the scores of one policy on the jobs of a grid: a row of table 6
// of Sonmez and others (2009) and its details. Run times are those on the
// clusters, so Utilisation is the share of the processors' time that jobs held.
type Score struct {
	Policy          string       `json:"policy" show:"policy"`
	Jobs            int          `json:"jobs"`
	Response        score.Spread `json:"response_s" row:"prefix" show:"response,s" only:"mean"`
	Wait            score.Spread `json:"wait_s" row:"prefix" show:"wait,s" only:"mean q95"`
	BoundedSlowdown score.Spread `json:"bounded_slowdown" row:"prefix" show:"slowdown" only:"mean"`
	WaitedPct       stats.Number `json:"waited_pct" show:"waited,%"`
	Utilisation     stats.Number `json:"utilisation" show:"utilisation,share"`

	// Predicted is the number of jobs with predictions. RunAccuracyMean is the
	// mean accuracy of their predicted run times, in [0, 1]; WaitAccuracyMean is
	// that of their predicted waits, over jobs with a wait above 0; WaitErrorMean is
	// the mean absolute error of all predicted waits, in seconds. The means are NaN
	// without predictions.
	Predicted        int          `json:"predicted"`
	RunAccuracyMean  stats.Number `json:"run_time_accuracy_mean" show:"run accuracy"`
	WaitAccuracyMean stats.Number `json:"wait_accuracy_mean"`
	WaitErrorMean    stats.Number `json:"wait_absolute_error_mean_s" show:"wait error,s"`

	Clusters      []ClusterScores             `json:"clusters" row:"named" csv:"jobs"`
	Distributions score.ScheduleDistributions `json:"distributions"`
}

// ClusterScores contains the scores of one cluster of a grid.
type ClusterScores struct {
	Name        string       `json:"name"`
	Jobs        int          `json:"jobs"`
	JobsPct     stats.Number `json:"jobs_pct"`    // of all jobs that started, %
	WaitMean    stats.Number `json:"wait_mean_s"` // s
	Utilisation stats.Number `json:"utilisation"` // in [0, 1], from the first submission to the last end on the grid
}

// tally accumulates the scores of a broker and its clusters.
type tally struct {
	grid     *Grid
	schedule score.ScheduleTally
	clusters []clusterTally
	runs     score.RunTimeTally
	waits    score.WaitTally
	missed   stats.Moments // absolute errors of predicted waits, s
}

type clusterTally struct {
	wait stats.Moments
	work float64 // processor seconds
}

func newTally(g *Grid) *tally {
	return &tally{grid: g, schedule: score.ScheduleTally{Tau: Tau, Processors: g.Processors()}, clusters: make([]clusterTally, len(g.Clusters))}
}

// add adds a job with its wait and run time on a cluster, and the predictions
// of both in seconds, NaN if there are none. It skips the jobs that
// score.ScheduleTally.Add skips.
func (t *tally) add(j *workload.Job, cluster int, predictedWait, predictedRun float64) {
	if !t.schedule.Add(j) {
		return
	}
	c := &t.clusters[cluster]
	c.wait.Add(j.Wait)
	if j.Size > 0 {
		c.work += float64(j.Size) * j.Run
	}
	t.runs.Add(predictedRun, j.Run)
	if miss := math.Abs(predictedWait - j.Wait); !math.IsNaN(miss) && !math.IsInf(miss, 0) {
		t.missed.Add(miss)
	}
	if j.Wait > 0 {
		t.waits.Add(predictedWait, j.Wait)
	}
}

// result returns the scores of the jobs so far.
func (t *tally) result(policy string) Score {
	s, r := t.schedule.Result(), t.runs.Result()
	all := Score{
		Policy: policy, Jobs: s.Jobs, Wait: s.Wait, Response: s.Response, BoundedSlowdown: s.BoundedSlowdown, WaitedPct: s.WaitedPct, Utilisation: s.Utilisation,
		Predicted: r.Predicted, RunAccuracyMean: r.AccuracyMean, WaitAccuracyMean: t.waits.Result().AccuracyMean, WaitErrorMean: stats.Number(t.missed.Mean()),
		Distributions: t.schedule.Distributions(),
	}
	for i, c := range t.clusters {
		cluster := t.grid.Clusters[i]
		scores := ClusterScores{
			Name: cluster.Name, Jobs: c.wait.N(), JobsPct: stats.Number(100 * (float64(c.wait.N()) / float64(s.Jobs))),
			WaitMean: stats.Number(c.wait.Mean()), Utilisation: stats.Number(math.NaN()),
		}
		if span := float64(s.Last - s.First); span > 0 {
			scores.Utilisation = stats.Number(c.work / (span * float64(cluster.Processors)))
		}
		all.Clusters = append(all.Clusters, scores)
	}
	return all
}
