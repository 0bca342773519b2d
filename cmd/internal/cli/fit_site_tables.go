package cli

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"time"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/fit/survey"
	"github.com/loadstone-hpc/loadstone/model"
)

// writeSite writes the site's model: a row a class, and all that was fitted of
// each class if the whole is asked for.
func writeSite(w io.Writer, show string, r *survey.Result) error {
	sites := r.Sites()
	if show == siteNone || len(sites) == 0 {
		return nil
	}
	t := siteTable()
	m := r.Model
	if len(m.Classes) == 0 {
		m = *r.ModelOfAll
	}
	if r.SiteOfAll != nil {
		addSiteRow(&t, r.ModelOfAll.Classes[0], &r.SiteOfAll.Classes[0])
	}
	if r.Site != nil {
		for i := range r.Site.Classes {
			addSiteRow(&t, r.Model.Classes[i], &r.Site.Classes[i])
		}
	}
	if _, err := io.WriteString(w, message("\nmodel of %s, %d processors\n\n", m.Name, m.Processors)); err != nil {
		return err
	}
	if err := t.WriteTable(w); err != nil {
		return err
	}
	if err := writeIntervals(w, sites); err != nil || show != siteFull {
		return err
	}
	for _, s := range sites {
		for _, c := range s.Classes {
			if err := writeClass(w, c); err != nil {
				return err
			}
		}
	}
	return nil
}

func siteTable() present.Table {
	return present.Table{Head: []string{"class", "jobs", "serial", "power of 2", "log2 size", "D sizes", "p(size)", "peak ln gap", "arar", "daily cycle", "longest"}}
}

// addSiteRow adds a class to the table of a model; r is nil where it was not
// fitted to one log.
func addSiteRow(t *present.Table, c model.Class, r *site.ClassReport) {
	l := c.Lublin()
	sizes := l.Sizes
	law := fmt.Sprintf("%s-%s-%s, %s", present.Sig(l.Log2.Low), present.Sig(l.Log2.Mid), present.Sig(l.Log2.High), present.Sig(l.Log2.P))
	cycle := "none"
	if c.Arrivals.Method != model.Stationary {
		cycle = gammaText(c.Arrivals.Cycle)
	}
	name, d := c.Name, "-"
	if r != nil {
		if r.Label != name {
			name += " (" + r.Label + ")"
		}
		d = present.Fixed(r.Sizes.DGenerated, 3)
		if r.Sizes.FromJobs {
			table, _ := c.Sizes.(model.SizeTable)
			n := len(table)
			law, d = fmt.Sprintf("%d %s of the log", n, present.Plural(n, "size", "sizes")), "-"
			sizes.SerialShare = float64(r.Sizes.Serial) / float64(r.Sizes.N)
			sizes.PowerOfTwoShare = float64(r.Sizes.PowersOfTwo) / max(1, float64(r.Sizes.Parallel))
		}
	}
	t.Add(name, jobsText(c.Jobs), present.Fixed(sizes.SerialShare, 3), present.Fixed(sizes.PowerOfTwoShare, 3),
		law, d,
		lineText(c.RunTimes.PForm, c.RunTimes.PIntercept, c.RunTimes.PSlope),
		gammaText(c.Arrivals.Peak),
		present.Fixed(c.Arrivals.ARAR, 4), cycle, present.Duration(math.Exp(c.RunTimes.MaxLn)))
}

func gammaText(g dist.Gamma) string {
	return fmt.Sprintf("gamma %s, %s", present.Sig(g.Shape), present.Sig(g.Scale))
}

// lineText writes the share of the first Gamma as a line of the size.
func lineText(form model.PForm, intercept, slope float64) string {
	line := present.Sig(intercept)
	switch {
	case slope < 0:
		line += " - " + present.Sig(-slope) + "·size"
	case slope > 0:
		line += " + " + present.Sig(slope) + "·size"
	}
	if form == model.LogOdds {
		return "log-odds " + line
	}
	return line
}

// titled is a table with its title.
type titled struct {
	title string
	table present.Table
}

// classTables is what was fitted of one class, table by table.
func classTables(r site.ClassReport) []titled {
	return []titled{
		{"sizes, log2 of parallel jobs", sizesTable(r.Sizes)},
		{"ln of run time and of total work", workTable(r)},
		{"p(size), the share of the first Gamma of run times, by lines through the shares of groups of sizes", sharesTable(r.RunTimes)},
		{"its groups of sizes", groupsTable(r.RunTimes)},
		{"arrivals", arrivalsTable(r.Arrivals)},
		{"requested times", estimatesTable(r.Estimates)},
	}
}

// writeClass writes the tables of one class.
func writeClass(w io.Writer, r site.ClassReport) error {
	for _, part := range classTables(r) {
		if len(part.table.Rows) == 0 {
			continue
		}
		name := r.Name
		if r.Label != name {
			name += " (" + r.Label + ")"
		}
		if _, err := io.WriteString(w, message("\n%s: %s\n\n", name, part.title)); err != nil {
			return err
		}
		if err := part.table.WriteTable(w); err != nil {
			return err
		}
	}
	return nil
}

func sizesTable(s site.SizesReport) present.Table {
	t := present.Table{Head: []string{"law", "low", "mid", "high", "p", "shape", "scale", "D generated", "D after rounding", "D"}}
	if s.Parallel > 0 {
		t.Add("two-stage-uniform", present.Sig(s.Law.Low), present.Sig(s.Law.Mid), present.Sig(s.Law.High), present.Sig(s.Law.P), "-", "-", present.Fixed(s.DGenerated, 4), present.Fixed(s.DRounded, 4), present.Fixed(s.D, 4))
	}
	if g := s.Gamma; g != nil {
		law, _ := g.Law.Law.(dist.Gamma)
		t.Add("gamma", "-", "-", "-", "-", present.Sig(law.Shape), present.Sig(law.Scale), "-", present.Fixed(g.DRounded, 4), present.Fixed(g.Law.KS.D, 4))
	}
	return t
}

// workTable is the hyper-Gammas of run times and of work, of all sizes and of
// groups of them: tables 2 to 4 of Lublin and Feitelson (2003).
func workTable(r site.ClassReport) present.Table {
	t := present.Table{Head: []string{"of", "sizes", "jobs", "shape 1", "scale 1", "shape 2", "scale 2", "p", "D", "why not"}}
	add := func(of, sizes string, jobs int64, report *fit.Report, why string) {
		if report == nil {
			t.Add(of, sizes, jobsText(jobs), "-", "-", "-", "-", "-", "-", why)
			return
		}
		law, _ := report.Law.(dist.HyperGamma)
		t.Add(of, sizes, jobsText(report.N), present.Sig(law.First.Shape), present.Sig(law.First.Scale), present.Sig(law.Second.Shape), present.Sig(law.Second.Scale), present.Sig(law.P), present.Fixed(report.KS.D, 4), "")
	}
	add("run time", "all", r.Jobs, &r.RunTimes.Law, "")
	if r.Work != nil {
		add("work", "all", r.Jobs, &r.Work.Law, "")
	}
	for _, f := range r.BySize {
		add("run time", rangeText(f.From, f.To), f.Jobs, f.RunTime, f.WhyNoRunTime)
	}
	for _, f := range r.BySize {
		add("work", rangeText(f.From, f.To), f.Jobs, f.Work, f.WhyNoWork)
	}
	return t.Without("why not", "")
}

func rangeText(from, to int64) string {
	if from == to {
		return strconv.FormatInt(from, 10)
	}
	return fmt.Sprintf("%d-%d", from, to)
}

func sharesTable(r site.RunTimesReport) present.Table {
	t := present.Table{Head: []string{"form", "groups by", "slope", "intercept", "log-likelihood of ln", "D", "D in groups", "worst"}}
	for _, s := range r.Shares {
		t.Add(shareName(r, s), s.Estimator, present.Sig(s.Slope), present.Sig(s.Intercept), present.Fixed(s.LogLikelihood, 1), present.Fixed(s.D, 4), present.Fixed(s.DGroups, 4), present.Fixed(s.DWorst, 4))
	}
	return t
}

// shareName names a form of p(size), and marks the one that the model has.
func shareName(r site.RunTimesReport, s site.ShareFit) string {
	if s.Form == r.Share.Form && s.Estimator == r.Share.Estimator {
		return s.Form + ", in the model"
	}
	return s.Form
}

func groupsTable(r site.RunTimesReport) present.Table {
	t := present.Table{Head: []string{"sizes", "jobs", "p", "D", "p of least D", "least D"}}
	for _, g := range r.Groups {
		t.Add(rangeText(g.Smallest, g.Largest), jobsText(g.Jobs), present.Fixed(g.P, 4), present.Fixed(g.D, 4), present.Fixed(g.PLeastD, 4), present.Fixed(g.LeastD, 4))
	}
	return t
}

func estimatesTable(r *site.EstimatesReport) present.Table {
	t := present.Table{Head: []string{"jobs", "left out", "different", "longest", "ran longer", "rounded up to"}}
	if r != nil {
		round := "-"
		if r.RoundTo > 0 {
			round = present.Duration(r.RoundTo)
		}
		t.Add(jobsText(r.Jobs), jobsText(r.LeftOut), strconv.Itoa(r.Distinct), present.Duration(r.Largest), jobsText(r.Overrun), round)
	}
	return t
}

func arrivalsTable(r site.ArrivalsReport) present.Table {
	t := present.Table{Head: []string{"what", "jobs", "shape", "scale", "D", "more"}}
	peak, _ := r.Peak.Law.(dist.Gamma)
	name := "ln of gaps at peak hours"
	if r.AllHours {
		name = "ln of gaps, all hours"
	}
	above := fmt.Sprintf("gaps above %s s", present.Sig(r.MinGap))
	if r.ShortGap > 0 {
		above = fmt.Sprintf("gaps up to %s s count as %s s", present.Sig(r.MinGap), present.Sig(r.ShortGap))
	}
	if r.MaxGap > 0 {
		above += fmt.Sprintf(", up to %s s", present.Sig(r.MaxGap))
	}
	t.Add(name, jobsText(r.Peak.N), present.Sig(peak.Shape), present.Sig(peak.Scale), present.Fixed(r.Peak.KS.D, 4), above)
	t.Add("mean ln gap over that at peak (ARAR)", jobsText(r.Gaps), "-", "-", "-", present.Fixed(r.ARAR, 4))
	cycle := func(name string, c *site.CycleReport) {
		if c == nil {
			return
		}
		more := "sum of (m-d)²/(m+d) " + present.Fixed(c.Distance, 0)
		for _, p := range c.Peaks {
			more += fmt.Sprintf(", %s: %.0f %s taken off", p.Name, p.Jobs, present.Plural(int(math.Round(p.Jobs)), "job", "jobs"))
		}
		t.Add(name, jobsText(c.N), present.Sig(c.Law.Shape), present.Sig(c.Law.Scale), present.Fixed(c.D, 4), more)
	}
	cycle("daily cycle, half hours", r.Cycle)
	cycle("with automatic peaks", r.FullCycle)
	if k := r.Week; k != nil {
		jobs, text := int64(0), ""
		for i, n := range k.Jobs {
			jobs += n
			if i > 0 {
				text += ", "
			}
			text += time.Weekday(i).String()[:3] + " " + present.Fixed(k.Weights[i], 2)
		}
		t.Add("weekly cycle", jobsText(jobs), "-", "-", "-", text)
	}
	if m := r.Methods; m != nil {
		switch {
		case m.ExpectedInterarrival == nil:
			t.Add("expected interarrival times", "-", "-", "-", "-", m.Why)
		default:
			low, high := math.Inf(1), 0.0
			for _, s := range m.ExpectedInterarrival {
				low, high = min(low, s), max(high, s)
			}
			t.Add("expected interarrival times", "-", present.Sig(low)+" to "+present.Sig(high), present.Sig(peak.Scale), "-", "a shape for each half hour")
		}
		if s := m.ExpectedSlots; s != nil {
			low, high := math.Inf(1), 0.0
			for _, v := range s.Shapes {
				low, high = min(low, v), max(high, v)
			}
			more := "a shape for each half hour"
			if !s.Converged {
				more = fmt.Sprintf("did not converge: ln of the jump is off by %s", present.Sig(s.Residual))
			}
			t.Add("expected slots", "-", present.Sig(low)+" to "+present.Sig(high), present.Sig(peak.Scale), "-", more)
		}
	}
	return t
}
