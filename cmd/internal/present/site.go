package present

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/internal/words"
)

// Titled is a table with its title.
type Titled struct {
	Title string
	Table Table
}

// ClassTables returns what was fitted of one class of a site, table by table.
func ClassTables(r site.ClassReport) []Titled {
	return []Titled{
		{"sizes, log2 of parallel jobs", sizesTable(r.Sizes)},
		{"ln of run time and of total work", workTable(r)},
		{"p(size), the share of the first Gamma of run times, as a function of the size", sharesTable(r.RunTimes)},
		{"its groups of sizes", groupsTable(r.RunTimes)},
		{"arrivals", arrivalsTable(r.Arrivals)},
		{"requested times", estimatesTable(r.Estimates)},
	}
}

func sizesTable(s site.SizesReport) Table {
	t := Table{Head: []string{"law", "low", "mid", "high", "p", "shape", "scale", "KS generated", "KS rounded", "KS distance"}}
	if law, ok := s.Law.Law.(dist.TwoStageUniform); ok {
		t.Add("two-stage-uniform", Sig(law.Low), Sig(law.Mid), Sig(law.High), Sig(law.P), "-", "-", Fixed(s.DGenerated, 4), Fixed(s.DRounded, 4), Fixed(s.D, 4))
	}
	if g := s.Gamma; g != nil {
		law, _ := g.Law.Law.(dist.Gamma)
		t.Add("gamma", "-", "-", "-", "-", Sig(law.Shape), Sig(law.Scale), "-", Fixed(g.DRounded, 4), Fixed(g.Law.KS.D, 4))
	}
	return t
}

// workTable is the hyper-Gammas of run times and of work, of all sizes and of
// groups of them: tables 2 to 4 of Lublin and Feitelson (2003).
func workTable(r site.ClassReport) Table {
	t := Table{Head: []string{"of", "sizes", "jobs", "shape 1", "scale 1", "shape 2", "scale 2", "p", "KS distance", "why not"}}
	add := func(of, sizes string, jobs int64, report *fit.Report, why string) {
		if report == nil {
			t.Add(of, sizes, Whole(jobs), "-", "-", "-", "-", "-", "-", why)
			return
		}
		law, _ := report.Law.(dist.HyperGamma)
		t.Add(of, sizes, Whole(report.N), Sig(law.First.Shape), Sig(law.First.Scale), Sig(law.Second.Shape), Sig(law.Second.Scale), Sig(law.P), Fixed(report.KS.D, 4), "")
	}
	add("run time", "all", r.Jobs, &r.RunTimes.Law, "")
	if r.Work != nil {
		add("work", "all", r.Jobs, &r.Work.Law, "")
	}
	for _, f := range r.BySize {
		add("run time", Range(f.From, f.To), f.Jobs, f.RunTime, f.WhyNoRunTime)
	}
	for _, f := range r.BySize {
		add("work", Range(f.From, f.To), f.Jobs, f.Work, f.WhyNoWork)
	}
	return t.Without("why not", "")
}

// Range writes the ends of a range, or the one value that it has.
func Range(from, to int64) string {
	if from == to {
		return strconv.FormatInt(from, 10)
	}
	return fmt.Sprintf("%d-%d", from, to)
}

func sharesTable(r site.RunTimesReport) Table {
	t := Table{Head: []string{"form", "groups by", "slope", "intercept", "log-likelihood of ln", "KS distance", "KS in groups", "worst"}}
	for _, s := range r.Shares {
		t.Add(ShareName(r, s), s.Estimator, Sig(s.Slope), Sig(s.Intercept), Fixed(s.LogLikelihood, 1), Fixed(s.D, 4), Fixed(s.DGroups, 4), Fixed(s.DWorst, 4))
	}
	return t
}

// ShareName names a form of p(size), and marks the one that the model has.
func ShareName(r site.RunTimesReport, s site.ShareFit) string {
	if s.Form == r.Form && s.Estimator == r.Estimator {
		return s.Form + ", in the model"
	}
	return s.Form
}

func groupsTable(r site.RunTimesReport) Table {
	t := Table{Head: []string{"sizes", "jobs", "p", "KS distance", "p of least KS", "least KS"}}
	for _, g := range r.Groups {
		t.Add(Range(g.Smallest, g.Largest), Whole(g.Jobs), Fixed(g.P, 4), Fixed(g.D, 4), Fixed(g.PLeastD, 4), Fixed(g.LeastD, 4))
	}
	return t
}

func estimatesTable(r *site.EstimatesReport) Table {
	t := Table{Head: []string{"jobs", "left out", "different", "longest", "ran longer", "rounded up to"}}
	if r != nil {
		round := "-"
		if r.RoundTo > 0 {
			round = Duration(r.RoundTo)
		}
		t.Add(Whole(r.Jobs), Whole(r.LeftOut), strconv.Itoa(r.Distinct), Duration(r.Largest), Whole(r.Overrun), round)
	}
	return t
}

func arrivalsTable(r site.ArrivalsReport) Table {
	t := Table{Head: []string{"what", "jobs", "shape", "scale", "KS distance", "more"}}
	peak, _ := r.Peak.Law.(dist.Gamma)
	name := "ln of interarrival, peak hours"
	if r.AllHours {
		name = "ln of interarrival, all hours"
	}
	above := fmt.Sprintf("interarrival above %s s", Sig(r.MinGap))
	t.Add(name, Whole(r.Peak.N), Sig(peak.Shape), Sig(peak.Scale), Fixed(r.Peak.KS.D, 4), above)
	t.Add("mean ln of interarrival, all hours over peak", Whole(r.Gaps), "-", "-", "-", Fixed(r.ARAR, 4))
	cycle := func(name string, c *site.CycleReport) {
		if c == nil {
			return
		}
		more := "sum of (m-d)²/(m+d) " + Fixed(c.Distance, 0)
		for _, p := range c.Peaks {
			more += fmt.Sprintf(", %s: %.0f %s removed", p.Name, p.Jobs, words.Noun(int(math.Round(p.Jobs)), "job"))
		}
		law, _ := c.Law.Law.(dist.Gamma)
		t.Add(name, Whole(c.N), Sig(law.Shape), Sig(law.Scale), Fixed(c.D, 4), more)
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
			text += time.Weekday(i).String()[:3] + " " + Fixed(k.Weights[i], 2)
		}
		t.Add("weekly cycle", Whole(jobs), "-", "-", "-", text)
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
			t.Add("expected interarrival times", "-", Sig(low)+" to "+Sig(high), Sig(peak.Scale), "-", "a shape for each half hour")
		}
		if s := m.ExpectedSlots; s != nil {
			low, high := math.Inf(1), 0.0
			for _, v := range s.Shapes {
				low, high = min(low, v), max(high, v)
			}
			more := "a shape for each half hour"
			if !s.Converged {
				more = fmt.Sprintf("did not converge: ln of the jump is off by %s", Sig(s.Residual))
			}
			t.Add("expected slots", "-", Sig(low)+" to "+Sig(high), Sig(peak.Scale), "-", more)
		}
	}
	return t
}

// Weeks says how many weeks intervals were drawn from.
func Weeks(i *site.Intervals) string {
	if i.BlockWeeks > 1 {
		return fmt.Sprintf("%d blocks of %d weeks with jobs", i.Blocks, i.BlockWeeks)
	}
	return fmt.Sprintf("%d weeks with jobs", i.Blocks)
}
