package cli

import (
	"fmt"

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
	Width           number            `json:"interval_s"`
	Intervals       number            `json:"intervals"`
	Mean            number            `json:"mean"`
	Variance        number            `json:"variance"`
	Dispersion      number            `json:"dispersion_index"`
	Max             number            `json:"max"`
	MaxStart        number            `json:"max_start_s"`
	Autocorrelation []describeLagJSON `json:"autocorrelation"`
}

type describeInterarrivalsJS struct {
	Known           int64             `json:"known"`
	Mean            number            `json:"mean_s"`
	CV              number            `json:"cv"`
	Zero            number            `json:"zero_pct"`
	Max             number            `json:"max_s"`
	Autocorrelation []describeLagJSON `json:"autocorrelation"`
}

type describeLagJSON struct {
	Lag int    `json:"lag"`
	R   number `json:"r"`
}

func lagsJSON(lags []int, r []float64) []describeLagJSON {
	var out []describeLagJSON
	for i, lag := range lags {
		out = append(out, describeLagJSON{lag, number(r[i])})
	}
	return out
}

// burstsOf is how bursty submissions are.
func burstsOf(js *describeJSON, d inspect.Description, clock workload.Clock) describeSection {
	b := d.Bursts
	out := describeBurstsJSON{Jobs: b.Jobs, LeftOut: b.LeftOut}
	s := describeSection{
		title: "Submissions per interval",
		csv:   table{head: []string{"series", "interval_s", "n", "mean", "variance", "dispersion_index", "max", "max_start_s"}},
	}
	s.people.head = []string{"interval", "intervals", "mean", "variance", "dispersion", "max", "max at"}
	i := b.Interarrivals
	for _, lag := range i.Lags {
		s.people.head = append(s.people.head, fmt.Sprintf("r(%d)", lag))
		s.csv.head = append(s.csv.head, fmt.Sprintf("autocorrelation_%d", lag))
	}
	for _, c := range b.Counts {
		js := describeCountsJSON{number(c.Width), number(c.Intervals), number(c.Mean), number(c.Variance), number(c.Dispersion),
			number(c.Max), number(c.MaxStart), lagsJSON(c.Lags, c.Autocorrelation)}
		out.Counts = append(out.Counts, js)
		at := "-"
		if b.Jobs > 0 {
			at = moment(clock, c.MaxStart)
		}
		people := []string{spanText(c.Width), sig(c.Intervals), sig(c.Mean), sig(c.Variance), sig(c.Dispersion), sig(c.Max), at}
		csv := []string{"counts", js.Width.text(), js.Intervals.text(), js.Mean.text(), js.Variance.text(), js.Dispersion.text(), js.Max.text(), js.MaxStart.text()}
		for _, r := range c.Autocorrelation {
			people, csv = append(people, fixed(r, 3)), append(csv, number(r).text())
		}
		s.people.add(people...)
		s.csv.add(csv...)
	}
	ij := describeInterarrivalsJS{i.Known, number(i.Mean), number(i.CV), number(100 * i.Zero), number(i.Max), lagsJSON(i.Lags, i.Autocorrelation)}
	out.Interarrivals = ij
	variance := number(i.CV * i.CV * i.Mean * i.Mean)
	csv := []string{"interarrivals_s", "", jobsText(i.Known), ij.Mean.text(), variance.text(), "", ij.Max.text(), ""}
	words := ""
	for k, r := range i.Autocorrelation {
		csv = append(csv, number(r).text())
		words += fmt.Sprintf(", r(%d) %s", i.Lags[k], fixed(r, 3))
	}
	s.csv.add(csv...)
	s.after = append(s.after, fmt.Sprintf("Interarrival times: mean %s s, CV %s, %s are 0%s.\nr(k) is the autocorrelation at lag k; for a Poisson process dispersion and CV are 1 and r is 0.",
		sig(i.Mean), sig(i.CV), percent(100*i.Zero), words))
	if b.LeftOut > 0 {
		s.after = append(s.after, fmt.Sprintf("%d jobs that stand too far out of order are left out.", b.LeftOut))
	}
	js.Bursts = out
	return s
}
