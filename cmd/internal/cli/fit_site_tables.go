package cli

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"time"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/model"
)

// writeSite writes the site's model: a row a class, and all that was fitted of
// each class if the whole is asked for.
func writeSite(w io.Writer, show string, f siteFit) error {
	if show == siteNone || len(f.site.Classes) == 0 && f.all == nil {
		return nil
	}
	t := siteTable()
	site := f.site
	reports := f.report.Classes
	if f.all != nil {
		if len(site.Classes) == 0 {
			site = *f.all
		}
		addSiteRow(&t, f.all.Classes[0], &f.allReport.Classes[0])
		reports = append(f.allReport.Classes[:1:1], reports...)
	}
	for i, r := range f.report.Classes {
		addSiteRow(&t, f.site.Classes[i], &r)
	}
	if _, err := fmt.Fprintf(w, "\nmodel of %s, %d processors\n\n", site.Name, site.Processors); err != nil {
		return err
	}
	if err := t.writeTo(w); err != nil {
		return err
	}
	if err := writeIntervals(w, f); err != nil {
		return err
	}
	if show != siteFull {
		return nil
	}
	for _, r := range reports {
		if err := writeClass(w, r); err != nil {
			return err
		}
	}
	return nil
}

func siteTable() table {
	return table{head: []string{"class", "jobs", "serial", "power of 2", "log2 size", "D sizes", "p(size)", "peak ln gap", "arar", "daily cycle", "longest"}}
}

// addSiteRow adds a class to the table of a model; r is nil where it was not
// fitted to one log.
func addSiteRow(t *table, c model.Class, r *fit.ClassReport) {
	sizes := c.Sizes
	law := fmt.Sprintf("%s-%s-%s, %s", sig(sizes.Log2.Low), sig(sizes.Log2.Mid), sig(sizes.Log2.High), sig(sizes.Log2.P))
	cycle := "none"
	if c.Arrivals.Method != model.Stationary {
		cycle = gammaText(c.Arrivals.Cycle)
	}
	name, d := c.Name, "-"
	if r != nil {
		if r.Label != name {
			name += " (" + r.Label + ")"
		}
		d = fixed(r.Sizes.DGenerated, 3)
		if r.Sizes.FromJobs {
			n := len(sizes.Shares)
			law, d = fmt.Sprintf("%d %s of the log", n, plural(n, "size", "sizes")), "-"
			sizes.SerialShare = float64(r.Sizes.Serial) / float64(r.Sizes.N)
			sizes.PowerOfTwoShare = float64(r.Sizes.PowersOfTwo) / max(1, float64(r.Sizes.Parallel))
		}
	}
	t.add(name, jobsText(c.Jobs), fixed(sizes.SerialShare, 3), fixed(sizes.PowerOfTwoShare, 3),
		law, d,
		lineText(c.RunTimes.PForm, c.RunTimes.PIntercept, c.RunTimes.PSlope),
		gammaText(c.Arrivals.Peak),
		fixed(c.Arrivals.ARAR, 4), cycle, duration(math.Exp(c.RunTimes.MaxLn)))
}

func gammaText(g dist.Gamma) string {
	return fmt.Sprintf("gamma %s, %s", sig(g.Shape), sig(g.Scale))
}

// lineText writes the share of the first Gamma as a line of the size.
func lineText(form model.PForm, intercept, slope float64) string {
	line := sig(intercept)
	switch {
	case slope < 0:
		line += " - " + sig(-slope) + "·size"
	case slope > 0:
		line += " + " + sig(slope) + "·size"
	}
	if form == model.LogOdds {
		return "log-odds " + line
	}
	return line
}

// titled is a table with its title.
type titled struct {
	title string
	table table
}

// classTables is what was fitted of one class, table by table.
func classTables(r fit.ClassReport) []titled {
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
func writeClass(w io.Writer, r fit.ClassReport) error {
	for _, part := range classTables(r) {
		if len(part.table.rows) == 0 {
			continue
		}
		name := r.Name
		if r.Label != name {
			name += " (" + r.Label + ")"
		}
		if _, err := fmt.Fprintf(w, "\n%s: %s\n\n", name, part.title); err != nil {
			return err
		}
		if err := part.table.writeTo(w); err != nil {
			return err
		}
	}
	return nil
}

func sizesTable(s fit.SizesReport) table {
	t := table{head: []string{"law", "low", "mid", "high", "p", "shape", "scale", "D generated", "D after rounding", "D"}}
	if s.Parallel > 0 {
		t.add("two-stage-uniform", sig(s.Law.Low), sig(s.Law.Mid), sig(s.Law.High), sig(s.Law.P), "-", "-", fixed(s.DGenerated, 4), fixed(s.DRounded, 4), fixed(s.D, 4))
	}
	if g := s.Gamma; g != nil {
		law, _ := g.Law.Law.(dist.Gamma)
		t.add("gamma", "-", "-", "-", "-", sig(law.Shape), sig(law.Scale), "-", fixed(g.DRounded, 4), fixed(g.Law.KS.D, 4))
	}
	return t
}

// workTable is the hyper-Gammas of run times and of work, of all sizes and of
// groups of them: tables 2 to 4 of Lublin and Feitelson (2003).
func workTable(r fit.ClassReport) table {
	t := table{head: []string{"of", "sizes", "jobs", "shape 1", "scale 1", "shape 2", "scale 2", "p", "D", "why not"}}
	add := func(of, sizes string, jobs int64, report *fit.Report, why string) {
		if report == nil {
			t.add(of, sizes, jobsText(jobs), "-", "-", "-", "-", "-", "-", why)
			return
		}
		law, _ := report.Law.(dist.HyperGamma)
		t.add(of, sizes, jobsText(report.N), sig(law.First.Shape), sig(law.First.Scale), sig(law.Second.Shape), sig(law.Second.Scale), sig(law.P), fixed(report.KS.D, 4), "")
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
	return t.without("why not", "")
}

func rangeText(from, to int64) string {
	if from == to {
		return strconv.FormatInt(from, 10)
	}
	return fmt.Sprintf("%d-%d", from, to)
}

func sharesTable(r fit.RunTimesReport) table {
	t := table{head: []string{"form", "groups by", "slope", "intercept", "log-likelihood of ln", "D", "D in groups", "worst"}}
	for _, s := range r.Shares {
		t.add(shareName(r, s), s.Estimator, sig(s.Slope), sig(s.Intercept), fixed(s.LogLikelihood, 1), fixed(s.D, 4), fixed(s.DGroups, 4), fixed(s.DWorst, 4))
	}
	return t
}

// shareName names a form of p(size), and marks the one that the model has.
func shareName(r fit.RunTimesReport, s fit.ShareFit) string {
	if s.Form == r.Share.Form && s.Estimator == r.Share.Estimator {
		return s.Form + ", in the model"
	}
	return s.Form
}

func groupsTable(r fit.RunTimesReport) table {
	t := table{head: []string{"sizes", "jobs", "p", "D", "p of least D", "least D"}}
	for _, g := range r.Groups {
		t.add(rangeText(g.Smallest, g.Largest), jobsText(g.Jobs), fixed(g.P, 4), fixed(g.D, 4), fixed(g.PLeastD, 4), fixed(g.LeastD, 4))
	}
	return t
}

func estimatesTable(r *fit.EstimatesReport) table {
	t := table{head: []string{"jobs", "left out", "different", "longest", "ran longer", "rounded up to"}}
	if r != nil {
		round := "-"
		if r.RoundTo > 0 {
			round = duration(r.RoundTo)
		}
		t.add(jobsText(r.Jobs), jobsText(r.LeftOut), strconv.Itoa(r.Distinct), duration(r.Largest), jobsText(r.Overrun), round)
	}
	return t
}

func arrivalsTable(r fit.ArrivalsReport) table {
	t := table{head: []string{"what", "jobs", "shape", "scale", "D", "more"}}
	peak, _ := r.Peak.Law.(dist.Gamma)
	name := "ln of gaps at peak hours"
	if r.AllHours {
		name = "ln of gaps, all hours"
	}
	above := fmt.Sprintf("gaps above %s s", sig(r.MinGap))
	if r.ShortGap > 0 {
		above = fmt.Sprintf("gaps up to %s s count as %s s", sig(r.MinGap), sig(r.ShortGap))
	}
	if r.MaxGap > 0 {
		above += fmt.Sprintf(", up to %s s", sig(r.MaxGap))
	}
	t.add(name, jobsText(r.Peak.N), sig(peak.Shape), sig(peak.Scale), fixed(r.Peak.KS.D, 4), above)
	t.add("mean ln gap over that at peak (ARAR)", jobsText(r.Gaps), "-", "-", "-", fixed(r.ARAR, 4))
	cycle := func(name string, c *fit.CycleReport) {
		if c == nil {
			return
		}
		more := "sum of (m-d)²/(m+d) " + fixed(c.Distance, 0)
		for _, p := range c.Peaks {
			more += fmt.Sprintf(", %s: %.0f %s taken off", p.Name, p.Jobs, plural(int(math.Round(p.Jobs)), "job", "jobs"))
		}
		t.add(name, jobsText(c.N), sig(c.Law.Shape), sig(c.Law.Scale), fixed(c.D, 4), more)
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
			text += time.Weekday(i).String()[:3] + " " + fixed(k.Weights[i], 2)
		}
		t.add("weekly cycle", jobsText(jobs), "-", "-", "-", text)
	}
	if m := r.Methods; m != nil {
		switch {
		case m.ExpectedInterarrival == nil:
			t.add("expected interarrival times", "-", "-", "-", "-", m.Why)
		default:
			low, high := math.Inf(1), 0.0
			for _, s := range m.ExpectedInterarrival {
				low, high = min(low, s), max(high, s)
			}
			t.add("expected interarrival times", "-", sig(low)+" to "+sig(high), sig(peak.Scale), "-", "a shape for each half hour")
		}
		if s := m.ExpectedSlots; s != nil {
			low, high := math.Inf(1), 0.0
			for _, v := range s.Shapes {
				low, high = min(low, v), max(high, v)
			}
			more := "a shape for each half hour"
			if !s.Converged {
				more = fmt.Sprintf("did not converge: ln of the jump is off by %s", sig(s.Residual))
			}
			t.add("expected slots", "-", sig(low)+" to "+sig(high), sig(peak.Scale), "-", more)
		}
	}
	return t
}
