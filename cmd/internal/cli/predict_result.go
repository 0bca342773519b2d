package cli

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
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
}

// The waits that are predicted.
const (
	waitsAtHead = "simulated-fcfs-head"
	waitsQueued = "simulated-fcfs"
	waitsOfLog  = "log"

	waitsQueuedEASY = "simulated-easy"
)

// policyOf is the policy of a simulated queue.
var policyOf = map[string]string{waitsAtHead: "FCFS", waitsQueued: "FCFS", waitsQueuedEASY: "EASY"}

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
			number(in.Accuracy.Low), number(in.Accuracy.High), number(in.Held.Low), number(in.Held.High), nan, nan, parts, nil, nil}
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
		number(in.Accuracy.Low), number(in.Accuracy.High), nan, nan, number(in.CorrelationLog.Low), number(in.CorrelationLog.High), parts, same, loss}
}

// thresholdEdges divide n' for the correlations by range.
var thresholdEdges = []int64{2, 4, 8, 16, 32, 64, 128}

func (r *predictRun) result() result {
	js := predictJSON{Schema: predictSchema, Log: logJSON{r.o.input, r.jobs}, Quantile: r.o.quantile, Confidence: r.o.confidence,
		Parameters: r.o.parameters, Classes: r.o.classes, Groups: r.o.groups, Changes: r.o.changes}
	js.Sites = r.o.sites
	if r.cut {
		js.FirstJobs = r.jobs
	}
	if js.Each = r.o.each; r.o.parameters == previous && js.Each == 0 {
		js.Months = r.o.months
	}
	if r.processors > 0 {
		js.Processors = &r.processors
	}
	law, isUniformLog := dist.UniformLog{}, false
	if l := r.lifetimes; l != nil {
		law, isUniformLog = l.Law.(dist.UniformLog)
		js.Lifetimes = lifetimesJSONOf(l)
	}
	if n := r.needed; n.Jobs > 0 {
		spread := func(s score.Quartiles) quartilesJSON {
			return quartilesJSON{number(s.Mean), number(s.Q25), number(s.Median), number(s.Q75)}
		}
		js.Needed = &neededJSON{n.Jobs, n.WithoutBenefactor, spread(n.Needed), spread(n.Benefactor)}
	}
	if r.threshold != nil {
		if best, ok := r.threshold.Best(); ok {
			js.Threshold = &thresholdJSON{Needed: best.Needed, CorrelationLog: number(best.CorrelationLog)}
			for _, x := range r.threshold.Ranges(thresholdEdges) {
				row := thresholdRangeJSON{From: x.From, Jobs: x.Jobs, A: number(x.A), B: number(x.B)}
				if x.To > 0 {
					row.To = &x.To
				}
				js.Threshold.Ranges = append(js.Threshold.Ranges, row)
			}
		}
	}
	js.Options, js.Bootstrap = r.o.rules(), r.bootstrap()
	for _, c := range r.calibration {
		if !r.o.calibrate {
			break // only drawn
		}
		row := predictCalibrationJSON{Predictor: c.predictor, Waits: c.waits}
		for _, x := range c.curve {
			row.Curve = append(row.Curve, curveJSON{number(x.Asked), x.Jobs, number(x.Achieved)})
		}
		js.Calibration = append(js.Calibration, row)
	}
	csv := table{head: []string{"predictor", "waits", "jobs", "predicted", "coverage", "coverage_nonzero", "accuracy_mean", "absolute_error_mean_min",
		"under_pct", "perfect_pct", "over_pct", "correlation_log", "bias_slope", "bias_intercept",
		"accuracy_low", "accuracy_high", "coverage_low", "coverage_high", "correlation_log_low", "correlation_log_high"}}
	people := table{head: []string{"predictor", "waits", "jobs", "predicted", "covered", "accuracy", "abs. error mean", "under", "perfect", "over", "cc of logs"}}
	another := slices.ContainsFunc(r.scores, func(s predictScore) bool { return s.same != nil })
	if another {
		people.head = append(people.head, "same interval", "loss")
	}
	for _, s := range r.scores {
		j := s.json()
		js.Scores = append(js.Scores, j)
		left := []string{j.Predictor, j.Waits, strconv.Itoa(j.Jobs), strconv.Itoa(j.Predicted)}
		exact, short := left[:4:4], left[:4:4]
		for _, x := range []number{j.Coverage, j.NonZeroCoverage, j.AccuracyMean, j.AbsoluteErrorMean, j.Under, j.Perfect, j.Over, j.CorrelationLog, j.BiasSlope, j.BiasIntercept,
			j.AccuracyLow, j.AccuracyHigh, j.CoverageLow, j.CoverageHigh, j.CorrelationLogLow, j.CorrelationLogHigh} {
			exact = append(exact, x.text())
		}
		csv.add(exact...)
		covered := "-" // only a bound covers; "predicted" says how many a predictor had an answer for
		if s.bound != nil {
			covered = percent(100 * float64(j.Coverage))
		}
		short = append(short, covered, fixed(float64(j.AccuracyMean), 4), minutes(j.AbsoluteErrorMean),
			percent(float64(j.Under)), percent(float64(j.Perfect)), percent(float64(j.Over)), fixed(float64(j.CorrelationLog), 3))
		switch {
		case j.SameCorrelationLog != nil:
			short = append(short, fixed(float64(*j.SameCorrelationLog), 3), fixed(float64(*j.CorrelationLogLoss), 3))
		case another:
			short = append(short, "-", "-")
		}
		people.add(short...)
	}
	text := func(w io.Writer) error {
		var line string
		switch {
		case isUniformLog:
			line = fmt.Sprintf("lifetimes: uniform-log from %s s to %s s; ", sig(law.TMin), sig(law.TMax))
		case r.lifetimes != nil:
			line = "lifetimes: " + r.lifetimes.Family + "; "
		case r.needed.Jobs > 0:
			line = "lifetimes: " + r.o.law + " of the interval before; "
		}
		if r.processors > 0 {
			if _, err := fmt.Fprintf(w, "%s%s on %d processors\n\n", line, r.policies(), r.processors); err != nil {
				return err
			}
		} else if where := r.siteText(); where != "" {
			if _, err := fmt.Fprintf(w, "%s on %s\n\n", r.policies(), where); err != nil {
				return err
			}
		}
		if err := people.writeTo(w); err != nil {
			return err
		}
		return r.extras(w)
	}
	return result{text: text, json: js, csv: csv}
}

// policies are those of the simulated queues.
func (r *predictRun) policies() string {
	var names []string
	for _, s := range r.scores {
		name := policyOf[s.waits]
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, " and ")
}

// siteText says which machines have the simulated queues of sites.
func (r *predictRun) siteText() string {
	switch {
	case r.o.sites == nil || r.policies() == "":
		return ""
	case len(r.o.sites) == 0:
		return fmt.Sprintf("%d processors a site", r.o.processors)
	case r.o.processors > 0:
		return fmt.Sprintf("the sites %s and others of %d processors", siteSizes(r.o.sites), r.o.processors)
	}
	return "the sites " + siteSizes(r.o.sites)
}

// extras are the tables that were asked for.
func (r *predictRun) extras(w io.Writer) error {
	var tables []table
	if r.o.calibrate && len(r.calibration) > 0 {
		t := table{head: []string{"asked for"}}
		for _, c := range r.calibration {
			t.head = append(t.head, c.predictor)
		}
		for i, q := range calibrationLevels {
			row := []string{percent(100 * q)}
			for _, c := range r.calibration {
				row = append(row, percent(100*c.curve[i].Achieved))
			}
			t.add(row...)
		}
		tables = append(tables, t)
	}
	if len(r.o.by) > 0 {
		t := table{head: []string{"part", "jobs", "predictor", "predicted", "covered", "accuracy", "abs. error mean", "cc of logs"}}
		for _, s := range r.scores {
			for _, p := range s.json().Parts {
				covered := "-"
				if s.bound != nil {
					covered = percent(100 * float64(p.Coverage))
				}
				t.add(p.By+" "+p.Part, strconv.Itoa(p.Jobs), s.predictor, strconv.Itoa(p.Predicted), covered,
					fixed(float64(p.AccuracyMean), 4), minutes(p.AbsoluteErrorMean), fixed(float64(p.CorrelationLog), 3))
			}
		}
		tables = append(tables, t)
	}
	for _, t := range tables {
		if _, err := fmt.Fprintln(w); err != nil {
			return err
		}
		if err := t.writeTo(w); err != nil {
			return err
		}
	}
	return nil
}

// minutes is a time for people, "-" where it has no meaning.
func minutes(x number) string {
	if s := sig(float64(x)); s != "-" {
		return s + " min"
	}
	return "-"
}
