package figure

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/score"
)

// curvePoints is how many points a curve is drawn with: over a log axis they are
// log-spaced, since the library's own plotter of functions would draw chords.
const curvePoints = 600

// attributeWords are how pictures speak of an attribute.
type attributeWords struct {
	name  string // of pictures
	title string
	axis  string
	upTo  string // of the axis of its distribution function
	ln    string // its logarithm
	jobs  string // what the jobs of a picture have
	kind  AxisKind
}

var attributes = map[fit.Attribute]attributeWords{
	fit.RunTime:      {"run-times", "How long jobs run", "run time", "share of jobs that run no longer", "ln(run time)", "a run time", Duration},
	fit.Size:         {"sizes", "How large jobs are", "size (processors)", "share of jobs that are no larger", "ln(size)", "a size", Processors},
	fit.Work:         {"work", "How much work jobs do", "total work (processor time)", "share of jobs that do no more", "ln(work)", "a size and a run time", Duration},
	fit.Interarrival: {"interarrivals", "How soon the next job comes", "interarrival time", "share of interarrivals no longer", "ln(interarrival time)", "an interarrival time", Duration},
}

// Law is a fitted law to draw over the jobs of a sample.
type Law struct {
	Name string
	// CDF is the share of the jobs whose attribute is at most x.
	CDF func(x float64) float64
	// density is the share of the jobs per unit of ln x, at x: x times the density
	// of the attribute.
	density func(x float64) float64
}

// LawOf returns a fitted law as it is drawn with the sample that it was fitted to. A law
// of a logarithm is fitted without the jobs for which that is not positive; they
// are below the law.
func LawOf(r fit.Report, sample fit.Sample) Law {
	jobs := float64(sample.Jobs())
	return newLaw(r.Family, r.Law, r.Transform, (jobs-float64(r.N))/jobs)
}

func newLaw(name string, law dist.Law, of fit.Transform, below float64) Law {
	density := dist.LogDensity(law)
	slope := func(x float64) float64 { // ln of the transform's derivative by ln x
		switch of {
		case fit.Ln:
			return 0
		case fit.Log2:
			return -math.Log(math.Ln2)
		}
		return math.Log(x)
	}
	return Law{
		Name:    name,
		CDF:     func(x float64) float64 { return below + (1-below)*law.CDF(of.Apply(x)) },
		density: func(x float64) float64 { return (1 - below) * math.Exp(density(of.Apply(x))+slope(x)) },
	}
}

// curve is a function at some places.
func curve(name string, color int, xs []float64, at func(x float64) float64) Series {
	s := Series{Name: name, Kind: Line, Color: color, X: xs}
	for _, x := range xs {
		s.Y = append(s.Y, at(x))
	}
	return s
}

// shareUpTo is the empirical distribution function of a sample.
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

// placesFor are those of curves of samples on a log axis: from the smallest value of one or
// more to the largest. There are none if all values are below one.
func placesFor(samples ...fit.Sample) []float64 {
	low, high := math.Inf(1), 0.0
	for _, s := range samples {
		for i, v := range s.Values {
			if v >= 1 && s.Counts[i] > 0 {
				low, high = min(low, v), max(high, v)
			}
		}
	}
	if high == 0 {
		return nil
	}
	if high == low {
		high = 2 * low
	}
	return logSpaced(low, high, curvePoints)
}

// logSpaced returns n places from low to high, equally spaced on a log axis.
func logSpaced(low, high float64, n int) []float64 {
	xs := make([]float64, n)
	step := math.Log(high/low) / float64(n-1)
	for i := range xs {
		xs[i] = low * math.Exp(step*float64(i))
	}
	xs[n-1] = high
	return xs
}

// sampleOf counts the distinct values.
func sampleOf(values []float64) (s fit.Sample) {
	slices.Sort(values)
	for _, v := range values {
		if n := len(s.Values); n > 0 && s.Values[n-1] == v {
			s.Counts[n-1]++
			continue
		}
		s.Values, s.Counts = append(s.Values, v), append(s.Counts, 1)
	}
	return s
}

// Distribution draws the empirical distribution function of an attribute over a
// log axis, with laws. Values below one are counted but not drawn.
func Distribution(attribute fit.Attribute, source, name string, sample fit.Sample, laws []Law) Spec {
	s, xs := distributions(attribute, source, sample)
	s.Series = append(s.Series, curve(name, 0, xs, shareUpTo(sample)))
	for i, law := range laws {
		s.Series = append(s.Series, curve(law.Name, i+1, xs, law.CDF))
	}
	return s
}

// distributions is a picture of distribution functions without its curves, and
// their places.
func distributions(attribute fit.Attribute, source string, samples ...fit.Sample) (Spec, []float64) {
	words, xs := attributes[attribute], placesFor(samples...)
	s := Spec{Name: words.name, Title: words.title, Source: source, X: Axis{Title: words.axis, Kind: words.kind}, Y: Axis{Title: words.upTo, Kind: Share, Max: 1}}
	if xs == nil {
		s.Why = "no value is 1 or more"
	}
	return s, xs
}

// group is a class of jobs with the law fitted to it, if there is one.
type group struct {
	name   string
	sample fit.Sample
	law    *Law
}

// byClass draws the run times of several classes of jobs, each with its law, dashed:
// figures 3, 6 and 7 of Downey (1997), "Predicting queue times on space-sharing
// parallel computers", and figures 4 and 7 of Lublin and Feitelson (2003).
func byClass(name, source, by string, groups []group) Spec {
	var samples []fit.Sample
	for _, g := range groups {
		samples = append(samples, g.sample)
	}
	s, xs := distributions(fit.RunTime, source, samples...)
	s.Name, s.Title = name, s.Title+", by "+by
	fitted := "fitted" // one entry of the legend for all
	var laws []Series
	for i, g := range groups {
		c := curve(g.name, i+1, xs, shareUpTo(g.sample))
		c.Dash = Solid
		s.Series = append(s.Series, c)
		if g.law != nil {
			law := curve(fitted, i+1, xs, g.law.CDF)
			law.Dash, fitted = Dashed, ""
			laws = append(laws, law)
		}
	}
	s.Series = append(s.Series, laws...)
	if len(groups) < 2 {
		what := "classes"
		if by == byTime {
			what = "stretches of time (--months)"
		}
		s.Why = fmt.Sprintf("there are not two %s with jobs", what)
	}
	return s
}

// byTime is what makes classes that are stretches of time.
const byTime = "time of submission"

// densities draws the density of the logarithm of an attribute: its histogram, with the
// laws fitted to it. Equal areas are equal shares of the jobs. A law far above the
// histogram is cut at the frame.
func densities(attribute fit.Attribute, source string, sample fit.Sample, laws []Law) Spec {
	s, xs := distributions(attribute, source, sample)
	words := attributes[attribute]
	s.Name, s.Title = words.name+"-density", words.title+": density"
	s.Y = Axis{Title: "density of " + words.ln, Kind: Number}
	if s.Why != "" {
		return s
	}
	edges, bars := histogram(sample, xs[0], xs[len(xs)-1])
	s.Series = append(s.Series, Series{Name: "the log", Kind: Bars, X: edges, Y: bars})
	highest := slices.Max(bars)
	top := highest
	for i, law := range laws {
		c := curve(law.Name, i+1, logSpaced(edges[0], edges[len(edges)-1], curvePoints), law.density)
		for _, y := range c.Y {
			if y <= 1.6*highest {
				top = max(top, y)
			}
		}
		s.Series = append(s.Series, c)
	}
	s.Y.Max = 1.04 * top
	return s
}

// histogram has bars of about equal width on a log axis, as high as their share of all
// jobs per unit of the logarithm.
//
// If all values are whole numbers, as seconds are, bars end between two of them: a bar
// from 2.1 s to 2.9 s would be empty whatever the jobs do.
func histogram(s fit.Sample, from, to float64) (edges, bars []float64) {
	n, whole := 0.0, true
	for i, v := range s.Values {
		n += s.Counts[i]
		whole = whole && v == math.Trunc(v)
	}
	// The number of bins is Rice's rule, 2 n^(1/3), up to what can be seen.
	edges = logSpaced(from, to, 1+int(min(60, max(8, math.Ceil(2*math.Cbrt(n))))))
	if whole {
		edges = betweenWhole(edges)
	}
	bars = make([]float64, len(edges)-1)
	k := 0
	for i, v := range s.Values {
		if v < from {
			continue
		}
		for k < len(bars)-1 && v >= edges[k+1] {
			k++
		}
		bars[k] += s.Counts[i] / n
	}
	for i := range bars {
		bars[i] /= math.Log(edges[i+1] / edges[i])
	}
	return edges, bars
}

// betweenWhole moves edges to halfway between two whole numbers, the first and the
// last outwards, and drops those that fall together.
func betweenWhole(edges []float64) (moved []float64) {
	for i, e := range edges {
		half := math.Floor(e*(1+1e-9)) + 0.5 // a whole edge may come out just below
		if i == 0 {
			half--
		}
		if k := len(moved); k == 0 || half > moved[k-1] {
			moved = append(moved, half)
		}
	}
	return moved
}

// aroundData is the range of positive numbers of the data, widened by those of models
// that are within a factor of ten of it.
func aroundData(data, models []float64) (low, high float64) {
	r := span{}
	for _, v := range data {
		if Logarithm.has(v) {
			r.add(v)
		}
	}
	low, high = r.low/10, r.high*10
	for _, v := range models {
		if Logarithm.has(v) && v >= low && v <= high {
			r.add(v)
		}
	}
	return r.low, r.high
}

// quantiles draws the data's against those of laws over two log axes; a law that
// fits has its points on the diagonal.
func quantiles(attribute fit.Attribute, source string, own []fit.Report, sample fit.Sample) Spec {
	words := attributes[attribute]
	s := Spec{Name: words.name + "-qq", Title: words.title + ": quantiles", Source: source, Square: true,
		X: Axis{Title: words.axis + " by the fit", Kind: words.kind}, Y: Axis{Title: words.axis + " in the log", Kind: words.kind},
		Series: []Series{{Name: "identity", Kind: Identity}}}
	var models, data []float64
	for i, r := range own {
		pairs, err := r.QQ(fittedPart(r, sample), len(sample.Values))
		if err != nil {
			return absent(s.Name, err.Error())
		}
		c := Series{Name: r.Family, Kind: Points, Color: i + 1}
		for _, q := range pairs {
			c.X, c.Y = append(c.X, q.Theoretical), append(c.Y, q.Empirical)
		}
		models, data = append(models, c.X...), append(data, c.Y...)
		s.Series = append(s.Series, c)
	}
	low, high := aroundData(data, models)
	s.X.Min, s.X.Max = low/1.1, high*1.1
	s.Y.Min, s.Y.Max = s.X.Min, s.X.Max
	return s
}

// fittedPart is the part of a sample that a law is fitted to. Distributions that are compared
// are fitted without the smallest values if one of them, of the logarithm, cannot take those.
func fittedPart(r fit.Report, sample fit.Sample) fit.Sample {
	more := float64(-r.N) // values left above least
	for _, jobs := range sample.Counts {
		more += jobs
	}
	least := 0.0
	for i := 0; i < len(sample.Values) && more > 0; i++ {
		least = sample.Values[i]
		more -= sample.Counts[i]
	}
	part, _ := sample.Above(least)
	return part
}

// cumulative draws distribution functions as lines.
func (s *Spec) cumulative(name string, points []score.Share) {
	c := Series{Name: name, Kind: Line, Color: len(s.Series) + 1}
	for _, p := range points {
		c.X, c.Y = append(c.X, p.Value), append(c.Y, p.AtMost)
	}
	s.Series = append(s.Series, c)
}

// accuracyAndError are pictures of the distributions of the accuracy and of the absolute
// error of predictions, without curves: figures 3 and 4 of Sonmez and others (2009).
func accuracyAndError(names, titles [2]string, source string) (accuracy, miss Spec) {
	y := Axis{Title: "share of predictions up to it", Kind: Share, Max: 1}
	return Spec{Name: names[0], Title: titles[0], Source: source, X: Axis{Title: "accuracy", Kind: Number, Max: 1}, Y: y},
		Spec{Name: names[1], Title: titles[1], Source: source, X: Axis{Title: "absolute error", Kind: Duration}, Y: y}
}

// fromOne has the axis of cumulative curves of times begin at 1, and end where they do.
func (s *Spec) fromOne() {
	s.X.Min, s.X.Max = 1, 10
	for _, c := range s.Series {
		for i, v := range c.X {
			if c.Y[i] > 0 && v <= largest {
				s.X.Max = max(s.X.Max, v)
			}
		}
	}
}
