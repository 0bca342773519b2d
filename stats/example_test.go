package stats_test

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/stats"
)

// Test whether values come from a law. Distinct counts equal values.
func ExampleKolmogorovSmirnov() {
	values, counts := stats.Distinct([]float64{0.9, 0.1, 0.5, 0.1})
	fmt.Println(values, counts)
	ks, err := stats.KolmogorovSmirnov(values, counts, dist.Uniform{Low: 0, High: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	// At 0.1 the sample has reached 2/4 and the law 0.1.
	fmt.Printf("D %.2f at %g, %s p %.2f\n", ks.D, ks.At, ks.Method, ks.PValue)
	// Output:
	// [0.1 0.5 0.9] [2 1 1]
	// D 0.40 at 0.1, asymptotic p 0.54
}

// Which of 59 past waits bounds 95 % of the next ones with 95 % confidence? The largest:
// the probability that all 59 are below the quantile is 0.95^59, or 0.0485. With fewer
// there is no such bound.
func ExampleUpperOrderStatistic() {
	fmt.Println(stats.MinimumHistory(0.95, 0.95))
	for _, n := range []int{58, 59, 1000} {
		o, ok := stats.UpperOrderStatistic(n, 0.95, 0.95)
		fmt.Printf("%d: rank %d, confidence %.4f, %v\n", n, o.Rank, o.Achieved, ok)
	}
	// Output:
	// 59
	// 58: rank 0, confidence 0.0000, false
	// 59: rank 59, confidence 0.9515, true
	// 1000: rank 962, confidence 0.9567, true
}

// Moments are summed up in parts, which are merged.
func ExampleMoments() {
	var first, second stats.Moments
	first.Add(2)
	first.Add(4)
	second.Add(9)
	first.Merge(second)
	fmt.Printf("%d values, mean %g, standard deviation %.3f\n", first.N(), first.Mean(), first.StdDev())
	// Output:
	// 3 values, mean 5, standard deviation 3.606
}
