package figure

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/study/allocate"
	"github.com/loadstone-hpc/loadstone/study/capacity"
	"github.com/loadstone-hpc/loadstone/study/grid"
	"github.com/loadstone-hpc/loadstone/study/sweep"
	"github.com/loadstone-hpc/loadstone/workload"
)

// OfAllocation returns figures 3 to 5 of Downey (1997, allocation) for a study of malleable
// jobs: the distributions of work and size of the jobs under avg, with those of their sequential
// time and average parallelism, and the times until processors are free. The study must have kept
// its first workload (allocate.Options.Keep).
func OfAllocation(r *allocate.Result) []Spec {
	sample, first := r.Sample(), r.First
	var work, sizes, sequential, parallelism []float64
	for i, p := range first.Schedule {
		work, sizes = append(work, float64(p.Size)*p.Run), append(sizes, float64(p.Size))
		sequential, parallelism = append(sequential, first.Jobs[i].Sequential), append(parallelism, first.Jobs[i].Parallelism)
	}
	source := fmt.Sprintf("%s: %s under avg", sample, words.Counted(int64(len(first.Jobs)), "job"))
	distribution := func(a fit.Attribute, values []float64, name string, brought []float64) Spec {
		law := Law{Name: name, CDF: shareUpTo(fit.NewSample(a, brought))}
		return Distribution(a, source, "jobs under avg", fit.NewSample(a, values), []Law{law})
	}
	all := []Spec{
		distribution(fit.Work, work, "sequential time of the jobs", sequential),
		distribution(fit.Size, sizes, "average parallelism", parallelism),
	}
	for _, x := range first.Rows {
		if len(x.Forecasts) == 0 {
			continue
		}
		var waits score.WaitScatter
		for _, f := range x.Forecasts {
			waits.Add(f.Predicted, f.Actual)
		}
		all = append(all, scatter("waits-"+x.Strategy.Name, "Times until processors are free, predicted by "+x.Strategy.Name,
			fmt.Sprintf("%s, %d decisions", sample, len(x.Forecasts)), waits.Result(), "predicted", "actual"))
	}
	return all
}

// mostClusters is the largest number of clusters in a picture.
const mostClusters = 16

// OfGrid returns figures 6 and 7 of Sonmez and others (2009) for a study of a grid:
// the distributions of response times, bounded slowdowns and waits under each
// policy, and where the policies send the jobs.
func OfGrid(r *grid.Result) []Spec {
	source := fmt.Sprintf("%s, %d jobs on %s (%d processors)", filepath.Base(r.Log.Name), r.Scores[0].Jobs, r.Grid.Name, r.Grid.Processors())
	distribution := func(name, title string, x Axis, what string, of func(grid.Score) []score.Share) Spec {
		s := Spec{Name: name, Title: title, Source: source, X: x, Y: Axis{Title: "jobs that " + what, Kind: Share, Max: 1}}
		for _, x := range r.Scores {
			s.cumulative(x.Policy, of(x))
		}
		s.fromOne()
		s.raise(1)
		return s
	}
	response := distribution("grid-response", "How long jobs take from submission to end", Axis{Title: "response time", Kind: Duration}, "take no longer", func(s grid.Score) []score.Share { return s.Distributions.Response })
	slowdown := distribution("grid-slowdown", "How much longer jobs take than they run", Axis{Title: "bounded slowdown", Kind: Logarithm}, "are slowed no more", func(s grid.Score) []score.Share { return s.Distributions.Slowdown })
	wait := distribution("grid-wait", "How long jobs wait in the grid", Axis{Title: "wait", Kind: Duration}, "wait no longer", func(s grid.Score) []score.Share { return s.Distributions.Wait })
	if !slices.ContainsFunc(r.Scores, func(s grid.Score) bool { return s.Wait.Max >= 1 }) {
		wait.Why = "no job waits a second"
	}
	clusters := Spec{Name: "grid-clusters", Title: "Where policies send the jobs", Source: source, X: Axis{Title: "cluster", Kind: Categories}, Y: Axis{Title: "share of jobs", Kind: Share}}
	if n := len(r.Grid.Clusters); n > mostClusters {
		clusters.Why = fmt.Sprintf("the picture shows at most %d clusters, and the grid has %d", mostClusters, n)
	}
	for _, x := range r.Scores {
		for i, c := range x.Clusters {
			of := r.Grid.Clusters[i]
			put(&clusters, Bars, x.Policy, clusters.X.category(fmt.Sprintf("%s (%d)", of.Name, of.Processors)), float64(c.JobsPct)/100, unknown, unknown)
		}
	}
	return []Spec{response, slowdown, wait, clusters}
}

// OfCapacity returns, for each policy, the target's statistic of the waits by the size of the
// machine, with its band and the limit.
func OfCapacity(r *capacity.Result) (all []Spec) {
	for _, a := range r.Answers {
		s := Spec{Name: "capacity-" + workload.InFileName(a.Policy), Title: "How long users wait on machines of different sizes",
			Source: fmt.Sprintf("%s, %s under %s; the band is a %.0f %% interval", filepath.Base(r.Log.Name), words.Counted(int64(r.Log.Jobs), "job"), a.Policy, 100*r.Level),
			X:      Axis{Title: r.Unit, Kind: Number}, Y: Axis{Title: r.Target, Kind: Duration}}
		for _, p := range r.Curve {
			if p.Policy == a.Policy {
				x := float64(p.Size)
				put(&s, Line, "log", x, max(1, float64(p.Value)), max(1, float64(p.Low)), max(1, float64(p.High)))
				put(&s, Line, "twins", x, max(1, float64(p.Twins)), unknown, unknown)
				put(&s, Line, "limit", x, max(1, float64(a.Limit)), unknown, unknown)
			}
		}
		all = append(all, s)
	}
	return all
}

// OfSweep returns, for each log and drawn measure of a study of schedules, the measure against the
// offered load or, if only the machine's size varies, against its processors: for each kind of
// estimates by policy and, if there are several kinds, for each policy by estimates.
func OfSweep(r *sweep.Summary) []Spec {
	for _, a := range []sweepAxis{
		{"offered load", " at different loads", func(g *sweep.Group) float64 { return float64(g.Load) }},
		{"processors", " at different sizes of the machine", func(g *sweep.Group) float64 { return float64(g.Processors) }},
	} {
		places := map[float64]bool{}
		var groups []*sweep.Group
		for i := range r.Groups {
			if g := &r.Groups[i]; a.place(g) > 0 {
				groups = append(groups, g)
				places[a.place(g)] = true
			}
		}
		if len(places) > 1 {
			return a.pictures(groups)
		}
	}
	return []Spec{absent("measures", "the study has neither several loads nor machines of several sizes")}
}

// sweepAxis is the parameter that measures are drawn against.
type sweepAxis struct {
	name, title string
	place       func(*sweep.Group) float64 // above 0 if it is known
}

// pictures returns the pictures of groups. A policy without estimates is in the pictures of all
// kinds of estimates.
func (a sweepAxis) pictures(groups []*sweep.Group) (all []Spec) {
	kinds := []string{} // of estimates
	for _, g := range groups {
		if g.Estimates != "" && !slices.Contains(kinds, g.Estimates) {
			kinds = append(kinds, g.Estimates)
		}
	}
	type subject struct{ log, measure, of string }
	at, names := map[subject]int{}, map[string]int{}
	add := func(g *sweep.Group, of, compared, curve string) {
		key := subject{g.Log, g.Measure.Name, of}
		i, ok := at[key]
		if !ok {
			name := strings.TrimSuffix("sweep-"+workload.InFileName(g.Log)+"-"+g.Measure.Name+"-"+of, "-")
			folded := strings.ToLower(name)
			if names[folded]++; names[folded] > 1 { // names of logs that differ only in case or in characters not kept in file names
				name += fmt.Sprintf("-%d", names[folded])
			}
			i, at[key] = len(all), len(all)
			all = append(all, a.picture(name, compared, g))
		}
		if g.Processors > 0 && a.name != "processors" {
			curve += fmt.Sprintf(", %d processors", g.Processors)
		}
		if g.Feedback {
			curve += ", closed"
		}
		put(&all[i], Line, curve, a.place(g), g.Mean, g.Low, g.High)
	}
	for _, g := range groups {
		of := kinds
		if g.Estimates != "" || len(kinds) == 0 {
			of = []string{g.Estimates}
		}
		for _, kind := range of {
			if g.Measure.Drawn {
				add(g, kind, kind+" estimates", g.Policy)
			}
		}
		if g.Measure.Drawn && g.Estimates != "" && len(kinds) > 1 {
			add(g, g.Policy, g.Policy, g.Estimates)
		}
	}
	for i := range all {
		all[i].widen()
	}
	return all
}

// wideRange is the ratio of the largest to the smallest value above which the axis is
// logarithmic.
const wideRange = 20

// widen makes the Y axis logarithmic if its values span more than wideRange.
func (s *Spec) widen() {
	var values span
	for _, c := range s.Series {
		values.add(Number, c.Y)
	}
	switch {
	case !(values.low > 0 && values.high > wideRange*values.low):
	case s.Y.Kind == Seconds:
		s.Y.Kind = Duration
	default:
		s.Y.Kind = Logarithm
	}
}

// picture returns a picture, still without curves, of the measure of a group; compared describes
// what its curves have in common.
func (a sweepAxis) picture(name, compared string, g *sweep.Group) Spec {
	meaning := g.Measure.Meaning
	s := Spec{Name: name, Title: strings.ToUpper(meaning[:1]) + meaning[1:] + a.title, Source: g.Log, X: Axis{Title: a.name, Kind: Number}, Y: Axis{Title: meaning, Kind: Number}}
	switch {
	case strings.HasSuffix(g.Measure.Name, "_s"):
		s.Y.Kind = Seconds
	case g.Measure.Name == "utilisation":
		s.Y.Kind = Share
	}
	if a.name == "processors" && view.Known(g.Load) {
		s.Source += fmt.Sprintf(", load %g", g.Load)
	}
	s.Source += ", " + words.Counted(int64(g.Seeds), "seed")
	if compared != " estimates" { // no policy has any
		s.Source += ", " + compared
	}
	if g.Seeds > 1 {
		s.Source += "; bands are 95 % intervals of the mean"
	}
	return s
}
