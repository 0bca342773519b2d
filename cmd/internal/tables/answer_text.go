package tables

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/live/forecast"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
)

// printWait writes the answer for people.
func printWait(w *present.Screen, r *forecast.Answer) {
	s := &r.State
	at := seconds(s.Now)
	if !s.At.IsZero() {
		at = s.At.Format("2006-01-02 15:04:05 MST")
	}
	w.Printf("at %s: %d %s on %d of %d processors, %d %s; policy %s; history: %d ended, %d waits\n",
		at, s.Running, words.Plural(s.Running, "job runs", "jobs run"), s.Processors-s.Free, s.Processors,
		s.Queued, words.Plural(s.Queued, "waits", "wait"), r.Policy, r.History.Ended, r.History.Waits)
	w.Message("%s\n\n", requestText(&r.Request))
	if s.Empty() {
		w.Printf("No job runs or waits: a request starts now. Bounds from past waits do not take that into account.\n\n")
	}
	rows, expected := split(r)
	w.Table(waitTable(r, rows))
	if len(expected) > 0 {
		w.Printf("%s\n", expectedText(expected))
	}
	few := fewText(r)
	switch {
	case r.Record != nil:
		w.Printf("\n%s\n%s", recordText(r), few)
	case few != "":
		w.Printf("\n%s", few)
	}
	if len(r.Turnarounds) > 0 {
		w.Printf("\n")
		w.Table(turnaroundTable(r))
	}
	for i, m := range r.LeftOut {
		if i == 0 {
			w.Printf("\n")
		}
		sizes := ""
		if len(m.Processors) < len(r.Request.Processors) {
			var list []string
			for _, n := range m.Processors {
				list = append(list, strconv.FormatInt(n, 10))
			}
			sizes = " for " + strings.Join(list, ", ") + " processors"
		}
		hint := ""
		if strings.HasSuffix(m.Why, forecast.NoTime) {
			hint = "; set it with --time"
		}
		w.Printf("no %s%s: %s%s\n", m.Predictor, sizes, m.Why, hint)
	}
}

// requestText repeats the question. A request for seconds is rare, and a number without
// a unit is easily meant in another one.
func requestText(q *forecast.Request) string {
	var sizes []string
	for _, n := range q.Processors {
		sizes = append(sizes, present.Whole(n))
	}
	noun := "processors"
	if len(sizes) == 1 && q.Processors[0] == 1 {
		noun = "processor"
	}
	text := fmt.Sprintf("request: %s %s", strings.Join(sizes, ", "), noun)
	hint := ""
	if present.Known(q.Time) {
		text += " for " + duration(q.Time)
		if q.Time < 60 {
			hint = " (a number without a unit is in seconds; write 4h or 240min for hours and minutes)"
		}
	}
	if q.Queue != "" {
		text += ", queue " + q.Queue
	}
	if q.Partition != "" {
		text += ", partition " + q.Partition
	}
	if q.User != "" {
		text += ", user " + q.User
	}
	return text + hint
}

// recordText says what the coverage is of, and which predictions are recommended.
func recordText(r *forecast.Answer) string {
	of := "covered: share of past waits not above the bound made when the job was submitted" + judgedText(r.Record)
	if fewerJudged(r) {
		of += ";\n  each predictor is judged on those of these jobs for which it had a bound"
	}
	if !judged(r) {
		of = fmt.Sprintf("covered: unknown, as no predictor had a %s bound for any of %s when it was submitted", percentShort(r.Record.Quantile), words.Counted(int64(r.Record.Jobs), "past job"))
	}
	promised := percentShort(math.Round(1e6*(r.Record.Quantile-0.01)) / 1e6)
	recommended := func(processors int64) bool {
		return slices.ContainsFunc(r.Predictions, func(p forecast.Prediction) bool { return p.Recommended && p.Processors == processors })
	}
	var not, without []string // the sizes for which no predictor covered enough, or none is recommended
	for _, s := range r.Record.Sizes {
		switch {
		case !recommended(s.Processors):
			without = append(without, present.Whole(s.Processors))
		case !s.Kept:
			not = append(not, present.Whole(s.Processors))
		}
	}
	if len(without) > 0 {
		of += withoutText(r, without)
	}
	if len(without) == len(r.Record.Sizes) {
		return of
	}
	if len(not)+len(without) < len(r.Record.Sizes) {
		of += fmt.Sprintf("\n* recommended: the smallest loss among the predictors that covered at least %s, one point below their level", promised)
	}
	if len(not) > 0 {
		sizes := ""
		if len(not) < len(r.Record.Sizes) {
			sizes = " for " + strings.Join(not, ", ") + " processors"
		}
		of += fmt.Sprintf("\n* highest coverage%s: no predictor covered %s, one point below their level", sizes, promised)
	}
	if slices.Contains(r.Quantiles, 0.5) {
		of += "\nFor a single number, use \"50% wait at most\" in that row: half of such jobs, or more, should wait no longer."
	}
	return of
}

// judged says whether any predictor had a bound for a past job.
func judged(r *forecast.Answer) bool {
	k := slices.Index(r.Quantiles, r.Record.Quantile)
	return slices.ContainsFunc(r.Predictions, func(p forecast.Prediction) bool {
		return k < len(p.Bounds) && p.Bounds[k].Jobs+p.Bounds[k].SimilarJobs > 0
	})
}

// withoutText says why no predictor is recommended for the sizes, and what would be needed.
func withoutText(r *forecast.Answer, sizes []string) string {
	what := "\nNo predictor is recommended"
	if len(sizes) < len(r.Record.Sizes) {
		what += " for " + strings.Join(sizes, ", ") + " processors"
	}
	switch {
	case r.State.Empty():
		return what + ": the machine is empty."
	case r.Record.Jobs < score.StretchJobs && r.Record.Of >= score.StretchJobs:
		return fmt.Sprintf("%s: predictors were judged on %d past jobs only; at least %d are needed (--judged).", what, r.Record.Jobs, score.StretchJobs)
	case r.Record.Jobs < score.StretchJobs:
		return fmt.Sprintf("%s: the history has %d past %s to judge predictors on; at least %d are needed.",
			what, r.Record.Jobs, words.Noun(r.Record.Jobs, "job"), score.StretchJobs)
	}
	return fmt.Sprintf("%s: none has a %s bound for this request and had one for at least half of the past jobs.", what, percentShort(r.Record.Quantile))
}

// fewText says how many past waits a bound needs, a line for each quantile for which there
// were too few; "" if there are none.
func fewText(r *forecast.Answer) string {
	var text strings.Builder
	for i, quantile := range r.Quantiles {
		least := stats.MinimumHistory(quantile, r.Confidence)
		few := func(p forecast.Prediction) bool {
			return p.Group != "" && i < len(p.Bounds) && !present.Known(p.Bounds[i].Seconds) && p.Observations < least
		}
		if slices.ContainsFunc(r.Predictions, few) {
			fmt.Fprintf(&text, "A %s bound from past waits needs at least %d of them, for a confidence of %s.\n", percentShort(quantile), least, percentShort(r.Confidence))
		}
	}
	return text.String()
}

// judgedText says on which past jobs the predictors were judged, a line for each group.
func judgedText(record *forecast.Record) string {
	var groups []string
	jobs, sizes := map[string]string{}, map[string][]string{}
	for _, s := range record.Sizes {
		if sizes[s.Group] == nil {
			groups = append(groups, s.Group)
			jobs[s.Group] = fmt.Sprintf("%d of %d jobs of similar size (%s)", s.Jobs, s.Of, s.Group)
			if s.Group == "" {
				jobs[s.Group] = fmt.Sprintf("%d of %d jobs of all sizes (fewer than %d similar ones were judged)", s.Jobs, s.Of, forecast.SimilarJobs)
			}
		}
		sizes[s.Group] = append(sizes[s.Group], present.Whole(s.Processors))
	}
	if len(groups) == 1 {
		return ",\n  over " + jobs[groups[0]]
	}
	var text strings.Builder
	for _, g := range groups {
		noun := "processors"
		if len(sizes[g]) == 1 && sizes[g][0] == "1" {
			noun = "processor"
		}
		fmt.Fprintf(&text, ",\n  for %s %s over %s", strings.Join(sizes[g], ", "), noun, jobs[g])
	}
	return text.String()
}
