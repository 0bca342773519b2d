package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/site"
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
	for _, class := range classes {
		p := plotter{a, o.plots, filepath.Base(name), class}
		for _, attribute := range o.attributes {
			if err := p.attribute(fit.Attribute(attribute), reports); err != nil {
				return err
			}
		}
		for _, site := range []*site.Report{f.allReport, &f.report} {
			if site == nil {
				continue
			}
			for _, r := range site.Classes {
				if r.Label == class.Label() {
					if err := p.model(r); err != nil {
						return err
					}
					p.a.missing(errors.New("the site's fit has not two ranges of sizes"), "run-times-by-size", bySizeModelPlot)
					if len(r.BySize) > 1 {
						if err := p.bySize(r.BySize, r.RunTimes); err != nil {
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
	source = fmt.Sprintf("%s, %s with %s", p.log, counted(jobs, "job"), of)
	if p.class.Column != "" {
		source = fmt.Sprintf("%s, %s, %s with %s", p.log, p.class.Label(), counted(jobs, "job"), of)
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
	name := plotNames[attribute]
	qqName, ppName := name+"-qq", name+"-pp"
	if len(sample.Values) == 0 {
		p.a.missing(fmt.Errorf("no job has %s", ofWords[attribute]), name, name+"-density", qqName, ppName, remainingPlot)
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
	of := ofWords[attribute]
	if len(own) == 0 {
		of += "; no law could be fitted"
		p.a.missing(errors.New("no law could be fitted that the log stands against"), qqName, ppName)
	}
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
			{qqName, func(w io.Writer, source string) error { return figure.QQ(w, p.a.pictureFormat(), source, quantity, qq) }},
			{ppName, func(w io.Writer, source string) error { return figure.PP(w, p.a.pictureFormat(), source, quantity, pp) }},
		}...)
	}
	for _, x := range pictures {
		if err := p.draw(x.name, jobs, of, x.write); err != nil {
			return err
		}
	}
	if attribute == fit.RunTime {
		return p.remaining(sample, own)
	}
	return nil
}

// model draws what the site's model has beside laws of attributes.
func (p plotter) model(r site.ClassReport) error {
	p.a.missing(errors.New("there are not two groups of sizes whose run times could be fitted"), "share-by-size")
	p.a.missing(errors.New("the times of submission determine no cycle"), "daily-cycle", "weekly-cycle")
	var groups []figure.SizeGroup
	for _, g := range r.RunTimes.Groups {
		groups = append(groups, figure.SizeGroup{Smallest: float64(g.Smallest), Largest: float64(g.Largest), Median: g.Median, P: g.P})
	}
	if len(groups) > 1 {
		var curves []figure.Curve
		for _, s := range r.RunTimes.Shares {
			if s.Estimator == site.ByLikelihood {
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
