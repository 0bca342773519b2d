package evaluate

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// inputOf returns a log to compare.
func inputOf(name, text string) CompareInput {
	return CompareInput{Name: name, About: name, Open: func() (*workload.Log, error) {
		return logfile.OpenReader(name, strings.NewReader(text), workload.Options{})
	}}
}

// weekly returns ten weeks on one processor, with a job of 100 s at the beginning of each week
// and one of 1 s that comes second(week) seconds later and waits until 100 s. The jobs are in
// order or, if turned, with the last one first.
func weekly(second func(week int) int, turned bool) string {
	var rows []string
	for week := range 10 {
		at := week * 7 * 86400
		rows = append(rows, fmt.Sprintf("%d %d -1 100 1 -1 -1 1 200 -1 1 1 1 1 1 1 -1 -1\n", 2*week+1, at),
			fmt.Sprintf("%d %d -1 1 1 -1 -1 1 1 -1 1 2 1 1 1 1 -1 -1\n", 2*week+2, at+second(week)))
	}
	if turned {
		slices.Reverse(rows)
	}
	return "; MaxProcs: 1\n" + strings.Join(rows, "")
}

// A log more than four times as long as the other gives a warning with both lengths: here 30 days
// against 5 and 7.5.
func TestCompareUnequalLengths(t *testing.T) {
	lasting := func(days float64) string {
		return fmt.Sprintf("; MaxProcs: 1\n1 0 -1 100 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n2 %.0f -1 100 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n", days*86400)
	}
	for days, want := range map[float64]string{5: "long covers 30 days and short covers 5 days: ", 7.5: ""} {
		r := jobtest.Must(Compare(context.Background(), [2]CompareInput{inputOf("short", lasting(days)), inputOf("long", lasting(30))}, CompareOptions{}))
		if has := slices.ContainsFunc(r.Warnings, func(w workload.Warning) bool { return want != "" && strings.HasPrefix(w.Text, want) }); has != (want != "") {
			t.Errorf("%g days: got %v, want %q", days, r.Warnings, want)
		}
	}
}

func ten(int) int { return 10 }

func close12(got stats.Number, want float64) bool {
	return math.Abs(float64(got)-want) <= 1e-12*math.Abs(want)
}

// In week w the second job waits 90 - w s, so the mean wait of drawn weeks is 45 s less half of
// their mean index, and that of the nine whole weeks is 43 s.
func TestCompareVerdictNoiseByHand(t *testing.T) {
	second := func(week int) int { return 10 + week }
	plain, turned, twin := inputOf("a.swf", weekly(second, false)), inputOf("a.swf", weekly(second, true)), inputOf("b.swf", weekly(ten, false))
	o := CompareOptions{Seed: 5, Verdict: &VerdictOptions{Policies: []string{"fcfs", "easy"}, Workers: 1}}
	r := jobtest.Must(Compare(context.Background(), [2]CompareInput{plain, twin}, o))
	weeks := make([]workload.Job, 10)
	for week := range weeks {
		weeks[week].Submit = float64(week) * 7 * 86400
	}
	var want []float64
	for draw := range 200 {
		sum := 0.0
		for _, week := range score.NewWeeks(weeks).Draw(5, draw) {
			sum += float64(90 - week)
		}
		want = append(want, (sum/18+60)/(43+60))
	}
	slices.Sort(want)
	low, high := stats.Quantile(want, .05), stats.Quantile(want, .95)
	for _, policy := range []string{"fcfs", "easy"} {
		// The mean of the log, over ten weeks, is 42.75 s, that of the twin 45 s.
		x, ratio := r.Verdict.Row("wait_mean_s", policy, ""), 105/102.75
		if !close12(x.NoiseQ05, low) || !close12(x.NoiseQ95, high) || !close12(x.Compared, ratio) || *x.NoDifference != (ratio >= low && ratio <= high) || r.Verdict.Seed != 5 {
			t.Errorf("%+v, want %g to %g", x, low, high)
		}
	}
	// The order in the file and the number of cores do not matter.
	text := func(o CompareOptions, a, b CompareInput) string {
		r := jobtest.Must(Compare(context.Background(), [2]CompareInput{a, b}, o))
		text := jobtest.Must(json.Marshal(r.Verdict))
		return string(text)
	}
	first := text(o, plain, plain)
	if got := text(o, turned, turned); got != first {
		t.Errorf("not in order in the file:\n%s\nin order:\n%s", got, first)
	}
	o.Verdict.Workers = 3
	if got := text(o, plain, plain); got != first {
		t.Error("another result with three workers")
	}
}

// A twin has as many jobs as the log, and a twin made with Like as many users.
func TestCompareVerdictOfTwins(t *testing.T) {
	site := jobtest.Must(model.Preset(model.Lublin1999Untyped))
	log := inputOf("a.swf", weekly(ten, false))
	for _, twin := range [2]CompareInput{{Name: "model", About: "model", Model: site}, {Name: "twin", About: "twin", Like: true}} {
		r := jobtest.Must(Compare(t.Context(), [2]CompareInput{log, twin}, CompareOptions{Seed: 3, Verdict: &VerdictOptions{Policies: []string{"easy"}, Processors: 128}}))
		if r.Verdict.Processors != 128 || r.Workloads[0].Jobs != 20 || r.Workloads[1].Jobs != 20 || slices.Contains(jobtest.Rules(r.Warnings), "short-log") {
			t.Errorf("%+v, %v", r.Verdict, r.Warnings)
		}
		if x := r.Verdict.Row("users", "", ""); twin.Like && x.Compared != 1 {
			t.Errorf("%+v", x)
		}
	}
}
