package cli

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/score"
)

const runtimeSchema = "loadstone.runtime-scores/1"

type runtimeJSON struct {
	Schema    string                 `json:"schema"`
	Log       logJSON                `json:"log"`
	Options   runtimeRulesJSON       `json:"options"`
	Fallback  []string               `json:"fallback,omitempty"`
	Bootstrap *runtimeBootstrapJSON  `json:"bootstrap"`
	Scores    []runtimeScoreJSON     `json:"scores"`
	Best      []runtimeBestJSON      `json:"best"`
	Parts     []runtimePartJSON      `json:"parts,omitempty"`
	LeftOut   []leftOutJSON          `json:"left_out"`
	Curves    []runtimeDistributions `json:"distributions"`
}

// logJSON says which log a result is of.
type logJSON struct {
	Name string `json:"name"`
	Jobs int    `json:"jobs"`
}

// runtimeRulesJSON are the constants of the predictors.
type runtimeRulesJSON struct {
	Alpha      float64 `json:"alpha"`
	Window     int     `json:"window"`
	Neighbours int     `json:"neighbours"`
	Quantile   float64 `json:"quantile"`
	Confidence float64 `json:"confidence"`
}

// runtimeBootstrapJSON says how the intervals were drawn.
type runtimeBootstrapJSON struct {
	By         string  `json:"by"`
	Users      int     `json:"users"`
	Replicates int     `json:"replicates"`
	Level      float64 `json:"level"`
	Seed       uint64  `json:"seed"`
	// What accuracy_difference is against.
	AgainstClasses   string `json:"against_classes"`
	AgainstPredictor string `json:"against_predictor"`
}

type runtimeScoreJSON struct {
	Classes             string `json:"classes"`
	Predictor           string `json:"predictor"`
	Jobs                int    `json:"jobs"`
	Predicted           int    `json:"predicted"`
	Coverage            number `json:"coverage"`
	AccuracyMean        number `json:"accuracy_mean"`
	AbsoluteErrorMean   number `json:"absolute_error_mean_s"`
	AbsoluteErrorMedian number `json:"absolute_error_median_s"`
	MedianMethod        string `json:"absolute_error_median_method"`

	AccuracyLow         number `json:"accuracy_low"`
	AccuracyHigh        number `json:"accuracy_high"`
	Difference          number `json:"accuracy_difference"`
	DifferenceLow       number `json:"accuracy_difference_low"`
	DifferenceHigh      number `json:"accuracy_difference_high"`
	DifferenceJobs      int    `json:"accuracy_difference_jobs"`
	AccuracyMedian      number `json:"accuracy_median"`
	Accurate            number `json:"accuracy_above_0_9"`
	AbsoluteErrorQ25    number `json:"absolute_error_q25_s"`
	AbsoluteErrorQ75    number `json:"absolute_error_q75_s"`
	AbsoluteErrorQ90    number `json:"absolute_error_q90_s"`
	AbsoluteErrorQ99    number `json:"absolute_error_q99_s"`
	Bias                number `json:"bias_s"`
	RelativeErrorMean   number `json:"relative_error_mean"`
	RelativeErrorMedian number `json:"relative_error_median"`
	LogErrorMean        number `json:"log_error_mean"`
	LogBias             number `json:"log_bias"`
	LogPairs            int    `json:"log_pairs"`
	Under               number `json:"under_pct"`
	Perfect             number `json:"perfect_pct"`
	Over                number `json:"over_pct"`
	DistributionMethod  string `json:"distribution_method"`
}

// runtimeBestJSON is the highest mean accuracy among some scores.
type runtimeBestJSON struct {
	Among        string `json:"among,omitempty"`
	Classes      string `json:"classes"`
	Predictor    string `json:"predictor"`
	AccuracyMean number `json:"accuracy_mean"`
}

// leftOutJSON says which classes are not scored, and why.
type leftOutJSON struct {
	Classes string `json:"classes"`
	Why     string `json:"why"`
}

// runtimeDistributions are the distribution functions of one predictor: pairs
// of a value and the share of predictions up to it.
type runtimeDistributions struct {
	Classes   string       `json:"classes"`
	Predictor string       `json:"predictor"`
	Method    string       `json:"method"`
	Accuracy  [][2]float64 `json:"accuracy"`
	Error     [][2]float64 `json:"absolute_error_s"`
}

func pairsOf(shares []score.Share) [][2]float64 {
	pairs := [][2]float64{}
	for _, s := range shares {
		pairs = append(pairs, [2]float64{s.Value, s.AtMost})
	}
	return pairs
}

// interval is an entry's, of NaN where none was drawn.
func (r *runtimeRun) interval(i int) score.RunTimeInterval {
	if i < len(r.intervals) {
		return r.intervals[i]
	}
	none := score.Interval{Mean: math.NaN(), Low: math.NaN(), High: math.NaN()}
	return score.RunTimeInterval{Accuracy: none, Difference: none}
}

// label is an entry's name: predictor,classes.
func (r *runtimeRun) label(i int) string {
	return r.entries[i].Predictor + "," + r.entries[i].Classes.Name
}

// finest is the paper's most specific way of classing.
const finest = "user-app-size-site"

// best finds the highest mean accuracy of the scored entries that are among
// some, -1 where there is none.
func (r *runtimeRun) best(among func(runtime.Entry) bool) int {
	best, most := -1, math.Inf(-1)
	for _, i := range r.scored() {
		if a := r.tallies[i].AccuracyMean(); among(r.entries[i]) && a > most {
			best, most = i, a
		}
	}
	return best
}

// bests are the best of all, and without and with the finest classes: figure
// 2d of Sonmez and others (2009).
func (r *runtimeRun) bests() (all []runtimeBestJSON, entries []int) {
	for _, b := range []struct {
		name  string
		among func(runtime.Entry) bool
	}{
		{"all", func(runtime.Entry) bool { return true }},
		{"without " + finest, func(e runtime.Entry) bool { return e.Classes.Name != finest && e.Classes.Name != fallbackLabel }},
		{"with " + finest, func(e runtime.Entry) bool { return e.Classes.Name == finest }},
	} {
		i := r.best(b.among)
		if i < 0 {
			continue
		}
		all = append(all, runtimeBestJSON{b.name, r.entries[i].Classes.Name, r.entries[i].Predictor, number(r.tallies[i].AccuracyMean())})
		entries = append(entries, i)
	}
	return all, entries
}

func (r *runtimeRun) result() result {
	o := r.o
	js := runtimeJSON{
		Schema: runtimeSchema, Options: runtimeRulesJSON{o.alpha, o.window, o.neighbours, o.quantile, o.confidence},
		Fallback: o.fallback, LeftOut: append([]leftOutJSON{}, r.leftOut...), Curves: []runtimeDistributions{},
	}
	if o.replicates > 0 {
		e := r.entries[r.reference]
		js.Bootstrap = &runtimeBootstrapJSON{"user", r.users.Users(), o.replicates, intervalLevel, o.seed, e.Classes.Name, e.Predictor}
	}
	csv := table{head: []string{"classes", "predictor", "jobs", "predicted", "coverage", "accuracy_mean", "absolute_error_mean_s", "absolute_error_median_s",
		"accuracy_low", "accuracy_high", "accuracy_difference", "accuracy_difference_low", "accuracy_difference_high", "accuracy_median", "accuracy_above_0_9",
		"absolute_error_q25_s", "absolute_error_q75_s", "absolute_error_q90_s", "absolute_error_q99_s", "bias_s", "relative_error_mean", "relative_error_median",
		"log_error_mean", "log_bias", "under_pct", "perfect_pct", "over_pct"}}
	people := table{head: []string{"classes", "predictor", "jobs", "predicted", "coverage", "accuracy", "abs. error mean", "median", "under"}}
	surely := o.replicates > 0 && r.users.Users() > 1
	if surely {
		people.head = append(people.head, "95% interval", "less "+r.label(r.reference))
	}
	for _, i := range r.scored() {
		e, s, in := r.entries[i], r.tallies[i].Detail(), r.interval(i)
		js.Log = logJSON{r.log.Name, s.Jobs}
		js.Scores = append(js.Scores, scoreJSON(e, s, in))
		left := []string{e.Classes.Name, e.Predictor, strconv.Itoa(s.Jobs), strconv.Itoa(s.Predicted)}
		exact := left[:4:4]
		for _, x := range []float64{s.Coverage, s.AccuracyMean, s.AbsoluteErrorMean, s.AbsoluteErrorMedian,
			in.Accuracy.Low, in.Accuracy.High, in.Difference.Mean, in.Difference.Low, in.Difference.High, s.AccuracyMedian, s.Accurate,
			s.AbsoluteErrorQ25, s.AbsoluteErrorQ75, s.AbsoluteErrorQ90, s.AbsoluteErrorQ99, s.Bias, s.RelativeErrorMean, s.RelativeErrorMedian,
			s.LogErrorMean, s.LogBias, s.UnderPct, s.PerfectPct, s.OverPct} {
			exact = append(exact, number(x).text())
		}
		csv.add(exact...)
		short := append(left[:4:4], fixed(s.Coverage, 4), fixed(s.AccuracyMean, 4), duration(s.AbsoluteErrorMean), duration(s.AbsoluteErrorMedian), percent(s.UnderPct))
		if surely {
			short = append(short, span(in.Accuracy), r.versus(i, in))
		}
		people.add(short...)
	}
	best, entries := r.bests()
	js.Best = best
	var tables []table
	if len(entries) > 0 {
		js.Parts, tables = r.partsOf(entries[0])
		t := &r.tallies[entries[0]]
		js.Curves = append(js.Curves, runtimeDistributions{best[0].Classes, best[0].Predictor, js.Scores[slices.Index(r.scored(), entries[0])].DistributionMethod,
			pairsOf(t.AccuracyDistribution()), pairsOf(t.AbsoluteErrorDistribution())})
	}
	text := func(w io.Writer) error {
		if err := people.writeTo(w); err != nil {
			return err
		}
		for _, b := range best {
			if len(js.Scores) < 2 || b.Among != "all" && len(best) < 3 {
				continue // they say nothing more
			}
			name := "best"
			if b.Among != "all" {
				name += " " + b.Among
			}
			if _, err := fmt.Fprintf(w, "%s: %s,%s %s\n", name, b.Predictor, b.Classes, fixed(float64(b.AccuracyMean), 4)); err != nil {
				return err
			}
		}
		for _, t := range tables {
			if _, err := io.WriteString(w, "\n"); err != nil {
				return err
			}
			if err := t.writeTo(w); err != nil {
				return err
			}
		}
		return nil
	}
	return result{text: text, json: js, csv: csv}
}

func scoreJSON(e runtime.Entry, s score.RunTimeDetail, in score.RunTimeInterval) runtimeScoreJSON {
	return runtimeScoreJSON{
		Classes: e.Classes.Name, Predictor: e.Predictor, Jobs: s.Jobs, Predicted: s.Predicted, Coverage: number(s.Coverage),
		AccuracyMean: number(s.AccuracyMean), AbsoluteErrorMean: number(s.AbsoluteErrorMean), AbsoluteErrorMedian: number(s.AbsoluteErrorMedian), MedianMethod: s.MedianMethod,
		AccuracyLow: number(in.Accuracy.Low), AccuracyHigh: number(in.Accuracy.High),
		Difference: number(in.Difference.Mean), DifferenceLow: number(in.Difference.Low), DifferenceHigh: number(in.Difference.High), DifferenceJobs: in.Both,
		AccuracyMedian: number(s.AccuracyMedian), Accurate: number(s.Accurate),
		AbsoluteErrorQ25: number(s.AbsoluteErrorQ25), AbsoluteErrorQ75: number(s.AbsoluteErrorQ75), AbsoluteErrorQ90: number(s.AbsoluteErrorQ90), AbsoluteErrorQ99: number(s.AbsoluteErrorQ99),
		Bias: number(s.Bias), RelativeErrorMean: number(s.RelativeErrorMean), RelativeErrorMedian: number(s.RelativeErrorMedian),
		LogErrorMean: number(s.LogErrorMean), LogBias: number(s.LogBias), LogPairs: s.LogPairs,
		Under: number(s.UnderPct), Perfect: number(s.PerfectPct), Over: number(s.OverPct), DistributionMethod: s.DistributionMethod,
	}
}

// span writes an interval for people.
func span(i score.Interval) string {
	if math.IsNaN(i.Low) || math.IsNaN(i.High) {
		return "-"
	}
	return fixed(i.Low, 3) + " to " + fixed(i.High, 3)
}

// versus writes a difference and its interval for people, with a star where
// the two can be told apart.
func (r *runtimeRun) versus(i int, in score.RunTimeInterval) string {
	d := in.Difference
	switch {
	case i == r.reference || math.IsNaN(d.Mean):
		return "-"
	case math.IsNaN(d.Low) || math.IsNaN(d.High):
		return fmt.Sprintf("%+.3f", d.Mean)
	}
	star := ""
	if d.Told() {
		star = " *"
	}
	return fmt.Sprintf("%+.3f (%+.3f to %+.3f)%s", d.Mean, d.Low, d.High, star)
}

// duration writes seconds for people, always in seconds so that rows compare.
func duration(seconds float64) string {
	if math.IsNaN(seconds) {
		return "-"
	}
	return sig(seconds) + " s"
}
