package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// compareOptions say what a log is held against.
type compareOptions struct {
	with string // another log
	at   string // a moment of this one
}

func (o compareOptions) asked() bool { return o.with != "" || o.at != "" }

func addCompareFlags(cmd *cobra.Command, o *compareOptions) {
	cmd.Flags().StringVar(&o.with, "compare", "", "hold the log against this one")
	cmd.Flags().StringVar(&o.at, "compare-at", "", "hold the time before this moment against the time after it: a date, or seconds from the log's start")
}

// side is one of the two in a comparison.
type side struct {
	input, label string
	keep         func(*workload.Job) bool
}

func runCompare(ctx context.Context, a *app, o fitOptions) error {
	src, err := a.source(o.input)
	if err != nil {
		return err
	}
	defer src.close()
	other, sides := src, [2]side{{o.input, filepath.Base(o.input), nil}, {o.compare.with, filepath.Base(o.compare.with), nil}}
	if o.compare.with != "" {
		if other, err = a.source(o.compare.with); err != nil {
			return err
		}
		defer other.close()
	} else {
		log, err := src.read(func(*workload.Log) error { return nil })
		if err != nil {
			return err
		}
		clock, note := log.Header.Clock()
		if note != "" {
			a.warn("%s: %s", o.input, note)
		}
		moment, err := clock.Moment("compare-at", o.compare.at)
		if err != nil {
			return optionFault(a.cmd, err)
		}
		sides[0].label, sides[0].keep = "before "+o.compare.at, func(j *workload.Job) bool { return j.Submit < moment }
		sides[1] = side{o.input, "from " + o.compare.at, func(j *workload.Job) bool { return j.Submit >= moment }}
	}
	var all []fit.Comparison
	for _, name := range o.Attributes {
		var series [2]fit.Series
		for i, s := range []*source{src, other} {
			log, err := s.read(func(log *workload.Log) (err error) {
				series[i], err = fit.CollectSeries(workload.Until(ctx, log.Jobs()), name,
					fit.SeriesOptions{Label: sides[i].label, Keep: sides[i].keep, Status: o.Status}, nil)
				return err
			})
			if err != nil {
				return about(sides[i].input, err)
			}
			if name == o.Attributes[0] && (i == 0 || other != src) {
				a.warnAll(sides[i].input, log.Warnings())
			}
		}
		for i := range series {
			if len(series[i].Values) == 0 {
				return fmt.Errorf("%s: %s has no job with a %s%s", sides[i].input, sides[i].label, name, a.spanOf(ctx, src, o))
			}
		}
		options := fit.CompareOptions{Fit: o.Fit, Level: o.Fit.Intervals, Replicates: o.Fit.Replicates, Seed: o.Fit.Seed}
		options.Fit.Replicates, options.Fit.Intervals = 0, 0
		if len(o.Families) == 1 {
			options.Family = o.Families[0]
		}
		var end func()
		options.Fit.Replicated, end = a.work("samples of "+string(name), "samples", 2*options.Replicates)
		c, err := fit.Compare(series[0], series[1], options)
		end()
		if err != nil {
			return err
		}
		for _, w := range c.Warnings {
			a.warn("%s: %s", name, w)
		}
		all = append(all, c)
	}
	return a.put(o.result, compareResult(all))
}

// spanOf says when a log's jobs were submitted, where a moment divides it.
func (a *app) spanOf(ctx context.Context, src *source, o fitOptions) string {
	if o.compare.at == "" {
		return ""
	}
	text := ""
	_, err := src.read(func(log *workload.Log) error {
		first, last, known, err := fit.SubmitSpan(workload.Until(ctx, log.Jobs()))
		if err != nil || !known {
			return err
		}
		text = fmt.Sprintf(": its jobs were submitted from second %s to %s", present.Fixed(first, 0), present.Fixed(last, 0))
		if clock, _ := log.Header.Clock(); clock.Dates(first, last) {
			text += fmt.Sprintf(", %s to %s", clock.At(first).Format("2006-01-02 15:04:05"), clock.At(last).Format("2006-01-02 15:04:05"))
		}
		return nil
	})
	if err != nil {
		return ""
	}
	return text
}

type compareJSON struct {
	Schema      string           `json:"schema"`
	Comparisons []comparisonJSON `json:"comparisons"`
}

type comparisonJSON struct {
	Attribute  fit.Attribute `json:"attribute"`
	Family     string        `json:"family"`
	A          sideJSON      `json:"a"`
	B          sideJSON      `json:"b"`
	Level      float64       `json:"level"`
	Replicates int           `json:"replicates"`
	Seed       uint64        `json:"seed"`
	Changes    []changeJSON  `json:"changes"`
	KS         struct {
		D          stats.Number `json:"d"`
		At         stats.Number `json:"at"`
		PValue     stats.Number `json:"p_value"`
		Method     string       `json:"method"`
		Asymptotic stats.Number `json:"p_value_asymptotic"`
	} `json:"ks"`
	Warnings []string `json:"warnings"`
}

type sideJSON struct {
	Label string       `json:"label"`
	Jobs  int64        `json:"jobs"`
	Block stats.Number `json:"block"`
	Why   string       `json:"why,omitempty"`
}

type changeJSON struct {
	Name       string      `json:"name"`
	A          boundedJSON `json:"a"`
	B          boundedJSON `json:"b"`
	Difference boundedJSON `json:"difference"`
	Differs    bool        `json:"differs"`
}

type boundedJSON struct {
	Value stats.Number `json:"value"`
	Low   stats.Number `json:"low"`
	High  stats.Number `json:"high"`
}

func bounded(b fit.Bounded) boundedJSON {
	return boundedJSON{stats.Number(b.Value), stats.Number(b.Low), stats.Number(b.High)}
}

func (b boundedJSON) text() string {
	return fmt.Sprintf("%s [%s, %s]", present.Sig(b.Value), present.Sig(b.Low), present.Sig(b.High))
}

func compareResult(all []fit.Comparison) result {
	js := compareJSON{Schema: "loadstone.fit-compare/1"}
	csv := present.Table{Head: []string{"attribute", "family", "name", "a", "a_low", "a_high", "b", "b_low", "b_high", "difference", "difference_low", "difference_high", "differs"}}
	for _, c := range all {
		j := comparisonJSON{
			Attribute: c.Attribute, Family: c.Family, Level: c.Level, Replicates: c.Replicates, Seed: c.Seed,
			A: sideJSON{c.A.Label, c.A.Jobs, stats.Number(c.A.Block.Mean), c.A.Why}, B: sideJSON{c.B.Label, c.B.Jobs, stats.Number(c.B.Block.Mean), c.B.Why},
			Warnings: append([]string{}, c.Warnings...), Changes: []changeJSON{},
		}
		for _, x := range append(append([]fit.Change{}, c.Quantities...), c.Parameters...) {
			y := changeJSON{x.Name, bounded(x.A), bounded(x.B), bounded(x.Difference), x.Differs}
			j.Changes = append(j.Changes, y)
			row := []string{string(c.Attribute), c.Family, x.Name}
			for _, b := range []boundedJSON{y.A, y.B, y.Difference} {
				row = append(row, present.Full(b.Value), present.Full(b.Low), present.Full(b.High))
			}
			csv.Add(append(row, fmt.Sprint(x.Differs))...)
		}
		j.KS.D, j.KS.At, j.KS.PValue, j.KS.Method = stats.Number(c.KS.D), stats.Number(c.KS.At), stats.Number(c.KS.PValue), c.KS.Method
		j.KS.Asymptotic = stats.Number(c.Asymptotic)
		js.Comparisons = append(js.Comparisons, j)
	}
	text := func(w io.Writer) error {
		for i, c := range js.Comparisons {
			if i > 0 {
				fmt.Fprintln(w)
			}
			io.WriteString(w, message("%s: %s (%d jobs) and %s (%d jobs), %s\n\n", c.Attribute, c.A.Label, c.A.Jobs, c.B.Label, c.B.Jobs, c.Family))
			t := present.Table{Head: []string{"", c.A.Label, c.B.Label, "difference", "changed"}}
			for _, x := range c.Changes {
				changed := "no"
				if x.Differs {
					changed = "yes"
				}
				t.Add(x.Name, x.A.text(), x.B.text(), x.Difference.text(), changed)
			}
			if err := t.WriteTable(w); err != nil {
				return err
			}
			_, err := fmt.Fprintf(w, "\nintervals at %s by the block bootstrap, blocks of %s and %s jobs, %d replicates\nD %s at %s, p-value %s by blocks (%s if jobs were independent)\n",
				present.Sig(c.Level), present.Sig(c.A.Block), present.Sig(c.B.Block), c.Replicates,
				present.Fixed(c.KS.D, 4), present.Sig(c.KS.At), present.Sig(c.KS.PValue), present.Sig(c.KS.Asymptotic))
			if err != nil {
				return err
			}
		}
		return nil
	}
	return result{text: text, json: js, csv: csv}
}
