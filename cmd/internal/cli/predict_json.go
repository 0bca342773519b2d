package cli

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/score"
)

const predictSchema = "loadstone.predict-scores/1"

type predictJSON struct {
	Schema     string             `json:"schema"`
	Log        logJSON            `json:"log"`
	Processors *int64             `json:"simulated_processors"`
	Sites      map[int64]int64    `json:"simulated_sites,omitempty"` // processors by partition
	Lifetimes  *lifetimesJSON     `json:"lifetimes"`
	Quantile   float64            `json:"quantile"`
	Confidence float64            `json:"confidence"`
	Scores     []predictScoreJSON `json:"scores"`

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
	Mean   number `json:"mean"`
	Q25    number `json:"q25"`
	Median number `json:"median"`
	Q75    number `json:"q75"`
}

type neededJSON struct {
	Jobs        int           `json:"jobs"`
	Without     int           `json:"without_benefactor"`
	Processors  quartilesJSON `json:"processors_needed"`
	Benefactors quartilesJSON `json:"benefactors"`
}

type thresholdJSON struct {
	Needed         int64                `json:"processors_needed"`
	CorrelationLog number               `json:"correlation_log"`
	Ranges         []thresholdRangeJSON `json:"ranges"`
}

type thresholdRangeJSON struct {
	From int64  `json:"from"`
	To   *int64 `json:"to"` // not in it; null for no end
	Jobs int    `json:"jobs"`
	A    number `json:"correlation_log_a"`
	B    number `json:"correlation_log_b"`
}

type predictCalibrationJSON struct {
	Predictor string      `json:"predictor"`
	Waits     string      `json:"waits"`
	Curve     []curveJSON `json:"curve"`
}

type curveJSON struct {
	Asked    number `json:"asked"`
	Jobs     int    `json:"jobs"`
	Achieved number `json:"achieved"`
}

type predictPartJSON struct {
	By                string `json:"by"`
	Part              string `json:"part"`
	Jobs              int    `json:"jobs"`
	Predicted         int    `json:"predicted"`
	Coverage          number `json:"coverage"`
	AccuracyMean      number `json:"accuracy_mean"`
	AbsoluteErrorMean number `json:"absolute_error_mean_min"`
	CorrelationLog    number `json:"correlation_log"`
}

type lifetimesJSON struct {
	Family    string `json:"family"`
	Intercept number `json:"intercept"`
	Slope     number `json:"slope"`
	TMin      number `json:"t_min_s"`
	TMax      number `json:"t_max_s"`
}

func lifetimesJSONOf(l *fit.Report) *lifetimesJSON {
	if law, ok := l.Law.(dist.UniformLog); ok {
		return &lifetimesJSON{l.Family, number(law.Intercept()), number(law.Slope()), number(law.TMin), number(law.TMax)}
	}
	nan := number(math.NaN())
	return &lifetimesJSON{l.Family, nan, nan, nan, nan}
}

type predictScoreJSON struct {
	Predictor         string `json:"predictor"`
	Waits             string `json:"waits"` // which waits are predicted
	Jobs              int    `json:"jobs"`
	Predicted         int    `json:"predicted"`
	Coverage          number `json:"coverage"`
	NonZeroCoverage   number `json:"coverage_nonzero"`
	AccuracyMean      number `json:"accuracy_mean"`
	AbsoluteErrorMean number `json:"absolute_error_mean_min"`
	Under             number `json:"under_pct"`
	Perfect           number `json:"perfect_pct"`
	Over              number `json:"over_pct"`
	CorrelationLog    number `json:"correlation_log"`
	BiasSlope         number `json:"bias_slope"`
	BiasIntercept     number `json:"bias_intercept"`

	Tightness     number `json:"tightness_median"` // of a bound: bound over wait
	TightnessMean number `json:"tightness_geometric_mean"`

	// The ends of 95 % intervals; of coverage only of bounds.
	AccuracyLow        number `json:"accuracy_low"`
	AccuracyHigh       number `json:"accuracy_high"`
	CoverageLow        number `json:"coverage_low"`
	CoverageHigh       number `json:"coverage_high"`
	CorrelationLogLow  number `json:"correlation_log_low"`
	CorrelationLogHigh number `json:"correlation_log_high"`

	Parts []predictPartJSON `json:"parts"`

	// With parameters of the interval before: those of the same interval, on the same waits.
	SameCorrelationLog *number `json:"correlation_log_same_interval,omitempty"`
	CorrelationLogLoss *number `json:"correlation_log_loss,omitempty"` // that less correlation_log

	Sums score.SumsText `json:"sums,omitempty"` // by what the bootstrap draws
}

func (s predictScore) json() predictScoreJSON {
	nan, in := number(math.NaN()), s.intervals
	var parts []predictPartJSON
	for _, p := range s.parts {
		if b := p.bound; b != nil {
			parts = append(parts, predictPartJSON{p.by, p.part, b.Jobs, b.Predicted, number(b.Coverage), number(b.AccuracyMean), number(b.AbsoluteErrorMean), nan})
		} else {
			w := p.wait
			parts = append(parts, predictPartJSON{p.by, p.part, w.Jobs, w.Predicted, number(w.Coverage), number(w.AccuracyMean), number(w.AbsoluteErrorMean), number(w.CorrelationLog)})
		}
	}
	if b := s.bound; b != nil {
		return predictScoreJSON{s.predictor, s.waits, b.Jobs, b.Predicted, number(b.Coverage), number(b.NonZeroCoverage),
			number(b.AccuracyMean), number(b.AbsoluteErrorMean), number(b.UnderPct), number(b.PerfectPct), number(b.OverPct), nan, nan, nan,
			number(s.tightness.Median), number(s.tightness.Mean),
			number(in.Accuracy.Low), number(in.Accuracy.High), number(in.Held.Low), number(in.Held.High), nan, nan, parts, nil, nil, nil}
	}
	w := s.wait
	var same, loss *number
	if s.same != nil {
		c := number(s.same.CorrelationLog)
		d := c - number(w.CorrelationLog)
		same, loss = &c, &d
	}
	return predictScoreJSON{s.predictor, s.waits, w.Jobs, w.Predicted, number(w.Coverage), nan,
		number(w.AccuracyMean), number(w.AbsoluteErrorMean), number(w.UnderPct), number(w.PerfectPct), number(w.OverPct),
		number(w.CorrelationLog), number(w.BiasSlope), number(w.BiasIntercept), nan, nan,
		number(in.Accuracy.Low), number(in.Accuracy.High), nan, nan, number(in.CorrelationLog.Low), number(in.CorrelationLog.High), parts, same, loss, nil}
}

func neededJSONOf(n score.Needed) *neededJSON {
	spread := func(s score.Quartiles) quartilesJSON {
		return quartilesJSON{number(s.Mean), number(s.Q25), number(s.Median), number(s.Q75)}
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
	js := &thresholdJSON{Needed: best.Needed, CorrelationLog: number(best.CorrelationLog)}
	for _, x := range t.Ranges(thresholdEdges) {
		row := thresholdRangeJSON{From: x.From, Jobs: x.Jobs, A: number(x.A), B: number(x.B)}
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
		js.Curve = append(js.Curve, curveJSON{number(x.Asked), x.Jobs, number(x.Achieved)})
	}
	return js
}

func (r *predictRun) json() predictJSON {
	js := predictJSON{Schema: predictSchema, Log: logJSON{Name: r.o.input, Jobs: r.jobs}, Quantile: r.o.quantile, Confidence: r.o.confidence,
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
		js.Lifetimes = lifetimesJSONOf(r.lifetimes)
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
