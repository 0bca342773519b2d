package cli

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/loadstone-hpc/loadstone/dist"
)

type predictJSON struct {
	Schema     string             `json:"schema"`
	Log        logJSON            `json:"log"`
	Processors *int64             `json:"simulated_processors"`
	Lifetimes  *lifetimesJSON     `json:"lifetimes"`
	Quantile   float64            `json:"quantile"`
	Confidence float64            `json:"confidence"`
	Scores     []predictScoreJSON `json:"scores"`
}

type lifetimesJSON struct {
	Family    string `json:"family"`
	Intercept number `json:"intercept"`
	Slope     number `json:"slope"`
	TMin      number `json:"t_min_s"`
	TMax      number `json:"t_max_s"`
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
}

// The waits that are predicted.
const (
	waitsAtHead = "simulated-fcfs-head"
	waitsOfLog  = "log"
)

func (s predictScore) json() predictScoreJSON {
	nan := number(math.NaN())
	if b := s.bound; b != nil {
		return predictScoreJSON{s.predictor, waitsOfLog, b.Jobs, b.Predicted, number(b.Coverage), number(b.NonZeroCoverage),
			number(b.AccuracyMean), number(b.AbsoluteErrorMean), number(b.UnderPct), number(b.PerfectPct), number(b.OverPct), nan, nan, nan}
	}
	w := s.wait
	return predictScoreJSON{s.predictor, waitsAtHead, w.Jobs, w.Predicted, number(w.Coverage), nan,
		number(w.AccuracyMean), number(w.AbsoluteErrorMean), number(w.UnderPct), number(w.PerfectPct), number(w.OverPct),
		number(w.CorrelationLog), number(w.BiasSlope), number(w.BiasIntercept)}
}

func (r *predictRun) result() result {
	js := predictJSON{Schema: "loadstone.predict-scores/1", Log: logJSON{r.o.input, r.jobs}, Quantile: r.o.quantile, Confidence: r.o.confidence}
	if r.processors > 0 {
		js.Processors = &r.processors
		js.Lifetimes = &lifetimesJSON{dist.Family(r.law), number(r.law.Intercept()), number(r.law.Slope()), number(r.law.TMin), number(r.law.TMax)}
	}
	csv := table{head: []string{"predictor", "waits", "jobs", "predicted", "coverage", "coverage_nonzero", "accuracy_mean", "absolute_error_mean_min",
		"under_pct", "perfect_pct", "over_pct", "correlation_log", "bias_slope", "bias_intercept"}}
	people := table{head: []string{"predictor", "waits", "jobs", "predicted", "covered", "accuracy", "abs. error mean", "under", "perfect", "over", "cc of logs"}}
	for _, s := range r.scores {
		j := s.json()
		js.Scores = append(js.Scores, j)
		left := []string{j.Predictor, j.Waits, strconv.Itoa(j.Jobs), strconv.Itoa(j.Predicted)}
		exact, short := left[:4:4], left[:4:4]
		for _, x := range []number{j.Coverage, j.NonZeroCoverage, j.AccuracyMean, j.AbsoluteErrorMean, j.Under, j.Perfect, j.Over, j.CorrelationLog, j.BiasSlope, j.BiasIntercept} {
			exact = append(exact, x.text())
		}
		csv.add(exact...)
		covered := "-" // only a bound covers; "predicted" says how many a predictor had an answer for
		if s.bound != nil {
			covered = percent(100 * float64(j.Coverage))
		}
		people.add(append(short, covered, fixed(float64(j.AccuracyMean), 4), sig(float64(j.AbsoluteErrorMean))+" min",
			percent(float64(j.Under)), percent(float64(j.Perfect)), percent(float64(j.Over)), fixed(float64(j.CorrelationLog), 3))...)
	}
	text := func(w io.Writer) error {
		if r.processors > 0 {
			if _, err := fmt.Fprintf(w, "lifetimes: uniform-log from %s s to %s s; FCFS on %d processors\n\n", sig(r.law.TMin), sig(r.law.TMax), r.processors); err != nil {
				return err
			}
		}
		return people.writeTo(w)
	}
	return result{text: text, json: js, csv: csv}
}
