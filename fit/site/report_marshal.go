package site

import (
	"encoding/json"
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/stats"
)

// MarshalJSON writes the report in the stable form "loadstone.site-report/1".
func (r Report) MarshalJSON() ([]byte, error) {
	out := reportJSON{
		Schema: ReportSchema, Jobs: r.Jobs,
		Classes: []classJSON{}, Skipped: []skippedJSON{}, Warnings: texts(r.Warnings),
	}
	if r.Column != "" {
		out.Column = &r.Column
	}
	for _, c := range r.Classes {
		out.Classes = append(out.Classes, c.json())
	}
	for _, f := range r.Fallbacks {
		out.Fallbacks = append(out.Fallbacks, fallbackJSON(f))
	}
	for _, s := range r.Skipped {
		out.Skipped = append(out.Skipped, skippedJSON(s))
	}
	if r.Intervals != nil {
		out.Intervals = r.Intervals.json()
	}
	return json.Marshal(out)
}

func (c ClassReport) json() classJSON {
	out := classJSON{
		Name: c.Name, Label: c.Label, Jobs: c.Jobs,
		Sizes: c.Sizes.json(), RunTimes: c.RunTimes.json(), Arrivals: c.Arrivals.json(),
		BySize: []bySizeJSON{}, Warnings: texts(c.Warnings),
	}
	if w := c.Work; w != nil {
		out.Work = &workJSON{w.Law, w.MaxLn, w.MaxLnSource}
	}
	if e := c.Estimates; e != nil {
		out.Estimates = (*estimatesJSON)(e)
	}
	for _, f := range c.BySize {
		out.BySize = append(out.BySize, bySizeJSON{f.From, f.To, f.Jobs, f.RunTime, f.WhyNoRunTime, f.Work, f.WhyNoWork})
	}
	return out
}

func (s SizesReport) json() sizesJSON {
	none := stats.Number(math.NaN())
	out := sizesJSON{
		N: s.N, LeftOut: append([]fit.LeftOut{}, s.LeftOut...), Serial: s.Serial, Parallel: s.Parallel, PowersOfTwo: s.PowersOfTwo, Largest: s.Largest, FromJobs: s.FromJobs,
		D: none, DRounded: none, DGenerated: none,
		Status: s.Status, Iterations: s.Iterations, Warnings: texts(s.Warnings),
	}
	if s.Parallel > 0 {
		out.Law = &dist.JSON{Law: s.Law}
		out.D, out.DRounded, out.DGenerated = stats.Number(s.D), stats.Number(s.DRounded), stats.Number(s.DGenerated)
	}
	if g := s.Gamma; g != nil {
		out.Gamma = &sizesGammaJSON{g.Law, stats.Number(g.DRounded)}
	}
	return out
}

func (r RunTimesReport) json() runTimesJSON {
	out := runTimesJSON{
		Fit: r.Law, Groups: []sizeGroupJSON{}, Slope: stats.Number(r.Slope), Intercept: stats.Number(r.Intercept), RSquared: stats.Number(r.RSquared),
		Form: r.Share.Form, Estimator: r.Share.Estimator, Shares: []shareJSON{}, Correlation: stats.Number(r.Correlation), MaxLn: r.MaxLn, MaxLnSource: r.MaxLnSource, Warnings: texts(r.Warnings),
	}
	for _, g := range r.Groups {
		out.Groups = append(out.Groups, sizeGroupJSON{g.Smallest, g.Largest, g.Median, g.Jobs, g.P, stats.Number(g.D), g.PLeastD, stats.Number(g.LeastD)})
	}
	for _, f := range r.Shares {
		out.Shares = append(out.Shares, shareJSON{
			f.Form, f.Estimator, stats.Number(f.Slope), stats.Number(f.Intercept), stats.Number(f.RSquared),
			stats.Number(f.LogLikelihood), stats.Number(f.D), stats.Number(f.DGroups), stats.Number(f.DWorst),
		})
	}
	return out
}

func (a ArrivalsReport) json() arrivalsJSON {
	out := arrivalsJSON{
		Peak: a.Peak, AllHours: a.AllHours, MinGap: a.MinGap, MaxGap: given(a.MaxGap), ShortGap: given(a.ShortGap),
		ARAR: stats.Number(a.ARAR), Gaps: a.Gaps, Cycle: a.Cycle.json(), FullCycle: a.FullCycle.json(),
		MaxLn: a.MaxLn, MaxLnSource: a.MaxLnSource, Warnings: texts(a.Warnings),
	}
	if w := a.Week; w != nil {
		out.Week = &weekJSON{w.Jobs, w.Seconds, w.Weights}
	}
	if m := a.Methods; m != nil {
		out.Methods = &methodsJSON{ExpectedInterarrival: m.ExpectedInterarrival, SlotWeights: m.SlotWeights, Why: m.Why}
		if s := m.ExpectedSlots; s != nil {
			out.Methods.ExpectedSlots = &expectedSlotsJSON{s.Shapes, s.Converged, s.Iterations, stats.Number(s.Residual)}
		}
	}
	return out
}

func (c *CycleReport) json() *cycleJSON {
	if c == nil {
		return nil
	}
	out := &cycleJSON{Law: dist.JSON{Law: c.Law}, N: c.N, D: stats.Number(c.D), Distance: stats.Number(c.Distance), Peaks: []peakOffJSON{}}
	for _, p := range c.Peaks {
		out.Peaks = append(out.Peaks, peakOffJSON{p.Name, p.From, p.To, p.Jobs})
	}
	return out
}

// given is nil for 0, which stands for an option that was not.
func given(v float64) *float64 {
	if v == 0 {
		return nil
	}
	return &v
}

// texts is a list that is never null.
func texts(s []string) []string { return append([]string{}, s...) }
