package figure

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/study/allocate"
	"github.com/loadstone-hpc/loadstone/study/grid"
	"github.com/loadstone-hpc/loadstone/study/sweep"
)

// OfAllocation returns figures 1 to 5 of Downey (1997) for a study of malleable jobs,
// and the sweep. The study keeps its first workload (allocate.Options.Keep).
func OfAllocation(r *allocate.Result) []Spec {
	all := []Spec{parallelismProfiles(), speedups()}
	all = append(all, chosenSizes(r.Sample(), r.First)...)
	for i := range r.First.Outcome.Rows {
		x := &r.First.Outcome.Rows[i]
		if len(x.AloneForecasts) == 0 {
			continue
		}
		var waits score.WaitScatter
		for _, f := range x.AloneForecasts {
			waits.Add(f.Predicted, f.Actual)
		}
		s := scatter(waits.Result(), "predicted", "actual")
		s.Name, s.Title = "waits-"+x.Strategy.Name, "Times until processors are free, predicted by "+x.Strategy.Name
		s.Source = fmt.Sprintf("%s, %d decisions%s", r.Sample(), len(x.AloneForecasts), s.Source)
		all = append(all, s)
	}
	return append(all,
		allocationSweep("sweep-turnaround", "turnaround, change to avg (%)", r, 1, func(s *allocate.StrategyResult) allocate.Interval { return s.System.TurnaroundChange }),
		allocationSweep("sweep-savings", "saved per job, alone (min)", r, 60, func(s *allocate.StrategyResult) allocate.Interval { return s.Application.SavedPerJob }))
}

// chosenSizes draws how work and sizes of jobs under avg are distributed, with the
// distribution of what they brought: figures 3 and 4 of Downey (1997, allocation).
func chosenSizes(source string, first *allocate.Studied) []Spec {
	var work, sizes, sequential, parallelism []float64
	for i, p := range first.Outcome.Schedule {
		work, sizes = append(work, float64(p.Size)*p.Run), append(sizes, float64(p.Size))
		sequential, parallelism = append(sequential, first.Jobs[i].Sequential), append(parallelism, first.Jobs[i].Parallelism)
	}
	source = fmt.Sprintf("%s: %s under avg", source, words.Counted(int64(len(first.Jobs)), "job"))
	picture := func(of fit.Attribute, chosen []float64, name string, brought []float64) Spec {
		return Distribution(of, source, "jobs under avg", sampleOf(chosen), []Law{{Name: name, CDF: shareUpTo(sampleOf(brought))}})
	}
	return []Spec{picture(fit.Work, work, "sequential time of the jobs", sequential), picture(fit.Size, sizes, "average parallelism", parallelism)}
}

const downeyModel = "Downey's speedup model, average parallelism 64"

// parallelismProfiles draws how many processors jobs could use over their duration, in
// the two hypothetical profiles of section 2.1: with
// variance sigma up to 1 half of sigma's share of the time is sequential, and
// half uses 2A-1 processors; above it a sequential part of sigma is followed
// by one of length 1.
func parallelismProfiles() Spec {
	const a, sigma = 64.0, 1.5
	return Spec{Name: "parallelism-profiles", Title: "How many processors a job could use", Source: downeyModel,
		X: Axis{Title: "time, on as many processors as it can use", Kind: Number}, Y: Axis{Title: "processors", Kind: Number},
		Series: []Series{
			{Name: "low variance, sigma 0.5", Kind: Level, Color: 1, X: []float64{0, 0.25, 0.75, 1, 1}, Y: []float64{1, a, 2*a - 1, 0}},
			{Name: "high variance, sigma 1.5", Kind: Level, Color: 2, X: []float64{0, sigma, sigma + 1, sigma + 1}, Y: []float64{1, a + a*sigma - sigma, 0}},
		}}
}

// speedups draws speedup against the number of processors: figure 2.
func speedups() Spec {
	const a = 64.0
	s := Spec{Name: "speedup", Title: "How much faster jobs run on more processors", Source: downeyModel,
		X: Axis{Title: "processors", Kind: Number}, Y: Axis{Title: "speedup", Kind: Number}}
	for i, sigma := range []float64{0, 0.5, 1, 2, math.Inf(1)} {
		c := Series{Name: strings.Replace(fmt.Sprintf("sigma %g", sigma), "+Inf", "infinite", 1), Kind: Line, Color: i + 1}
		for n := 1.0; n <= 256; n++ {
			y := a * n / (a + n - 1)
			if !math.IsInf(sigma, 1) {
				y = model.DowneyS(n, a, sigma)
			}
			c.X, c.Y = append(c.X, n), append(c.Y, y)
		}
		s.Series = append(s.Series, c)
	}
	return s
}

// allocationSweep draws a quantity by the parameter, a curve a strategy.
func allocationSweep(name, heading string, r *allocate.Result, unit float64, of func(*allocate.StrategyResult) allocate.Interval) Spec {
	s := Spec{Name: name, Title: "What " + r.Parameter + " changes", Source: r.Title(), X: Axis{Title: r.Parameter, Kind: Number}, Y: Axis{Title: heading, Kind: Number}}
	if len(r.Settings) < 2 {
		s.Extra, s.Why = true, "want --sweep with a parameter and its values, such as load=0.5,1"
		return s
	}
	if r.Workload.Seeds > 1 {
		s.Source = "bands are 95 % intervals; " + s.Source // its end may be cut, and is what the axis shows
	}
	settings := slices.Clone(r.Settings)
	slices.SortFunc(settings, func(a, b allocate.Setting) int { return cmp.Compare(*a.Value, *b.Value) })
	for i := range settings[0].Strategies {
		c := Series{Name: settings[0].Strategies[i].Name, Kind: Line, Color: i + 1}
		for _, x := range settings {
			v := of(&x.Strategies[i])
			c.X, c.Y = append(c.X, float64(*x.Value)), append(c.Y, float64(v.Mean)/unit)
			c.Low, c.High = append(c.Low, float64(v.Low)/unit), append(c.High, float64(v.High)/unit)
		}
		s.Series = append(s.Series, c)
	}
	return s
}

// mostClusters is the number of clusters that one picture can show.
const mostClusters = 16

// OfGrid returns figures 6 and 7 of Sonmez and others (2009) for a study of a grid:
// the distributions of response times, bounded slowdowns and waits under each
// policy, and where the policies send the jobs.
func OfGrid(r *grid.Result) []Spec {
	source := fmt.Sprintf("%s, %d jobs on %s (%d processors)", filepath.Base(r.Log.Name), r.Scores[0].Jobs, r.Grid.Name, r.Grid.Processors())
	share := func(what string) Axis { return Axis{Title: "share of jobs that " + what, Kind: Share, Max: 1} }
	all := []Spec{
		{Name: "grid-response", Title: "How long jobs take from submission to end", X: Axis{Title: "response time", Kind: Duration}, Y: share("take no longer")},
		{Name: "grid-slowdown", Title: "How much longer jobs take than they run", X: Axis{Title: "bounded slowdown", Kind: Logarithm}, Y: share("are slowed no more")},
		{Name: "grid-wait", Title: "How long jobs wait in the grid", X: Axis{Title: "wait", Kind: Duration}, Y: share("wait no longer")},
	}
	if !slices.ContainsFunc(r.Scores, func(s grid.Score) bool { return s.Wait.Max >= 1 }) {
		all[2].Why = "no job waits a second"
	}
	for k := range all {
		s := &all[k]
		s.Source = source
		for _, x := range r.Scores {
			var points []score.Share
			for _, p := range [][]grid.Point{x.Distributions.Response, x.Distributions.Slowdown, x.Distributions.Wait}[k] {
				points = append(points, score.Share(p))
			}
			s.cumulative(x.Policy, points)
		}
		s.fromOne()
		// The axis begins below the lowest curve, at a whole tenth, so that curves of
		// which most lies above can be told apart.
		low := 1.0
		for i := range s.Series {
			c := &s.Series[i]
			for j, v := range c.X {
				if v >= 1 {
					low = min(low, c.Y[j])
				}
			}
			if n := len(c.Y); n > 0 && c.Y[n-1] == 1 {
				c.X, c.Y = append(c.X, s.X.Max), append(c.Y, 1)
			}
		}
		s.Y.Min = max(0, math.Floor(10*(low-0.02))/10)
	}
	return append(all, clusters(source, r))
}

// clusters draws how the jobs are spread over the clusters, as bars side by side.
func clusters(source string, r *grid.Result) Spec {
	s := Spec{Name: "grid-clusters", Title: "Where policies send the jobs", Source: source, X: Axis{Title: "cluster", Kind: Categories}, Y: Axis{Title: "share of jobs", Kind: Share}}
	if n := len(r.Grid.Clusters); n > mostClusters {
		s.Why = fmt.Sprintf("the picture shows at most %d clusters, and the grid has %d", mostClusters, n)
	}
	for _, c := range r.Grid.Clusters {
		s.X.Names = append(s.X.Names, fmt.Sprintf("%s (%d)", c.Name, c.Processors))
	}
	for i, x := range r.Scores {
		bars := Series{Name: x.Policy, Kind: Bars, Color: i + 1}
		for _, c := range x.Clusters {
			bars.Y = append(bars.Y, float64(c.JobsPct)/100)
		}
		s.Series = append(s.Series, bars)
	}
	return s
}

// OfSweep returns, for each log and drawn measure of a study of schedules, the measure against the
// offered load or, if only the machine's size varies, against its processors: for each kind of
// estimates by policy and, if there are several kinds, for each policy by estimates.
func OfSweep(r *sweep.Summary) []Spec {
	axis, ok := sweepAxisOf(r)
	if !ok {
		return []Spec{absent("measures", "the study has no policies at several loads or on machines of several sizes")}
	}
	var all []Spec
	var logs []string
	var estimates, policies []string // that use them
	var measures []sweep.Measure
	for i := range r.Groups {
		g := &r.Groups[i]
		if _, on := axis.place(g); !on {
			continue
		}
		logs = once(logs, g.Log)
		if g.Estimates != "" {
			estimates, policies = once(estimates, g.Estimates), once(policies, g.Policy)
		}
		if g.Measure.Drawn {
			measures = once(measures, g.Measure)
		}
	}
	if len(estimates) == 0 {
		estimates = []string{""}
	}
	for _, log := range logs {
		for _, m := range measures {
			for _, e := range estimates {
				all = append(all, axis.picture(r, log, m, e, e+" estimates", func(g *sweep.Group) (string, bool) {
					return g.Policy, g.Estimates == "" || g.Estimates == e
				}))
			}
			if len(estimates) < 2 {
				continue
			}
			for _, p := range policies {
				all = append(all, axis.picture(r, log, m, p, p, func(g *sweep.Group) (string, bool) {
					return g.Estimates, g.Policy == p
				}))
			}
		}
	}
	nameApart(all)
	return all
}

// nameApart numbers pictures whose names differ by no letter that a file's name has, or by
// case alone: those of the logs "a b" and "a-b".
func nameApart(all []Spec) {
	taken := map[string]bool{}
	for i := range all {
		name := all[i].Name
		for n := 2; taken[strings.ToLower(name)]; n++ {
			name = fmt.Sprintf("%s-%d", all[i].Name, n)
		}
		taken[strings.ToLower(name)] = true
		all[i].Name = name
	}
}

// sweepAxis is the parameter that measures are drawn against.
type sweepAxis struct {
	name, title string
	sizes       bool // of the machine, not loads
}

// sweepAxisOf is the axis of a study; ok is false if its schedules have none.
func sweepAxisOf(r *sweep.Summary) (axis sweepAxis, ok bool) {
	for _, axis := range []sweepAxis{{"offered load", "different loads", false}, {"processors", "different sizes of the machine", true}} {
		var all []float64
		for i := range r.Groups {
			if x, on := axis.place(&r.Groups[i]); on {
				all = once(all, x)
			}
		}
		if len(all) > 1 {
			return axis, true
		}
	}
	return sweepAxis{}, false
}

// place is that of a group on the axis; ok is false if it has none.
func (a sweepAxis) place(g *sweep.Group) (x float64, ok bool) {
	switch {
	case g.Policy == "":
		return 0, false
	case a.sizes:
		return float64(g.Processors), g.Processors > 0
	}
	return float64(g.Load), view.Known(g.Load)
}

func once[T comparable](all []T, x T) []T {
	if slices.Contains(all, x) {
		return all
	}
	return append(all, x)
}

// wideRange is the factor between means from which on their axis is logarithmic.
const wideRange = 20

// picture draws the curves that curve names. of is a word of the picture's name, empty
// for none, and compared says it in the line below the title.
func (a sweepAxis) picture(r *sweep.Summary, log string, m sweep.Measure, of, compared string, curve func(*sweep.Group) (string, bool)) Spec {
	s := Spec{Name: fileName("sweep", log, m.Name, of), Title: strings.ToUpper(m.Meaning[:1]) + m.Meaning[1:] + " at " + a.title, X: Axis{Title: a.name, Kind: Number}, Y: Axis{Title: m.Meaning}}
	seeds, load := 0, ""
	var means span
	for i := range r.Groups {
		g := &r.Groups[i]
		label, shown := curve(g)
		x, on := a.place(g)
		if !shown || g.Log != log || g.Measure != m || !on {
			continue
		}
		if a.sizes && view.Known(g.Load) {
			load = fmt.Sprintf(", load %g", g.Load)
		}
		if g.Processors > 0 && !a.sizes {
			label += fmt.Sprintf(", %d processors", g.Processors)
		}
		if g.Feedback {
			label += ", closed"
		}
		k := slices.IndexFunc(s.Series, func(c Series) bool { return c.Name == label })
		if k < 0 {
			k = len(s.Series)
			s.Series = append(s.Series, Series{Name: label, Kind: Line, Color: k + 1})
		}
		c := &s.Series[k]
		at, _ := slices.BinarySearch(c.X, x) // a study may list its loads and sizes in any order
		c.X, c.Y = slices.Insert(c.X, at, x), slices.Insert(c.Y, at, float64(g.Mean))
		c.Low, c.High = slices.Insert(c.Low, at, float64(g.Low)), slices.Insert(c.High, at, float64(g.High))
		seeds = max(seeds, g.Seeds)
		if Number.has(float64(g.Mean)) {
			means.add(float64(g.Mean))
		}
	}
	s.Source = fmt.Sprintf("%s%s, %s", log, load, words.Counted(int64(seeds), "seed"))
	if of != "" {
		s.Source += ", " + compared
	}
	if seeds > 1 {
		s.Source += "; bands are 95 % intervals of the mean"
	}
	isTime, isWide := strings.HasSuffix(m.Name, "_s"), means.low > 0 && means.high > wideRange*means.low
	switch {
	case isWide && isTime:
		s.Y.Kind = Duration
	case isWide:
		s.Y.Kind = Logarithm
	case isTime:
		s.Y.Kind = Seconds
	case m.Name == "utilisation":
		s.Y.Kind = Share
	default:
		s.Y.Kind = Number
	}
	return s
}

// fileName joins words to a file's name.
func fileName(words ...string) string {
	words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '.' || r == '_' {
			return r
		}
		return '-'
	}, strings.Join(words, "-"))
}
