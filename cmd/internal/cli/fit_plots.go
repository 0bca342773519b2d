package cli

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
)

// mostLaws is how many laws are told apart in one picture: those closest to
// the jobs.
const mostLaws = 6

// plotNames are the beginnings of the names of an attribute's pictures.
var plotNames = map[fit.Attribute]string{
	fit.RunTime: "run-times", fit.Size: "sizes", fit.Work: "work", fit.Interarrival: "interarrivals",
}

// plotter draws the pictures of one fit into a folder.
type plotter struct {
	a      *app
	folder string
	log    string
	class  fit.Class
}

// plotFits draws, for each class and attribute, the distribution with the laws
// fitted to it, its density, and the Q-Q and P-P plots; remaining lifetimes;
// and of the model p(size), the cycles and the interarrival times at peak.
func (a *app) plotFits(o fitOptions, name string, classes []fit.Class, reports []fit.Report, f siteFit) error {
	if err := os.MkdirAll(o.plots, 0o777); err != nil {
		return fileFault(o.plots, err)
	}
	for _, class := range classes {
		p := plotter{a, o.plots, filepath.Base(name), class}
		for _, attribute := range o.attributes {
			if err := p.attribute(fit.Attribute(attribute), reports); err != nil {
				return err
			}
		}
		for _, site := range []*fit.SiteReport{f.allReport, &f.report} {
			if site == nil {
				continue
			}
			for _, r := range site.Classes {
				if r.Label == class.Label() {
					if err := p.model(r); err != nil {
						return err
					}
					if len(r.BySize) > 1 {
						if err := p.bySize(r.BySize); err != nil {
							return err
						}
					}
				}
			}
		}
	}
	if slices.Contains(o.attributes, string(fit.RunTime)) {
		return a.byClass(o, filepath.Base(name), classes, reports)
	}
	return nil
}

// place is a picture's file and the line below its title.
func (p plotter) place(name string, jobs int64, of string) (path, source string) {
	source = fmt.Sprintf("%s, %d jobs with %s", p.log, jobs, of)
	if p.class.Column != "" {
		source = fmt.Sprintf("%s, %s, %d jobs with %s", p.log, p.class.Label(), jobs, of)
		name += "-" + p.class.Column + "-" + known(p.class.Value)
	}
	return filepath.Join(p.folder, name+".svg"), source
}

// draw writes one picture.
func (p plotter) draw(name string, jobs int64, of string, write func(w io.Writer, source string) error) error {
	path, source := p.place(name, jobs, of)
	return p.a.drawTo(path, func(w io.Writer) error { return write(w, source) })
}

// ofWords say what the jobs of a picture have.
var ofWords = map[fit.Attribute]string{
	fit.RunTime: "a run time", fit.Size: "a size", fit.Work: "a size and a run time", fit.Interarrival: "an interarrival time",
}

func (p plotter) attribute(attribute fit.Attribute, reports []fit.Report) error {
	sample := p.class.Sample(attribute)
	if len(sample.Values) == 0 {
		p.a.warn("%s: %s: no %s to draw", p.log, p.class.Label(), attribute)
		return nil
	}
	var own []fit.Report
	for _, r := range reports {
		if r.Attribute == attribute && r.By == p.class.Label() {
			own = append(own, r)
		}
	}
	slices.SortStableFunc(own, func(a, b fit.Report) int { return cmp.Compare(a.KS.D, b.KS.D) })
	own = own[:min(len(own), mostLaws)]
	quantity := figure.Quantity(attribute)
	jobs := sample.Jobs()
	data := figure.Sample{Values: sample.Values, Counts: sample.Counts}
	var laws []figure.Law
	var qq, pp []figure.Pairs
	for _, r := range own {
		law, err := figure.NewLaw(r.Family, r.Law, figure.Transform(r.Transform), float64(jobs-r.N)/float64(jobs))
		if err != nil {
			return err
		}
		laws = append(laws, law)
		for _, x := range []struct {
			to *[]figure.Pairs
			of func(fit.Sample, int) ([]fit.Point, error)
		}{{&qq, r.QQ}, {&pp, r.PP}} {
			points, err := x.of(sample, len(sample.Values))
			if err != nil {
				return err
			}
			pairs := figure.Pairs{Name: r.Family}
			for _, q := range points {
				pairs.Model, pairs.Log = append(pairs.Model, q.Theoretical), append(pairs.Log, q.Empirical)
			}
			*x.to = append(*x.to, pairs)
		}
	}
	name := plotNames[attribute]
	pictures := []struct {
		name  string
		write func(io.Writer, string) error
	}{
		{name, func(w io.Writer, source string) error {
			return figure.Distribution(w, p.a.pictureFormat(), source, quantity, data, laws)
		}},
		{name + "-density", func(w io.Writer, source string) error {
			return figure.Density(w, p.a.pictureFormat(), source, quantity, data, laws)
		}},
	}
	if len(own) > 0 {
		pictures = append(pictures, []struct {
			name  string
			write func(io.Writer, string) error
		}{
			{name + "-qq", func(w io.Writer, source string) error { return figure.QQ(w, p.a.pictureFormat(), source, quantity, qq) }},
			{name + "-pp", func(w io.Writer, source string) error { return figure.PP(w, p.a.pictureFormat(), source, quantity, pp) }},
		}...)
	}
	for _, x := range pictures {
		if err := p.draw(x.name, jobs, ofWords[attribute], x.write); err != nil {
			return err
		}
	}
	if attribute == fit.RunTime {
		return p.remaining(sample, own)
	}
	return nil
}

// fewestLeft is how many jobs the log's remaining lifetimes rest on at least,
// and drawnAges at how many ages they are drawn.
const (
	fewestLeft    = 10
	drawnAges     = 120
	drawnLifetime = 3 // laws
)

// remaining draws how much longer jobs of some age last.
func (p plotter) remaining(sample fit.Sample, reports []fit.Report) error {
	all, err := remainingOf(sample, reports)
	if err != nil || all == nil {
		return err
	}
	return p.draw("remaining-lifetimes", sample.Jobs(), "a run time", func(w io.Writer, source string) error {
		return figure.RemainingLifetime(w, p.a.pictureFormat(), source, all)
	})
}

// remainingOf are the remaining lifetimes of the log and of the first laws; nil
// where the log has none.
func remainingOf(sample fit.Sample, reports []fit.Report) (all []figure.Remaining, err error) {
	ages := fit.Ages(sample, drawnAges)
	if ages == nil {
		return nil, nil
	}
	add := func(name string, law dist.Law) error {
		points, err := fit.RemainingLifetimes(law, sample, ages)
		if err != nil {
			return err
		}
		if len(all) == 0 {
			log := figure.Remaining{Name: "log", Age: ages}
			for _, x := range points {
				median, mean := x.MedianData, x.MeanData
				if x.Left < fewestLeft {
					median, mean = math.NaN(), math.NaN()
				}
				log.Median, log.Mean = append(log.Median, median), append(log.Mean, mean)
			}
			all = append(all, log)
		}
		if law == nil {
			return nil
		}
		model := figure.Remaining{Name: name, Age: ages}
		for _, x := range points {
			median, mean := x.MedianModel, x.MeanModel
			if x.Outlived || math.IsInf(mean, 1) {
				mean = math.NaN()
			}
			if x.Outlived {
				median = math.NaN()
			}
			model.Median, model.Mean = append(model.Median, median), append(model.Mean, mean)
		}
		// A law of ln t may have no mean.
		if !slices.ContainsFunc(model.Mean, func(x float64) bool { return !math.IsNaN(x) }) {
			model.Mean = nil
		}
		all = append(all, model)
		return nil
	}
	if err := add("", nil); err != nil {
		return nil, err
	}
	for _, r := range reports[:min(len(reports), drawnLifetime)] {
		if law, ok := r.AttributeLaw(); ok {
			if err := add(r.Family, law); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// model draws what the site's model has beside laws of attributes.
func (p plotter) model(r fit.ClassReport) error {
	var groups []figure.SizeGroup
	for _, g := range r.RunTimes.Groups {
		groups = append(groups, figure.SizeGroup{Smallest: float64(g.Smallest), Largest: float64(g.Largest), Median: g.Median, P: g.P})
	}
	if len(groups) > 1 {
		var curves []figure.Curve
		for _, s := range r.RunTimes.Shares {
			if s.Estimator == fit.ByLikelihood {
				curves = append(curves, figure.Curve{Name: s.Form, At: s.At})
			}
		}
		err := p.draw("share-by-size", r.RunTimes.Law.N, "a run time above 1 s", func(w io.Writer, source string) error {
			return figure.ShareBySize(w, p.a.pictureFormat(), source, groups, curves)
		})
		if err != nil {
			return err
		}
	}
	arrivals := r.Arrivals
	if c := arrivals.Cycle; c != nil {
		day := figure.Day{Jobs: p.class.Slots()}
		err := p.draw("daily-cycle", c.N, "a time of submission", func(w io.Writer, source string) error {
			return figure.DailyCycle(w, p.a.pictureFormat(), source, day, []figure.Cycle{{Name: "fitted cycle", Law: c.Law}})
		})
		if err != nil {
			return err
		}
	}
	if week := arrivals.Week; week != nil {
		var jobs [7]float64
		var all int64
		for i, n := range week.Jobs {
			jobs[i] = float64(n)
			all += n
		}
		err := p.draw("weekly-cycle", all, "a time of submission", func(w io.Writer, source string) error {
			return figure.WeeklyCycle(w, p.a.pictureFormat(), source, jobs)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
