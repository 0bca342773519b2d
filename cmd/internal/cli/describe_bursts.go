package cli

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

type describeBurstsJSON struct {
	Jobs          int64                   `json:"jobs"`
	LeftOut       int64                   `json:"out_of_order_jobs"`
	Counts        []describeCountsJSON    `json:"counts"`
	Interarrivals describeInterarrivalsJS `json:"interarrivals"`
}

type describeCountsJSON struct {
	Width           stats.Number      `json:"interval_s"`
	Intervals       stats.Number      `json:"intervals"`
	Mean            stats.Number      `json:"mean"`
	Variance        stats.Number      `json:"variance"`
	Dispersion      stats.Number      `json:"dispersion_index"`
	Max             stats.Number      `json:"max"`
	MaxStart        stats.Number      `json:"max_start_s"`
	Autocorrelation []describeLagJSON `json:"autocorrelation"`
}

type describeInterarrivalsJS struct {
	Known           int64             `json:"known"`
	Mean            stats.Number      `json:"mean_s"`
	CV              stats.Number      `json:"cv"`
	Zero            stats.Number      `json:"zero_pct"`
	Max             stats.Number      `json:"max_s"`
	Autocorrelation []describeLagJSON `json:"autocorrelation"`
}

type describeLagJSON struct {
	Lag int          `json:"lag"`
	R   stats.Number `json:"r"`
}

func lagsJSON(lags []int, r []float64) []describeLagJSON {
	var out []describeLagJSON
	for i, lag := range lags {
		out = append(out, describeLagJSON{lag, stats.Number(r[i])})
	}
	return out
}

// burstsOf is how bursty submissions are.
func burstsOf(js *describeJSON, d inspect.Description, clock workload.Clock) describeSection {
	b := d.Bursts
	out := describeBurstsJSON{Jobs: b.Jobs, LeftOut: b.LeftOut}
	s := describeSection{
		title: "Submissions per interval",
		csv:   present.Table{Head: []string{"series", "interval_s", "n", "mean", "variance", "dispersion_index", "max", "max_start_s"}},
	}
	s.people.Head = []string{"interval", "intervals", "mean", "variance", "dispersion", "max", "max at"}
	i := b.Interarrivals
	for _, lag := range i.Lags {
		s.people.Head = append(s.people.Head, fmt.Sprintf("r(%d)", lag))
		s.csv.Head = append(s.csv.Head, fmt.Sprintf("autocorrelation_%d", lag))
	}
	for _, c := range b.Counts {
		js := describeCountsJSON{stats.Number(c.Width), stats.Number(c.Intervals), stats.Number(c.Mean), stats.Number(c.Variance), stats.Number(c.Dispersion),
			stats.Number(c.Max), stats.Number(c.MaxStart), lagsJSON(c.Lags, c.Autocorrelation)}
		out.Counts = append(out.Counts, js)
		at := "-"
		if b.Jobs > 0 {
			at = moment(clock, c.MaxStart)
		}
		people := []string{spanText(c.Width), present.Sig(c.Intervals), present.Sig(c.Mean), present.Sig(c.Variance), present.Sig(c.Dispersion), present.Sig(c.Max), at}
		csv := []string{"counts", present.Full(js.Width), present.Full(js.Intervals), present.Full(js.Mean), present.Full(js.Variance), present.Full(js.Dispersion), present.Full(js.Max), present.Full(js.MaxStart)}
		for _, r := range c.Autocorrelation {
			people, csv = append(people, present.Fixed(r, 3)), append(csv, present.Full(r))
		}
		s.people.Add(people...)
		s.csv.Add(csv...)
	}
	ij := describeInterarrivalsJS{i.Known, stats.Number(i.Mean), stats.Number(i.CV), stats.Number(100 * i.Zero), stats.Number(i.Max), lagsJSON(i.Lags, i.Autocorrelation)}
	out.Interarrivals = ij
	variance := stats.Number(i.CV * i.CV * i.Mean * i.Mean)
	csv := []string{"interarrivals_s", "", jobsText(i.Known), present.Full(ij.Mean), present.Full(variance), "", present.Full(ij.Max), ""}
	words := ""
	for k, r := range i.Autocorrelation {
		csv = append(csv, present.Full(r))
		words += fmt.Sprintf(", r(%d) %s", i.Lags[k], present.Fixed(r, 3))
	}
	s.csv.Add(csv...)
	s.after = append(s.after, fmt.Sprintf("Interarrival times: mean %s s, CV %s, %s are 0%s.\nr(k) is the autocorrelation at lag k; for a Poisson process dispersion and CV are 1 and r is 0.",
		present.Sig(i.Mean), present.Sig(i.CV), present.Percent(100*i.Zero), words))
	if b.LeftOut > 0 {
		s.after = append(s.after, fmt.Sprintf("%d jobs that stand too far out of order are left out.", b.LeftOut))
	}
	js.Bursts = out
	return s
}
