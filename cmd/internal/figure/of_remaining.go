package figure

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/lifetimes"
)

// fewestLeft is how many jobs the log's remaining lifetimes rest on at least,
// and drawnAges at how many ages they are drawn.
const (
	fewestLeft    = 10
	drawnAges     = 120
	drawnLifetime = 3 // laws
)

// remaining is how much longer jobs of some age last.
func (p fitsOf) remaining(sample fit.Sample, reports []fit.Report) Picture {
	picture := p.picture(RemainingName, sample.Jobs(), "a run time", func(w io.Writer, format, source string) error {
		all, err := RemainingOf(sample, reports)
		if err != nil {
			return err
		}
		if all == nil || !slices.ContainsFunc(all[0].Median, func(v float64) bool { return !math.IsNaN(v) }) {
			return fmt.Errorf("no age has %d jobs that run longer", fewestLeft)
		}
		return RemainingLifetime(w, format, source, all)
	})
	picture.Extra = true
	return picture
}

// RemainingOf returns the remaining lifetimes of the log and of the first laws; nil
// where the log has none.
func RemainingOf(sample fit.Sample, reports []fit.Report) (all []Remaining, err error) {
	ages := lifetimes.Ages(sample, drawnAges)
	if ages == nil {
		return nil, nil
	}
	add := func(name string, law dist.Law) error {
		points, err := lifetimes.RemainingAt(law, sample, ages)
		if err != nil {
			return err
		}
		if len(all) == 0 {
			log := Remaining{Name: "the log", Age: ages}
			for _, x := range points {
				median, mean := float64(x.MedianData), float64(x.MeanData)
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
		model := Remaining{Name: name, Age: ages}
		for _, x := range points {
			mean := float64(x.MeanModel)
			if math.IsInf(mean, 1) {
				mean = math.NaN()
			}
			model.Median, model.Mean = append(model.Median, float64(x.MedianModel)), append(model.Mean, mean)
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
