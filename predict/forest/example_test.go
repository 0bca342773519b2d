package forest_test

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/predict/forest"
)

// Learn a distribution that depends on one column: answers are 0 to 9 where it is below
// 50, and 100 to 109 above.
func Example() {
	var x, answers []float64
	for i := range 1000 {
		x = append(x, float64(i%100))
		answers = append(answers, float64(i/100)+map[bool]float64{true: 0, false: 100}[i%100 < 50])
	}
	f, err := forest.Train(forest.Table{Columns: [][]float64{x}, Answers: answers}, forest.Options{Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	var s forest.Sample
	for _, at := range []float64{20, 80} {
		f.At([]float64{at}, &s)
		fmt.Printf("at %g: mean %.1f, 90 %% quantile %.0f\n", at, s.Mean(), s.Quantile(0.9))
	}
	// Output:
	// at 20: mean 4.5, 90 % quantile 8
	// at 80: mean 104.5, 90 % quantile 108
}
