package tables

import (
	"time"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
)

// snapshotColumns are those of a predictor's score on some snapshots.
var snapshotColumns = []present.Column[evaluate.SnapshotScore]{
	present.Text("predictor", "predictor", func(s evaluate.SnapshotScore) string { return s.Predictor }),
	present.Count("jobs", "jobs", func(s evaluate.SnapshotScore) int { return s.Jobs }),
	present.Count("predicted", "", func(s evaluate.SnapshotScore) int { return s.Predicted }),
	present.Float("mean_square_error_log10", "mean sq. error of log10", func(s evaluate.SnapshotScore) stats.Number { return s.SquaredError }, fixed4),
	present.Float("within_2_pct", "within x2", func(s evaluate.SnapshotScore) stats.Number { return s.Within2 }, present.Percent[float64]),
	present.Float("within_3_pct", "within x3", func(s evaluate.SnapshotScore) stats.Number { return s.Within3 }, present.Percent[float64]),
	present.Count("bounded", "", func(s evaluate.SnapshotScore) int { return s.Bounded }),
	present.Float("coverage", "covered", func(s evaluate.SnapshotScore) stats.Number { return s.Coverage }, share),
	present.Time("bound_median_s", "median bound", func(s evaluate.SnapshotScore) stats.Number { return s.BoundMedian }, second),
	present.Float("bound_loss_log10", "", func(s evaluate.SnapshotScore) stats.Number { return s.BoundLoss }, nil),
}

// SnapshotsColumns are those of a predictor's score on all snapshots.
func SnapshotsColumns() []present.Column[evaluate.SnapshotsScore] {
	type s = evaluate.SnapshotsScore
	var columns []present.Column[s]
	for _, c := range snapshotColumns {
		columns = append(columns, present.Of(c, func(s s) evaluate.SnapshotScore { return s.SnapshotScore }))
	}
	return append(columns, present.Float("coverage_worst", "worst snapshot", func(s s) stats.Number { return s.CoverageWorst }, share))
}

func fixed4(x float64) string { return present.Fixed(x, 4) }

func share(x float64) string { return present.Percent(100 * x) }

// moment is the date of a time if it is likely to be one, seconds otherwise.
func moment(t stats.Number) string {
	const year2000 = 946_684_800
	if t < year2000 {
		return present.Sig(t) + " s"
	}
	return time.Unix(int64(t), 0).UTC().Format("2006-01-02 15:04")
}

// Snapshots is how well waits were predicted from snapshots of a queue. CSV has a row
// for each predictor on each snapshot, and on all of them.
func Snapshots(r *evaluate.SnapshotsResult) present.Result {
	type row struct {
		part *evaluate.SnapshotScores // nil for all
		s    evaluate.SnapshotScore
	}
	columns := []present.Column[row]{present.Text("snapshot", "", func(r row) string {
		if r.part == nil {
			return "all"
		}
		return moment(r.part.Time)
	})}
	for _, c := range snapshotColumns {
		columns = append(columns, present.Of(c, func(r row) evaluate.SnapshotScore { return r.s }))
	}
	var rows []row
	for _, s := range r.Scores {
		rows = append(rows, row{nil, s.SnapshotScore})
	}
	for i := range r.Snapshots {
		for _, s := range r.Snapshots[i].Scores {
			rows = append(rows, row{&r.Snapshots[i], s})
		}
	}
	return present.Result{JSON: r, CSV: present.CSV(columns, rows), Text: func(w *present.Screen) { printSnapshots(w, r) }}
}

func printSnapshots(w *present.Screen, r *evaluate.SnapshotsResult) {
	w.Table(present.People(SnapshotsColumns(), r.Scores))
	w.Printf("\n")
	learner := r.Scores[0].Predictor
	type part = evaluate.SnapshotScores
	of := func(c present.Column[evaluate.SnapshotScore]) present.Column[part] {
		return present.Of(c, func(p part) evaluate.SnapshotScore { return p.Scores[0] })
	}
	parts := []present.Column[part]{
		present.Text("", learner+" by snapshot", func(p part) string { return moment(p.Time) }),
		present.Count("", "jobs", func(p part) int { return p.Jobs }),
		present.Count("", "known before", func(p part) int { return p.Known }),
		present.Count("", "still waiting", func(p part) int { return p.Waiting }),
	}
	for _, c := range snapshotColumns {
		if c.Heading != "predictor" && c.Heading != "jobs" {
			parts = append(parts, of(c))
		}
	}
	w.Table(present.People(parts, r.Snapshots))
	if len(r.Published) == 0 {
		return
	}
	w.Printf("\npublished, on other days:\n")
	type published = evaluate.SnapshotsPublication
	w.Table(present.People([]present.Column[published]{
		present.Text("", "predictor", func(p published) string { return p.Predictor }),
		present.Count("", "jobs", func(p published) int { return p.Jobs }),
		present.Text("", "mean sq. error of log10", func(p published) string { return present.Fixed(p.SquaredError, 4) }),
		present.Text("", "within x2", func(p published) string { return present.Percent(p.Within2) }),
		present.Text("", "within x3", func(p published) string { return present.Percent(p.Within3) }),
		present.Text("", "source", func(p published) string { return p.Source }),
	}, r.Published))
}

// SnapshotPredictions has a row for each prediction on snapshots.
var SnapshotPredictions = columnar.PlainForm[evaluate.SnapshotPrediction]{Schema: "loadstone.snapshot-predictions/1", Fields: []columnar.PlainField[evaluate.SnapshotPrediction]{
	columnar.FloatField("snapshot_time_s", "s", "moment of the snapshot", func(p *evaluate.SnapshotPrediction) float64 { return p.Row.Time }),
	columnar.TextField("group", "the job's group", func(p *evaluate.SnapshotPrediction) string { return p.Group }),
	columnar.TextField("predictor", "the predictor", func(p *evaluate.SnapshotPrediction) string { return p.Predictor }),
	columnar.FloatField("predicted_s", "s", "predicted time from the snapshot to the start", func(p *evaluate.SnapshotPrediction) float64 { return p.Seconds }),
	columnar.FloatField("bound_s", "s", "bound of it", func(p *evaluate.SnapshotPrediction) float64 { return p.Bound }),
	columnar.FloatField("actual_s", "s", "time from the snapshot to the start", func(p *evaluate.SnapshotPrediction) float64 { return p.Row.Wait }),
}}
