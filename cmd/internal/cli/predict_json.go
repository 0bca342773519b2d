package cli

import (
	"math"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

const predictSchema = "loadstone.predict-scores/1"

type predictJSON struct {
	Schema     string              `json:"schema"`
	Log        workload.Summary    `json:"log"`
	Processors *int64              `json:"simulated_processors"`
	Sites      map[int64]int64     `json:"simulated_sites,omitempty"` // processors by partition
	Lifetimes  *predict.LawSummary `json:"lifetimes"`
	Quantile   float64             `json:"quantile"`
	Confidence float64             `json:"confidence"`
	Scores     []predictScoreJSON  `json:"scores"`

	FirstJobs int `json:"first_jobs,omitempty"` // these alone are replayed, of a larger log

	Parameters  string                   `json:"parameters"` // of the lifetimes: hindsight or previous
	Months      int                      `json:"interval_months,omitempty"`
	Each        int                      `json:"interval_jobs,omitempty"`
	Classes     []string                 `json:"classes"`   // columns, of the lifetimes
	Groups      []string                 `json:"groups"`    // columns, of the bounds; null is ranges of processors
	Changes     string                   `json:"changes"`   // when older waits no longer count
	Needed      *neededJSON              `json:"needed"`    // what jobs met at the head
	Threshold   *thresholdJSON           `json:"threshold"` // below which predictor A is used, by correlation
	Calibration []predictCalibrationJSON `json:"calibration"`

	Options   predictRulesJSON      `json:"options"`
	Bootstrap *predictBootstrapJSON `json:"bootstrap"` // of the intervals; null for none
}

type quartilesJSON struct {
	Mean   stats.Number `json:"mean"`
	Q25    stats.Number `json:"q25"`
	Median stats.Number `json:"median"`
	Q75    stats.Number `json:"q75"`
}

type neededJSON struct {
	Jobs        int           `json:"jobs"`
	Without     int           `json:"without_benefactor"`
	Processors  quartilesJSON `json:"processors_needed"`
	Benefactors quartilesJSON `json:"benefactors"`
}

type thresholdJSON struct {
	Needed         int64                `json:"processors_needed"`
	CorrelationLog stats.Number         `json:"correlation_log"`
	Ranges         []thresholdRangeJSON `json:"ranges"`
}

type thresholdRangeJSON struct {
	From int64        `json:"from"`
	To   *int64       `json:"to"` // not in it; null for no end
	Jobs int          `json:"jobs"`
	A    stats.Number `json:"correlation_log_a"`
	B    stats.Number `json:"correlation_log_b"`
}

type predictCalibrationJSON struct {
	Predictor string      `json:"predictor"`
	Waits     string      `json:"waits"`
	Curve     []curveJSON `json:"curve"`
}

type curveJSON struct {
	Asked    stats.Number `json:"asked"`
	Jobs     int          `json:"jobs"`
	Achieved stats.Number `json:"achieved"`
}

type predictPartJSON struct {
	By                string       `json:"by"`
	Part              string       `json:"part"`
	Jobs              int          `json:"jobs"`
	Predicted         int          `json:"predicted"`
	Coverage          stats.Number `json:"coverage"`
	AccuracyMean      stats.Number `json:"accuracy_mean"`
	AbsoluteErrorMean stats.Number `json:"absolute_error_mean_min"`
	CorrelationLog    stats.Number `json:"correlation_log"`
}

type predictScoreJSON struct {
	Predictor         string       `json:"predictor"`
	Waits             string       `json:"waits"` // which waits are predicted
	Jobs              int          `json:"jobs"`
	Predicted         int          `json:"predicted"`
	Coverage          stats.Number `json:"coverage"`
	NonZeroCoverage   stats.Number `json:"coverage_nonzero"`
	AccuracyMean      stats.Number `json:"accuracy_mean"`
	AbsoluteErrorMean stats.Number `json:"absolute_error_mean_min"`
	Under             stats.Number `json:"under_pct"`
	Perfect           stats.Number `json:"perfect_pct"`
	Over              stats.Number `json:"over_pct"`
	CorrelationLog    stats.Number `json:"correlation_log"`
	BiasSlope         stats.Number `json:"bias_slope"`
	BiasIntercept     stats.Number `json:"bias_intercept"`

	Tightness     stats.Number `json:"tightness_median"` // of a bound: bound over wait
	TightnessMean stats.Number `json:"tightness_geometric_mean"`

	// The ends of 95 % intervals; of coverage only of bounds.
	AccuracyLow        stats.Number `json:"accuracy_low"`
	AccuracyHigh       stats.Number `json:"accuracy_high"`
	CoverageLow        stats.Number `json:"coverage_low"`
	CoverageHigh       stats.Number `json:"coverage_high"`
	CorrelationLogLow  stats.Number `json:"correlation_log_low"`
	CorrelationLogHigh stats.Number `json:"correlation_log_high"`

	Parts []predictPartJSON `json:"parts"`

	// With parameters of the interval before: those of the same interval, on the same waits.
	SameCorrelationLog *stats.Number `json:"correlation_log_same_interval,omitempty"`
	CorrelationLogLoss *stats.Number `json:"correlation_log_loss,omitempty"` // that less correlation_log

	Sums score.SumsText `json:"sums,omitempty"` // by what the bootstrap draws
}

func (s predictScore) json() predictScoreJSON {
	nan, in := stats.Number(math.NaN()), s.intervals
	var parts []predictPartJSON
	for _, p := range s.parts {
		if b := p.bound; b != nil {
			parts = append(parts, predictPartJSON{p.by, p.part, b.Jobs, b.Predicted, stats.Number(b.Coverage), stats.Number(b.AccuracyMean), stats.Number(b.AbsoluteErrorMean), nan})
		} else {
			w := p.wait
			parts = append(parts, predictPartJSON{p.by, p.part, w.Jobs, w.Predicted, stats.Number(w.Coverage), stats.Number(w.AccuracyMean), stats.Number(w.AbsoluteErrorMean), stats.Number(w.CorrelationLog)})
		}
	}
	if b := s.bound; b != nil {
		return predictScoreJSON{s.predictor, s.waits, b.Jobs, b.Predicted, stats.Number(b.Coverage), stats.Number(b.NonZeroCoverage),
			stats.Number(b.AccuracyMean), stats.Number(b.AbsoluteErrorMean), stats.Number(b.UnderPct), stats.Number(b.PerfectPct), stats.Number(b.OverPct), nan, nan, nan,
			stats.Number(s.tightness.Median), stats.Number(s.tightness.Mean),
			stats.Number(in.Accuracy.Low), stats.Number(in.Accuracy.High), stats.Number(in.Held.Low), stats.Number(in.Held.High), nan, nan, parts, nil, nil, nil}
	}
	w := s.wait
	var same, loss *stats.Number
	if s.same != nil {
		c := stats.Number(s.same.CorrelationLog)
		d := c - stats.Number(w.CorrelationLog)
		same, loss = &c, &d
	}
	return predictScoreJSON{s.predictor, s.waits, w.Jobs, w.Predicted, stats.Number(w.Coverage), nan,
		stats.Number(w.AccuracyMean), stats.Number(w.AbsoluteErrorMean), stats.Number(w.UnderPct), stats.Number(w.PerfectPct), stats.Number(w.OverPct),
		stats.Number(w.CorrelationLog), stats.Number(w.BiasSlope), stats.Number(w.BiasIntercept), nan, nan,
		stats.Number(in.Accuracy.Low), stats.Number(in.Accuracy.High), nan, nan, stats.Number(in.CorrelationLog.Low), stats.Number(in.CorrelationLog.High), parts, same, loss, nil}
}

func neededJSONOf(n score.Needed) *neededJSON {
	spread := func(s score.Quartiles) quartilesJSON {
		return quartilesJSON{stats.Number(s.Mean), stats.Number(s.Q25), stats.Number(s.Median), stats.Number(s.Q75)}
	}
	return &neededJSON{n.Jobs, n.WithoutBenefactor, spread(n.Needed), spread(n.Benefactor)}
}

// thresholdEdges divide n' for the correlations by range.
var thresholdEdges = []int64{2, 4, 8, 16, 32, 64, 128}

// thresholdJSONOf is nil where there is no best threshold.
func thresholdJSONOf(t *predict.Threshold) *thresholdJSON {
	best, ok := t.Best()
	if !ok {
		return nil
	}
	js := &thresholdJSON{Needed: best.Needed, CorrelationLog: stats.Number(best.CorrelationLog)}
	for _, x := range t.Ranges(thresholdEdges) {
		row := thresholdRangeJSON{From: x.From, Jobs: x.Jobs, A: stats.Number(x.A), B: stats.Number(x.B)}
		if x.To > 0 {
			row.To = &x.To
		}
		js.Ranges = append(js.Ranges, row)
	}
	return js
}

func (c predictCalibration) json() predictCalibrationJSON {
	js := predictCalibrationJSON{Predictor: c.predictor, Waits: c.waits}
	for _, x := range c.curve {
		js.Curve = append(js.Curve, curveJSON{stats.Number(x.Asked), x.Jobs, stats.Number(x.Achieved)})
	}
	return js
}

func (r *predictRun) json() predictJSON {
	js := predictJSON{Schema: predictSchema, Log: workload.Summary{Name: r.o.input, Jobs: r.jobs}, Quantile: r.o.quantile, Confidence: r.o.confidence,
		Parameters: r.o.parameters, Each: r.o.each, Classes: r.o.classes, Groups: r.o.groups, Changes: r.o.changes,
		Sites: r.o.sites, Options: r.o.rules(), Bootstrap: r.bootstrap()}
	if r.cut {
		js.FirstJobs = r.jobs
	}
	if r.o.parameters == previous && r.o.each == 0 {
		js.Months = r.o.months
	}
	if r.processors > 0 {
		js.Processors = &r.processors
	}
	if r.lifetimes != nil {
		js.Lifetimes = predict.Summarize(r.lifetimes)
	}
	if r.needed.Jobs > 0 {
		js.Needed = neededJSONOf(r.needed)
	}
	if r.threshold != nil {
		js.Threshold = thresholdJSONOf(r.threshold)
	}
	if r.o.calibrate { // else it is only drawn
		for _, c := range r.calibration {
			js.Calibration = append(js.Calibration, c.json())
		}
	}
	for _, s := range r.scores {
		j := s.json()
		if js.Bootstrap != nil {
			j.Sums = s.followed.blocks.Clusters().Text(true)
		}
		js.Scores = append(js.Scores, j)
	}
	return js
}
