package cli

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/stats"
)

// The waits that are predicted.
const (
	waitsAtHead = "simulated-fcfs-head"
	waitsQueued = "simulated-fcfs"
	waitsOfLog  = "log"

	waitsQueuedEASY = "simulated-easy"
)

// policyOf is the policy of a simulated queue.
var policyOf = map[string]string{waitsAtHead: "FCFS", waitsQueued: "FCFS", waitsQueuedEASY: "EASY"}

func (r *predictRun) result() result {
	return result{text: r.text, json: r.json(), csv: r.exactTable()}
}

// exactTable is the scores as CSV has them.
func (r *predictRun) exactTable() present.Table {
	t := present.Table{Head: []string{"predictor", "waits", "jobs", "predicted", "coverage", "coverage_nonzero", "accuracy_mean", "absolute_error_mean_min",
		"under_pct", "perfect_pct", "over_pct", "correlation_log", "bias_slope", "bias_intercept",
		"accuracy_low", "accuracy_high", "coverage_low", "coverage_high", "correlation_log_low", "correlation_log_high"}}
	for _, s := range r.scores {
		j := s.json()
		row := []string{j.Predictor, j.Waits, strconv.Itoa(j.Jobs), strconv.Itoa(j.Predicted)}
		for _, x := range []stats.Number{j.Coverage, j.NonZeroCoverage, j.AccuracyMean, j.AbsoluteErrorMean, j.Under, j.Perfect, j.Over, j.CorrelationLog, j.BiasSlope, j.BiasIntercept,
			j.AccuracyLow, j.AccuracyHigh, j.CoverageLow, j.CoverageHigh, j.CorrelationLogLow, j.CorrelationLogHigh} {
			row = append(row, present.Full(x))
		}
		t.Add(row...)
	}
	return t
}

// shortTable is the scores for people.
func (r *predictRun) shortTable() present.Table {
	t := present.Table{Head: []string{"predictor", "waits", "jobs", "predicted", "covered", "accuracy", "abs. error mean", "under", "perfect", "over", "cc of logs"}}
	another := slices.ContainsFunc(r.scores, func(s predictScore) bool { return s.same != nil })
	if another {
		t.Head = append(t.Head, "same interval", "loss")
	}
	for _, s := range r.scores {
		j := s.json()
		covered := "-" // only a bound covers; "predicted" says how many a predictor had an answer for
		if s.bound != nil {
			covered = present.Percent(100 * float64(j.Coverage))
		}
		row := []string{j.Predictor, j.Waits, strconv.Itoa(j.Jobs), strconv.Itoa(j.Predicted),
			covered, present.Fixed(j.AccuracyMean, 4), minutes(j.AbsoluteErrorMean),
			present.Percent(j.Under), present.Percent(j.Perfect), present.Percent(j.Over), present.Fixed(j.CorrelationLog, 3)}
		switch {
		case j.SameCorrelationLog != nil:
			row = append(row, present.Fixed(float64(*j.SameCorrelationLog), 3), present.Fixed(float64(*j.CorrelationLogLoss), 3))
		case another:
			row = append(row, "-", "-")
		}
		t.Add(row...)
	}
	return t
}

// text writes the tables for people, under a line on the simulated machine.
func (r *predictRun) text(w io.Writer) error {
	if line := r.machineText(); line != "" {
		if _, err := fmt.Fprintf(w, "%s\n\n", line); err != nil {
			return err
		}
	}
	scores := r.shortTable()
	if err := scores.WriteTable(w); err != nil {
		return err
	}
	return r.extras(w)
}

// machineText says what was simulated, "" where nothing was.
func (r *predictRun) machineText() string {
	if r.processors > 0 {
		return fmt.Sprintf("%s%s on %d processors", r.lifetimesText(), r.policies(), r.processors)
	}
	if where := r.siteText(); where != "" {
		return r.policies() + " on " + where
	}
	return ""
}

// lifetimesText begins a line with the law of the lifetimes, where there is one.
func (r *predictRun) lifetimesText() string {
	switch {
	case r.lifetimes != nil:
		if law, ok := r.lifetimes.Law.(dist.UniformLog); ok {
			return fmt.Sprintf("lifetimes: uniform-log from %s s to %s s; ", present.Sig(law.TMin), present.Sig(law.TMax))
		}
		return "lifetimes: " + r.lifetimes.Family + "; "
	case r.needed.Jobs > 0:
		return "lifetimes: " + r.o.law + " of the interval before; "
	}
	return ""
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
	var tables []present.Table
	if r.o.calibrate && len(r.calibration) > 0 {
		tables = append(tables, r.calibrationTable())
	}
	if len(r.o.by) > 0 {
		tables = append(tables, r.partsTable())
	}
	for _, t := range tables {
		if _, err := fmt.Fprintln(w); err != nil {
			return err
		}
		if err := t.WriteTable(w); err != nil {
			return err
		}
	}
	return nil
}

func (r *predictRun) calibrationTable() present.Table {
	t := present.Table{Head: []string{"asked for"}}
	for _, c := range r.calibration {
		t.Head = append(t.Head, c.predictor)
	}
	for i, q := range calibrationLevels {
		row := []string{present.Percent(100 * q)}
		for _, c := range r.calibration {
			row = append(row, present.Percent(100*float64(c.curve[i].Achieved)))
		}
		t.Add(row...)
	}
	return t
}

func (r *predictRun) partsTable() present.Table {
	t := present.Table{Head: []string{"part", "jobs", "predictor", "predicted", "covered", "accuracy", "abs. error mean", "cc of logs"}}
	for _, s := range r.scores {
		for _, p := range s.json().Parts {
			covered := "-"
			if s.bound != nil {
				covered = present.Percent(100 * float64(p.Coverage))
			}
			t.Add(p.By+" "+p.Part, strconv.Itoa(p.Jobs), s.predictor, strconv.Itoa(p.Predicted), covered,
				present.Fixed(p.AccuracyMean, 4), minutes(p.AbsoluteErrorMean), present.Fixed(p.CorrelationLog, 3))
		}
	}
	return t
}

// minutes is a time for people, "-" where it has no meaning.
func minutes(x stats.Number) string {
	if s := present.Sig(x); s != "-" {
		return s + " min"
	}
	return "-"
}
