package cli

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/model"
)

type fitJSON struct {
	Schema string       `json:"schema"`
	Log    logJSON      `json:"log"`
	Fits   []fit.Report `json:"fits"`
}

func fitResult(log logJSON, reports []fit.Report, site model.Site, report fit.SiteReport) result {
	js := fitJSON{Schema: "loadstone.fit/1", Log: log, Fits: append([]fit.Report{}, reports...)}
	csv := table{head: []string{"attribute", "transform", "by", "family", "parameter", "value", "n", "log_likelihood", "aic", "bic", "ks_d", "ks_p_value", "ks_method", "status"}}
	people := table{head: []string{"attribute", "by", "family", "n", "log-likelihood", "D", "p-value", "status", "parameters"}}
	for _, r := range reports {
		for _, p := range r.Parameters {
			csv.add(string(r.Attribute), string(r.Transform), r.By, r.Family, p.Name, number(p.Value).text(), jobsText(r.N),
				number(r.LogLikelihood).text(), number(r.AIC).text(), number(r.BIC).text(), number(r.KS.D).text(), number(r.KS.PValue).text(), r.KS.Method, string(r.Status))
		}
		people.add(string(r.Attribute), r.By, r.Family, jobsText(r.N), fixed(r.LogLikelihood, 1), fixed(r.KS.D, 4), sig(r.KS.PValue), string(r.Status), parameterText(r))
	}
	text := func(w io.Writer) error {
		if err := people.writeTo(w); err != nil {
			return err
		}
		return writeSite(w, site, report)
	}
	return result{text: text, json: js, csv: csv}
}

// noteFits says what was left out of fits and warned of, once for all the fits
// that it is true of.
func (a *app) noteFits(reports []fit.Report) {
	var texts []string
	fits := map[string][]string{}
	add := func(r fit.Report, text string) {
		name := r.Family
		if r.Attribute != fit.RunTime || r.By != "all" {
			name += fmt.Sprintf(" of %s, %s", r.Attribute, r.By)
		}
		if len(fits[text]) == 0 {
			texts = append(texts, text)
		}
		fits[text] = append(fits[text], name)
	}
	for _, r := range reports {
		for _, l := range r.LeftOut {
			add(r, fmt.Sprintf("%d jobs left out: %s", l.Jobs, l.Why))
		}
		for _, text := range r.Warnings {
			add(r, text)
		}
	}
	for _, text := range texts {
		const most = 4
		names := fits[text]
		switch {
		case len(names) == len(reports) && len(names) > 1:
			a.note("note: %s (all fits)", text)
		case len(names) > most:
			a.note("note: %s (%s and %d more)", text, strings.Join(names[:most], "; "), len(names)-most)
		default:
			a.note("note: %s (%s)", text, strings.Join(names, "; "))
		}
	}
}

// writeSite writes the site's model as a table, one column a class.
func writeSite(w io.Writer, site model.Site, report fit.SiteReport) error {
	if len(site.Classes) == 0 {
		return nil
	}
	if _, err := fmt.Fprintf(w, "\nmodel of %s, %d processors\n\n", site.Name, site.Processors); err != nil {
		return err
	}
	t := table{head: []string{"class", "jobs", "serial", "power of 2", "log2 size", "D sizes", "p(size)", "peak ln gap", "arar", "daily cycle", "longest"}}
	for i, c := range site.Classes {
		r := report.Classes[i]
		size := c.Sizes.Log2
		cycle := "none"
		if c.Arrivals.Method != model.Stationary {
			cycle = fmt.Sprintf("gamma %s, %s", sig(c.Arrivals.Cycle.Shape), sig(c.Arrivals.Cycle.Scale))
		}
		name := c.Name
		if r.Label != name {
			name += " (" + r.Label + ")"
		}
		t.add(name, jobsText(c.Jobs), fixed(c.Sizes.SerialShare, 3), fixed(c.Sizes.PowerOfTwoShare, 3),
			fmt.Sprintf("%s-%s-%s, %s", sig(size.Low), sig(size.Mid), sig(size.High), sig(size.P)),
			fixed(r.Sizes.DRounded, 3),
			lineText(c.RunTimes.PIntercept, c.RunTimes.PSlope),
			fmt.Sprintf("gamma %s, %s", sig(c.Arrivals.Peak.Shape), sig(c.Arrivals.Peak.Scale)),
			fixed(c.Arrivals.ARAR, 4), cycle, duration(math.Exp(c.RunTimes.MaxLn)))
	}
	return t.writeTo(w)
}

// lineText writes the share of the first Gamma as a line of the size.
func lineText(intercept, slope float64) string {
	switch {
	case slope == 0:
		return sig(intercept)
	case slope < 0:
		return sig(intercept) + " - " + sig(-slope) + "·size"
	}
	return sig(intercept) + " + " + sig(slope) + "·size"
}

// plotRunTimes draws one picture a class: its run times and the laws fitted to
// them.
func (a *app) plotRunTimes(o fitOptions, name string, classes []fit.Class, reports []fit.Report) error {
	if err := os.MkdirAll(o.plots, 0o777); err != nil {
		return fileFault(o.plots, err)
	}
	if !slices.Contains(o.attributes, string(fit.RunTime)) {
		a.warn("%s: only run times are drawn, and no law of them was asked for", o.input)
	}
	for _, class := range classes {
		sample := class.Sample(fit.RunTime)
		if len(sample.Values) == 0 {
			a.warn("%s: %s: no run times to draw", o.input, class.Label())
			continue
		}
		var laws []figure.Law
		for _, r := range reports {
			if r.Attribute == fit.RunTime && r.By == class.Label() {
				laws = append(laws, figure.Law{Name: r.Family, CDF: cdfOfSeconds(r, sample)})
			}
		}
		file := "run-times.svg"
		if class.Column != "" {
			file = fmt.Sprintf("run-times-%s-%s.svg", class.Column, known(class.Value))
		}
		source := fmt.Sprintf("%s, %d jobs with a run time", filepath.Base(name), sample.Jobs())
		if class.Column != "" {
			source = fmt.Sprintf("%s, %s, %d jobs with a run time", filepath.Base(name), class.Label(), sample.Jobs())
		}
		path := filepath.Join(o.plots, file)
		err := a.writeFile(path, func(w io.Writer) error {
			return figure.RunTimes(w, "svg", source, sample.Values, sample.Counts, laws)
		})
		if err != nil {
			return err
		}
		a.note("%s: drawn", path)
	}
	return nil
}

// cdfOfSeconds is a fitted law's distribution function over the same jobs as
// the log's: a law of a logarithm was fitted without the shortest jobs, which
// stand below it.
func cdfOfSeconds(r fit.Report, sample fit.Sample) func(float64) float64 {
	all := float64(sample.Jobs())
	below := (all - float64(r.N)) / all
	return func(seconds float64) float64 {
		return below + (1-below)*r.Law.CDF(r.Transform.Apply(seconds))
	}
}
