package figure

import (
	"fmt"
	"io"
	"slices"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/internal/words"
)

// model are the pictures of what the site's model has beside laws of attributes.
func (p fitsOf) model(r site.ClassReport) []Picture {
	all := []Picture{p.daily(r.Arrivals), p.weekly(r.Arrivals)}
	if len(r.BySize) < 2 {
		return append(all, absentExtra("the site's fit has not two ranges of sizes", p.name(BySizeName), p.name(BySizeModelName))...)
	}
	return append(all,
		p.bySize(BySizeName, "a size and a run time; dashed: two Gammas of ln t", r.BySize, func(f site.SizeFit, s fit.Sample) (*Law, error) {
			return lawBeside(f.RunTime, s)
		}),
		p.bySize(BySizeModelName, "a size and a run time; dashed: the model with p(size)", r.BySize, func(f site.SizeFit, s fit.Sample) (*Law, error) {
			return p.modelOfSizes(f.SizeRange, s, r.RunTimes)
		}))
}

const noCycle = "the times of submission determine no cycle"

func (p fitsOf) daily(r site.ArrivalsReport) Picture {
	c := r.Cycle
	if c == nil {
		return absentExtra(noCycle, p.name(DailyCycleName))[0]
	}
	return p.picture(DailyCycleName, c.N, "a time of submission", func(w io.Writer, format, source string) error {
		return DailyCycle(w, format, source, Day{Jobs: p.class.Slots()}, []Cycle{{Name: cycleName(c), Law: c.Law.Law}})
	})
}

// cycleName warns of a law that is not the log's cycle.
func cycleName(c *site.CycleReport) string {
	if c.Fits() {
		return "fitted cycle"
	}
	return fmt.Sprintf("fitted cycle: does not fit (D %.2f)", float64(c.D))
}

func (p fitsOf) weekly(r site.ArrivalsReport) Picture {
	if r.Week == nil {
		return absentExtra(noCycle, p.name(WeeklyCycleName))[0]
	}
	var jobs [7]float64
	var all int64
	for i, n := range r.Week.Jobs {
		jobs[i] = float64(n)
		all += n
	}
	return p.picture(WeeklyCycleName, all, "a time of submission", func(w io.Writer, format, source string) error {
		return WeeklyCycle(w, format, source, jobs)
	})
}

// bySize are the run times of the groups of sizes that the site's fit takes apart,
// each with a law.
func (p fitsOf) bySize(name, of string, fits []site.SizeFit, law func(site.SizeFit, fit.Sample) (*Law, error)) Picture {
	return Picture{Name: p.name(name), Draw: func(w io.Writer, format string) error {
		var groups []Group
		var jobs int64
		for _, f := range fits {
			s := p.class.SampleOfSizes(fit.RunTime, f.SizeRange)
			if len(s.Values) == 0 {
				continue
			}
			beside, err := law(f, s)
			if err != nil {
				return err
			}
			label := fmt.Sprintf("%d to %d processors", f.From, f.To)
			if f.From == f.To {
				label = words.Counted(f.From, "processor")
			}
			groups = append(groups, Group{Name: label, Sample: Sample{Values: s.Values, Counts: s.Counts}, Law: beside})
			jobs += s.Jobs()
		}
		return together(w, format, p.source(jobs, of), "size", groups)
	}}
}

// modelOfSizes is what the model of Lublin and Feitelson (2003), section 3.2.3,
// says of the run times s of the jobs of a range of sizes: its law is linear in
// p, so that p is the mean of p(size) over the jobs. It is nil without a model.
func (p fitsOf) modelOfSizes(sizes fit.SizeRange, s fit.Sample, of site.RunTimesReport) (*Law, error) {
	law, ok := of.Law.Law.(dist.HyperGamma)
	i := slices.IndexFunc(of.Shares, func(f site.ShareFit) bool { return f.Form == of.Form && f.Estimator == of.Estimator })
	if !ok || i < 0 {
		return nil, nil
	}
	jobs, share := 0.0, 0.0
	all := p.class.Sample(fit.Size)
	for k, size := range all.Values {
		if size >= float64(sizes.From) && size <= float64(sizes.To) {
			jobs += all.Counts[k]
			share += all.Counts[k] * max(0, min(1, of.Shares[i].At(size)))
		}
	}
	if jobs == 0 {
		return nil, nil
	}
	law.P = share / jobs
	below := 0.0 // jobs of up to 1 s, which have no place in a law of ln t
	for k, t := range s.Values {
		if t <= 1 {
			below += s.Counts[k]
		}
	}
	drawn, err := NewLaw(of.Law.Family, law, Ln, below/float64(s.Jobs()))
	return &drawn, err
}
