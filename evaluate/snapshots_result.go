package evaluate

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/predict/snapshots"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// SnapshotsSchema names the JSON form of SnapshotsResult and its version.
const SnapshotsSchema = "loadstone.snapshot-scores/1"

// SnapshotsResult is how well waits were predicted from snapshots of a queue.
type SnapshotsResult struct {
	Schema    string                 `json:"schema"`
	Log       workload.Summary       `json:"log"`
	Options   SnapshotsRules         `json:"options"`
	Scores    []SnapshotsScore       `json:"scores"`
	Snapshots []SnapshotScores       `json:"snapshots"`
	Published []SnapshotsPublication `json:"published,omitempty"`
	Warnings  []workload.Warning     `json:"warnings,omitempty"`
}

// SnapshotsRules are the options of a result.
type SnapshotsRules struct {
	Mapping  string  `json:"mapping"`
	Quantile float64 `json:"quantile"`
	First    int     `json:"first_snapshot"`
	Seed     uint64  `json:"seed"`
}

// SnapshotScore is the score of one predictor on one snapshot.
type SnapshotScore struct {
	Predictor string `json:"predictor"`
	score.LogWait
}

// SnapshotsScore is the score of one predictor on all scored snapshots.
type SnapshotsScore struct {
	SnapshotScore
	// CoverageWorst is the lowest coverage of a snapshot, and WorstTime its time.
	CoverageWorst stats.Number `json:"coverage_worst"`
	WorstTime     stats.Number `json:"coverage_worst_time_s"`
}

// SnapshotScores are the scores of all predictors on one snapshot.
type SnapshotScores struct {
	Time    stats.Number    `json:"time_s"`
	Jobs    int             `json:"jobs"`
	Known   int             `json:"past_known"`   // rows of earlier snapshots whose job had started
	Waiting int             `json:"past_waiting"` // and those whose job was still waiting
	Scores  []SnapshotScore `json:"scores"`
}

// SnapshotsPublication is the score of a published predictor, on other days.
type SnapshotsPublication struct {
	Predictor    string  `json:"predictor"`
	Jobs         int     `json:"jobs"`
	SquaredError float64 `json:"mean_square_error_log10"`
	Within2      float64 `json:"within_2_pct"`
	Within3      float64 `json:"within_3_pct"`
	Source       string  `json:"source"`
}

// Score returns the score of a predictor, nil if it was not scored.
func (r *SnapshotsResult) Score(predictor string) *SnapshotsScore {
	for i := range r.Scores {
		if r.Scores[i].Predictor == predictor {
			return &r.Scores[i]
		}
	}
	return nil
}

// result summarises the snapshots.
func (s *snapshotsRun) result(name string) *SnapshotsResult {
	r := &s.out
	jobs := 0
	for _, part := range r.Snapshots {
		jobs += part.Jobs
	}
	r.Schema, r.Log = SnapshotsSchema, workload.Summary{Name: name, Jobs: jobs}
	r.Options = SnapshotsRules{s.table.Mapping.Name, s.o.Quantile, s.o.First, s.o.Seed}
	for i, p := range s.predictors {
		one := SnapshotsScore{SnapshotScore: SnapshotScore{p.Name(), s.all[i].Score()}, CoverageWorst: stats.Number(math.NaN()), WorstTime: stats.Number(math.NaN())}
		for _, part := range r.Snapshots {
			if c := part.Scores[i].Coverage; c == c && !(c >= one.CoverageWorst) {
				one.CoverageWorst, one.WorstTime = c, part.Time
			}
		}
		r.Scores = append(r.Scores, one)
	}
	r.Published = slices.Clone(published[s.table.Mapping.Name])
	if s.unscored > 0 {
		r.Warnings = append(r.Warnings, workload.Warning{Rule: "no-answer", Text: "rows without an outcome: not scored; their jobs count as still waiting", Count: s.unscored})
	}
	return r
}

// published are scores by the mapping of the data that they are on.
var published = map[string][]SnapshotsPublication{
	snapshots.SlurmQueueTime: {
		{"6-layer network", 15_042, 0.6583, 41.6, 59.9, "Popa and Alain, their test split of other days"},
		{"constant", 15_042, 0.4695, 44.7, 59.2, "the same days"},
		{"mean by partition", 15_042, 0.4076, 33.9, 56.4, "the same days"},
		{"ridge, penalty 100", 15_042, 0.421, 47.8, 64.0, "the same days"},
		{"ridge, penalty 10000", 15_042, 0.386, 32.9, 58.7, "the same days"},
	},
}
