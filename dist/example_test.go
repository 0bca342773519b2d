package dist_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/dist"
)

// A distribution of run times with a mean of 2 h: its median, the probability that a job runs for
// more than a day, and a sample.
func Example() {
	law := dist.Exponential{Mean: 7200}
	fmt.Printf("median %.0f s\n", law.Quantile(0.5)) // 7200 ln 2
	fmt.Printf("90 %% end within %.0f s\n", law.Quantile(0.9))
	fmt.Printf("more than a day: %.1e\n", law.Survival(86400)) // exp(-12)
	rng := rand.New(rand.NewPCG(1, 2))
	sum := 0.0
	for range 10_000 {
		sum += law.Rand(rng)
	}
	fmt.Printf("mean of a sample: %.1f h\n", sum/10_000/3600)
	// Output:
	// median 4991 s
	// 90 % end within 16579 s
	// more than a day: 6.1e-06
	// mean of a sample: 2.0 h
}

// A hyper-Gamma distribution mixes short and long jobs. Distributions are stored as JSON.
func ExampleMarshal() {
	law := dist.HyperGamma{
		First:  dist.Gamma{Shape: 2, Scale: 30},
		Second: dist.Gamma{Shape: 4, Scale: 900},
		P:      0.25,
	}
	text, err := dist.Marshal(law)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(text))
	read, err := dist.Unmarshal(text)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(read == law, dist.Mean(read)) // 0.25 * 60 + 0.75 * 3600
	// Output:
	// {"family":"hyper-gamma","parameters":{"shape_1":2,"scale_1":30,"shape_2":4,"scale_2":900,"p":0.25}}
	// true 2715
}

// SurvivalGiven is the distribution of the remaining run time of a running job. The exponential
// distribution has no memory; under the log-uniform distribution, a job that has run long will
// run long.
func ExampleSurvivalGiven() {
	for _, law := range []dist.Law{dist.Exponential{Mean: 1000}, dist.UniformLog{TMin: 1, TMax: 1e6}} {
		for _, age := range []float64{10, 10_000} {
			fmt.Printf("%s: a job of %g s runs twice as long with probability %.2f\n",
				dist.FamilyOf(law), age, dist.SurvivalGiven(law, age, age))
		}
	}
	// Output:
	// exponential: a job of 10 s runs twice as long with probability 0.99
	// exponential: a job of 10000 s runs twice as long with probability 0.00
	// uniform-log: a job of 10 s runs twice as long with probability 0.94
	// uniform-log: a job of 10000 s runs twice as long with probability 0.85
}
