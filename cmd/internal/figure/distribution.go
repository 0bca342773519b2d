package figure

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/loadstone-hpc/loadstone/fit"
)

// curvePoints is the number of points of a curve. They are log-spaced on a log axis:
// gonum/plot's own plotter of functions spaces points evenly and would draw chords.
const curvePoints = 600

// attributeWords are the texts of pictures of an attribute.
type attributeWords struct {
	name  string // of the picture
	title string
	axis  string
	upTo  string // title of the axis of its distribution function
	jobs  string // completes "jobs with"
	kind  AxisKind
}

var attributes = map[fit.Attribute]attributeWords{
	fit.RunTime:      {"run-times", "How long jobs run", "run time", "jobs that run no longer", "a run time", Duration},
	fit.Size:         {"sizes", "How large jobs are", "size (processors)", "jobs that are no larger", "a size", Processors},
	fit.Work:         {"work", "How much work jobs do", "total work (processor time)", "jobs that do no more", "a size and a run time", Duration},
	fit.Interarrival: {"interarrivals", "How soon the next job comes", "interarrival time", "interarrivals no longer", "an interarrival time", Duration},
}

// Law is a fitted law to draw with the jobs of a sample.
type Law struct {
	Name string
	// CDF returns the share of jobs whose attribute is at most x.
	CDF func(x float64) float64
}

// LawOf returns a fitted law for drawing with the sample that it was fitted to. A law
// of a logarithm is fitted without the jobs whose logarithm is not positive; the CDF
// counts them as smaller than any x.
func LawOf(r fit.Report, sample fit.Sample) Law {
	jobs := float64(sample.Jobs())
	below := (jobs - float64(r.N)) / jobs
	return Law{r.Family, func(x float64) float64 { return below + (1-below)*r.Law.CDF(r.Transform.Apply(x)) }}
}

// shareUpTo returns the empirical distribution function of a sample.
func shareUpTo(s fit.Sample) func(x float64) float64 {
	upTo := make([]float64, len(s.Values)+1)
	for i, c := range s.Counts {
		upTo[i+1] = upTo[i] + c
	}
	return func(x float64) float64 {
		i := sort.Search(len(s.Values), func(i int) bool { return s.Values[i] > x })
		return upTo[i] / upTo[len(s.Values)]
	}
}

// group is a class of jobs with the law fitted to it; law is nil if there is none.
type group struct {
	name   string
	sample fit.Sample
	law    *Law
}

// distributions returns a picture of the empirical distribution functions of an attribute over a
// log axis, and the points at which curves are drawn: from the smallest value of 1 or more to the
// largest. Values below 1 are counted but not drawn. Laws are dashed, in the colour of their
// group; a single group is drawn in grey, as data are.
func distributions(attribute fit.Attribute, source string, groups ...group) (Spec, []float64) {
	words := attributes[attribute]
	s := Spec{Name: words.name, Title: words.title, Source: source, X: Axis{Title: words.axis, Kind: words.kind}, Y: Axis{Title: words.upTo, Kind: Share, Max: 1}}
	var values span
	for _, g := range groups {
		first, _ := slices.BinarySearch(g.sample.Values, 1)
		values.add(Number, g.sample.Values[first:])
	}
	if !values.some {
		s.Why = "no value is 1 or more"
		return s, nil
	}
	if values.high == values.low {
		values.high *= 2
	}
	xs := logSpaced(values.low, values.high, curvePoints)
	fitted := "fitted" // a single entry in the legend, for all laws
	var laws []Series
	for i, g := range groups {
		s.Series = append(s.Series, curve(g.name, i+1, xs, shareUpTo(g.sample)))
		if g.law != nil {
			law := curve(fitted, i+1, xs, g.law.CDF)
			law.Dash, fitted = Dashed, ""
			laws = append(laws, law)
		}
	}
	if len(groups) == 1 {
		s.Series[0].Color = 0
	}
	for i := range s.Series {
		if laws != nil {
			s.Series[i].Dash = Solid
		}
	}
	s.Series = append(s.Series, laws...)
	return s, xs
}

// Distribution returns a picture of the distribution function of the jobs of a log, with laws.
func Distribution(attribute fit.Attribute, source, name string, sample fit.Sample, laws []Law) Spec {
	s, xs := distributions(attribute, source, group{name: name, sample: sample})
	for i, law := range laws {
		s.Series = append(s.Series, curve(law.Name, i+1, xs, law.CDF))
	}
	return s
}

// byClass returns a picture of the run times of several classes of jobs, each with its law, as in
// figures 3, 6 and 7 of Downey (1997), "Predicting queue times on space-sharing
// parallel computers", and figures 4 and 7 of Lublin and Feitelson (2003).
func byClass(name, source, by string, groups []group) Spec {
	s, _ := distributions(fit.RunTime, source, groups...)
	s.Name, s.Title = name, s.Title+", by "+by
	if len(groups) < 2 {
		what := "classes"
		if by == byTime {
			what = "stretches of time (--months)"
		}
		s.Why = fmt.Sprintf("there are not two %s with jobs", what)
	}
	return s
}

// byTime is the criterion of classes that are periods of submission.
const byTime = "time of submission"

// densities returns a picture of the density of the logarithm of an attribute: its histogram, with
// the laws fitted to it. Equal areas are equal shares of the jobs. A law far above the
// histogram is cut off at the frame.
func densities(attribute fit.Attribute, source string, sample fit.Sample, laws []Law) Spec {
	s, xs := distributions(attribute, source, group{sample: sample})
	noun, _, _ := strings.Cut(s.X.Title, " (")
	s.Name, s.Title, s.Y = s.Name+"-density", s.Title+": density", Axis{Title: "density of ln(" + noun + ")", Kind: Number}
	if s.Why != "" {
		return s
	}
	edges := binEdges(sample, xs[0], xs[len(xs)-1])
	bars := density(shareUpTo(sample), edges)
	s.Series = []Series{{Name: "the log", Kind: Bars, X: edges, Y: bars}}
	s.Y.Max = 1.3 * slices.Max(bars)
	for i, law := range laws {
		fine := logSpaced(edges[0], edges[len(edges)-1], curvePoints)
		s.Series = append(s.Series, Series{Name: law.Name, Kind: Line, Color: i + 1, X: fine[1:], Y: density(law.CDF, fine)})
	}
	return s
}

// density returns the mean density between consecutive edges, per unit of the natural logarithm.
func density(cdf func(float64) float64, edges []float64) (all []float64) {
	for i, to := range edges[1:] {
		all = append(all, (cdf(to)-cdf(edges[i]))/math.Log(to/edges[i]))
	}
	return all
}

// binEdges returns the edges of bars of about equal width on a log axis.
//
// If all values are whole numbers, such as seconds, bars end halfway between two of them: a bar
// from 2.1 s to 2.9 s would always be empty.
func binEdges(s fit.Sample, from, to float64) (edges []float64) {
	isWhole := !slices.ContainsFunc(s.Values, func(v float64) bool { return v != math.Trunc(v) })
	edges = []float64{from * (1 - 1e-9)}
	if isWhole {
		edges[0] = from - 0.5
	}
	// The number of bins follows Rice's rule, 2 n^(1/3), up to as many as can be distinguished.
	bins := min(60, max(8, math.Ceil(2*math.Cbrt(float64(s.Jobs())))))
	for _, e := range logSpaced(from, to, 1+int(bins))[1:] {
		if isWhole {
			e = math.Floor(e*(1+1e-9)) + 0.5 // rounding may leave a whole edge just below its value
		}
		if e > edges[len(edges)-1] {
			edges = append(edges, e)
		}
	}
	return edges
}

// accuracyAndError returns pictures, still without curves, of the distributions of the accuracy
// and the absolute error of predictions, as in figures 3 and 4 of Sonmez and others (2009).
func accuracyAndError(prefix, what, source string) (accuracy, miss Spec) {
	y := Axis{Title: "predictions up to it", Kind: Share, Max: 1}
	return Spec{Name: prefix + "-accuracy-distribution", Title: "How the accuracy of predicted " + what + " is distributed", Source: source, X: Axis{Title: "accuracy", Kind: Number, Max: 1}, Y: y},
		Spec{Name: prefix + "-error-distribution", Title: "How far predicted " + what + " are off", Source: source, X: Axis{Title: "absolute error", Kind: Duration}, Y: y}
}
