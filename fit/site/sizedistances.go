package site

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/stats"
)

// sizeDistances returns the distances that SizesReport holds, of a law of log2
// of the sizes and the share of powers of two.
func sizeDistances(parallel fit.Sample, law dist.Law, powers float64) (rounded, ordinary stats.Number) {
	total, upTo := float64(parallel.Jobs()), 0.0
	for i, v := range parallel.Values {
		before := upTo / total
		upTo += parallel.Counts[i]
		model := powers*law.CDF(exponent(v)+0.5) + (1-powers)*law.CDF(math.Log2(v+0.5))
		rounded = max(rounded, stats.Number(math.Abs(upTo/total-model)))
		f := law.CDF(math.Log2(v))
		ordinary = max(ordinary, stats.Number(math.Abs(upTo/total-f)), stats.Number(math.Abs(f-before)))
	}
	return rounded, ordinary
}

// generatedDistance is SizesReport.DGenerated. Between two sizes that occur the
// sample's distribution function is flat and the model's rises, so that they
// are farthest apart at a size or just below one.
func generatedDistance(all fit.Sample, sizes model.Sizes) float64 {
	total, upTo, d := float64(all.Jobs()), 0.0, 0.0
	for i, v := range all.Values {
		d = max(d, math.Abs(upTo/total-sizes.AtMost(int64(v)-1, model.MaxProcessors)))
		upTo += all.Counts[i]
		d = max(d, math.Abs(upTo/total-sizes.AtMost(int64(v), model.MaxProcessors)))
	}
	return d
}
