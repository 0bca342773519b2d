package stats_test

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/stats"
)

// Test whether values come from a given distribution. Distinct counts equal values.
func ExampleGoodnessOfFit() {
	values, counts := stats.Distinct([]float64{0.9, 0.1, 0.5, 0.1})
	fmt.Println(values, counts)
	g, err := stats.GoodnessOfFit(values, counts, dist.Uniform{Low: 0, High: 1}, stats.Tests{})
	if err != nil {
		fmt.Println(err)
		return
	}
	// At 0.1 the distribution function of the sample is 2/4 and that of the law 0.1.
	fmt.Printf("D %.2f, %s p %.2f\n", g.KS.D, g.KS.Method, g.KS.PValue)
	// Output:
	// [0.1 0.5 0.9] [2 1 1]
	// D 0.40, asymptotic p 0.54
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
