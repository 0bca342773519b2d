package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/fit/survey"
	"github.com/loadstone-hpc/loadstone/model"
)

// someLogs is the arguments of a fit of several logs.
func someLogs(args []string) error {
	if len(args) < 2 {
		return fmt.Errorf("--representative makes one model of several: want two or more logs or model files")
	}
	stdin := 0
	for _, name := range args {
		switch name {
		case "":
			return fmt.Errorf("a log's name is empty: want a file, or - for standard input")
		case "-":
			stdin++
		}
	}
	if stdin > 1 {
		return fmt.Errorf("standard input can be one of the logs")
	}
	return nil
}

type representativeJSON struct {
	Schema string       `json:"schema"`
	Method string       `json:"method"`
	Sites  []siteOfJSON `json:"sites"`
	Model  siteOfJSON   `json:"model"`
}

// siteOfJSON is a model where it came from.
type siteOfJSON struct {
	Input string       `json:"input,omitempty"`
	Model model.Site   `json:"-"`
	Text  encodedModel `json:"model"`
	Fit   *site.Report `json:"fit,omitempty"`
}

// encodedModel is a model as its file has it.
type encodedModel struct{ site model.Site }

func (m encodedModel) MarshalJSON() ([]byte, error) {
	var b strings.Builder
	if err := model.Encode(&b, m.site); err != nil {
		return nil, err
	}
	return []byte(b.String()), nil
}

// isModelFile tells model files from logs, by their names.
func isModelFile(input string) bool { return strings.EqualFold(filepath.Ext(input), ".json") }

// runRepresentative makes one model of several logs and model files.
func runRepresentative(ctx context.Context, a *app, o fitOptions) error {
	js := representativeJSON{Schema: "loadstone.fit-representative/1", Method: o.representative}
	var sites []model.Site
	for _, input := range append([]string{o.input}, o.more...) {
		s := siteOfJSON{Input: input}
		if isModelFile(input) {
			site, err := a.loadModel(input)
			if err != nil {
				return err
			}
			s.Model = site
		} else {
			one := o
			one.input = input
			if one.Site.PForm == site.FormLikeliest {
				one.Site.PForm = site.FormLinear // the paper averages the lines through groups
			}
			r, err := a.fitModel(ctx, one)
			if err != nil {
				return err
			}
			s.Model, s.Fit = r.Model, r.Site
		}
		s.Text = encodedModel{s.Model}
		js.Sites = append(js.Sites, s)
		sites = append(sites, s.Model)
	}
	name := "representative"
	if o.output != "" {
		name = survey.ModelLine(survey.NameOf(strings.TrimSuffix(filepath.Base(o.output), filepath.Ext(o.output))))
	}
	site, report, err := site.Representative(sites, site.RepresentativeOptions{Name: name, Method: o.representative, Processors: o.Site.Processors})
	if err != nil {
		return err
	}
	js.Model = siteOfJSON{Model: site, Text: encodedModel{site}}
	text := func(w io.Writer) error { return js.write(w, report) }
	put := func() error { return a.put(o.result, result{text: text, json: js, csv: js.csv()}) }
	if o.output == "" {
		return put()
	}
	err = a.writeFile(o.output, func(w io.Writer) error {
		if err := model.Encode(w, site); err != nil {
			return err
		}
		return put()
	})
	if err == nil {
		a.note("%s: model of %d sites", o.output, len(sites))
	}
	return err
}

// fitModel fits the model of the site alone to a log.
func (a *app) fitModel(ctx context.Context, o fitOptions) (*survey.Result, error) {
	log, err := a.open(o.input)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	o.Model, o.NoLaws = true, true
	r, err := survey.Compute(ctx, log, o.Options)
	if err != nil {
		return nil, about(o.input, err)
	}
	a.warnAll(o.input, r.Warnings)
	a.tell(o.input, present.ModelRemarks(r))
	return r, nil
}

// write is the table for people: the sites' classes, and what became of them.
func (js representativeJSON) write(w io.Writer, report site.RepresentativeReport) error {
	t := siteTable()
	t.Head[0] = "site"
	laws := present.Table{Head: []string{"site", "of", "shape 1", "scale 1", "shape 2", "scale 2", "p"}}
	add := func(s model.Site) {
		for _, c := range s.Classes {
			name := s.Name
			if len(s.Classes) > 1 {
				name += ", " + c.Name
			}
			c.Name = name
			addSiteRow(&t, c, nil)
			law := c.Lublin().RunTimes.Law
			laws.Add(name, "ln run time", present.Sig(law.First.Shape), present.Sig(law.First.Scale), present.Sig(law.Second.Shape), present.Sig(law.Second.Scale), present.Sig(law.P))
			if c.Work != nil {
				law = c.Work.Law
				laws.Add(name, "ln work", present.Sig(law.First.Shape), present.Sig(law.First.Scale), present.Sig(law.Second.Shape), present.Sig(law.Second.Scale), present.Sig(law.P))
			}
		}
	}
	for _, s := range js.Sites {
		add(s.Model)
	}
	add(js.Model.Model)
	if _, err := fmt.Fprintf(w, "model of %d sites by %s, %d processors\n\n", len(js.Sites), report.Method, js.Model.Model.Processors); err != nil {
		return err
	}
	t = t.Without("D sizes", "-")
	if err := t.WriteTable(w); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	if err := laws.WriteTable(w); err != nil {
		return err
	}
	for _, c := range report.Classes {
		for _, s := range []struct {
			of     string
			search *site.LawSearch
		}{{"run times", c.RunTimes}, {"work", c.Work}} {
			if s.search == nil {
				continue
			}
			if _, err := fmt.Fprintf(w, "\n%s, %s: of %d laws %d have two modes in the right places; the best is %s from the middle of the sites' densities\n",
				c.Name, s.of, s.search.Tried, s.search.Kept, present.Fixed(s.search.Distance, 3)); err != nil {
				return err
			}
		}
	}
	return nil
}

// csv has a row for each number of each model.
func (js representativeJSON) csv() present.Table {
	t := present.Table{Head: []string{"site", "class", "parameter", "value"}}
	add := func(s model.Site) {
		for _, c := range s.Classes {
			row := func(name string, v float64) { t.Add(s.Name, c.Name, name, present.Full(v)) }
			l := c.Lublin()
			row("serial_share", l.Sizes.SerialShare)
			row("power_of_two_share", l.Sizes.PowerOfTwoShare)
			row("log2_low", l.Log2.Low)
			row("log2_mid", l.Log2.Mid)
			row("log2_high", l.Log2.High)
			row("log2_p", l.Log2.P)
			laws := func(of string, law dist.HyperGamma) {
				row(of+"_shape_1", law.First.Shape)
				row(of+"_scale_1", law.First.Scale)
				row(of+"_shape_2", law.Second.Shape)
				row(of+"_scale_2", law.Second.Scale)
				row(of+"_p", law.P)
			}
			laws("run_time", l.RunTimes.Law)
			row("p_slope", l.RunTimes.PSlope)
			row("p_intercept", l.RunTimes.PIntercept)
			if c.Work != nil {
				laws("work", c.Work.Law)
			}
			row("peak_shape", l.Gaps.Peak.Shape)
			row("peak_scale", l.Gaps.Peak.Scale)
			row("arar", l.Gaps.ARAR)
			if c.Arrivals.Method != model.Stationary {
				row("cycle_shape", l.Cycle.Shape)
				row("cycle_scale", l.Cycle.Scale)
			}
		}
	}
	for _, s := range js.Sites {
		add(s.Model)
	}
	add(js.Model.Model)
	return t
}
