package cli

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

type fitJSON struct {
	Schema string           `json:"schema"`
	Log    workload.Summary `json:"log"`
	Fits   []fit.Report     `json:"fits"`
	Site   *site.Report     `json:"site,omitempty"`
	All    *site.Report     `json:"site_of_all_jobs,omitempty"` // where Site is of interactive and batch jobs
}

func fitResult(log workload.Summary, o fitOptions, reports []fit.Report, f siteFit) result {
	js := fitJSON{Schema: "loadstone.fit/1", Log: log, Fits: append([]fit.Report{}, reports...)}
	if len(f.report.Classes) > 0 && o.site.show != siteNone {
		js.Site, js.All = &f.report, f.allReport
	}
	csv := present.Table{Head: []string{"attribute", "transform", "by", "family", "parameter", "value", "n", "log_likelihood", "aic", "bic", "ks_d", "ks_p_value", "ks_method", "status", "low", "high", "method", "in_model"}}
	for _, r := range reports {
		for _, p := range r.Parameters {
			low, high := stats.Number(math.NaN()), stats.Number(math.NaN())
			if i, ok := intervalOf(r, p.Name); ok {
				low, high = stats.Number(i.Low), stats.Number(i.High)
			}
			csv.Add(string(r.Attribute), string(r.Transform), r.By, r.Family, p.Name, present.Full(p.Value), jobsText(r.N),
				present.Full(r.LogLikelihood), present.Full(r.AIC), present.Full(r.BIC), present.Full(r.KS.D), present.Full(r.KS.PValue), r.KS.Method, string(r.Status),
				present.Full(low), present.Full(high), r.Method, strconv.FormatBool(r.InModel))
		}
	}
	text := func(w io.Writer) error {
		if err := writeFits(w, o.criterion(), reports); err != nil {
			return err
		}
		return writeSite(w, o.site.show, f)
	}
	return result{text: text, json: js, csv: csv}
}

// writeFits is the table of laws, each attribute's and class's in the order of
// the criterion. A column stands only where some report has it.
func writeFits(w io.Writer, rank fit.Criterion, reports []fit.Report) error {
	// One law each has nothing to be behind of.
	families := map[string]bool{}
	for _, r := range reports {
		families[r.Family] = true
	}
	alone := len(families) < 2
	columns := []struct {
		name string
		of   func(fit.Ranked) string // "" where the report has none
	}{
		{"attribute", func(r fit.Ranked) string { return string(r.Attribute) }},
		{"by", func(r fit.Ranked) string { return r.By }},
		{"family", func(r fit.Ranked) string { return r.Family }},
		{"n", func(r fit.Ranked) string { return jobsText(r.N) }},
		{"log-likelihood", func(r fit.Ranked) string { return present.Fixed(r.LogLikelihood, 1) }},
		{"behind", func(r fit.Ranked) string {
			switch {
			case alone:
				return ""
			case r.Place == 0:
				return "-"
			}
			return present.Fixed(r.Behind, 1)
		}},
		{"D", func(r fit.Ranked) string { return present.Fixed(r.KS.D, 4) }},
		{"p-value", func(r fit.Ranked) string { return pText(r.KS.Significance) }},
		{"A2", func(r fit.Ranked) string {
			if r.AD == nil {
				return ""
			}
			return present.Fixed(r.AD.A2, 2)
		}},
		{"its p", func(r fit.Ranked) string {
			if r.AD == nil {
				return ""
			}
			return pText(r.AD.Significance)
		}},
		{"chi2", func(r fit.Ranked) string { return chiSquareText(r.ChiSquare) }},
		{"chi2 of samples", func(r fit.Ranked) string { return chiSquareText(r.SampledChiSquare) }},
		{"cross-validated", func(r fit.Ranked) string {
			if r.CrossValidation == nil {
				return ""
			}
			return present.Fixed(r.CrossValidation.LogLikelihood, 1)
		}},
		{"parts that pass", func(r fit.Ranked) string {
			if r.Subsamples == nil {
				return ""
			}
			return fmt.Sprintf("%.0f%%", 100*r.Subsamples.Share())
		}},
		{"method", func(r fit.Ranked) string {
			if methods := fit.Methods(r.Family); len(methods) == 0 || r.Method == methods[0] {
				return "" // the family's own
			}
			return r.Method
		}},
		{"model", func(r fit.Ranked) string {
			if r.InModel {
				return "yes"
			}
			return ""
		}},
		{"status", func(r fit.Ranked) string { return string(r.Status) }},
		{"parameters", func(r fit.Ranked) string { return parameterText(r.Report) }},
	}
	var ranked []fit.Ranked
	for from := 0; from < len(reports); {
		to := from + 1
		for to < len(reports) && reports[to].Attribute == reports[from].Attribute && reports[to].By == reports[from].By {
			to++
		}
		part, err := fit.Rank(reports[from:to], rank)
		if err != nil {
			return err
		}
		ranked = append(ranked, part...)
		from = to
	}
	var t present.Table
	cells := make([][]string, len(ranked))
	for _, c := range columns {
		any := false
		var column []string
		for _, r := range ranked {
			text := c.of(r)
			any = any || text != ""
			if text == "" {
				text = "-"
			}
			column = append(column, text)
		}
		if !any {
			continue
		}
		t.Head = append(t.Head, c.name)
		for i, text := range column {
			cells[i] = append(cells[i], text)
		}
	}
	t.Rows = cells
	return t.WriteTable(w)
}

func chiSquareText(c *fit.ChiSquare) string {
	if c == nil {
		return ""
	}
	text := fmt.Sprintf("%s/%d", present.Fixed(c.X2, 1), c.DegreesOfFreedom)
	if p := pText(c.Significance); p != "" {
		text += ", p " + p
	}
	return text
}

// pText writes a p-value with the digits that its replicates resolve; "" where
// there are none.
func pText(s fit.Significance) string {
	least, reached := s.Resolution()
	if math.IsNaN(least) {
		return ""
	}
	digits := int(math.Ceil(-math.Log10(least) - 1e-9))
	if reached {
		// Rounded up: the replicates show no more than this.
		scale := math.Pow10(digits)
		return "< " + strconv.FormatFloat(math.Ceil(least*scale-1e-9)/scale, 'f', digits, 64)
	}
	return present.Fixed(s.PValue, digits)
}

// intervalOf is the interval of a parameter, if the report has one.
func intervalOf(r fit.Report, name string) (fit.Interval, bool) {
	if r.Intervals != nil {
		for _, i := range r.Intervals.Of {
			if i.Name == name {
				return i, true
			}
		}
	}
	return fit.Interval{}, false
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
		for _, atom := range r.Atoms {
			add(r, atom.String())
		}
		for _, l := range r.LeftOut {
			add(r, fmt.Sprintf("%d %s left out: %s", l.Jobs, present.Plural(int(l.Jobs), "job", "jobs"), l.Why))
		}
		for _, text := range r.Warnings {
			add(r, text)
		}
	}
	if len(reports) > 0 && reports[0].KS.Method == fit.NoPValue {
		a.note("note: D has no p-value without replicates: '--replicates 199' draws one")
	}
	for _, text := range texts {
		const most = 4
		names := fits[text]
		switch {
		case len(names) == len(reports) && len(names) > 1:
			a.note("note: %s (all fits)", text)
		case len(names) > most:
			rest := len(names) - most
			a.note("note: %s (%s and %d other %s)", text, strings.Join(names[:most], "; "), rest, present.Plural(rest, "fit", "fits"))
		default:
			a.note("note: %s (%s)", text, strings.Join(names, "; "))
		}
	}
}
