package fit_test

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
)

// runTimes returns 1000 run times in seconds: the quantiles of a log-normal law with a median of
// e^7 s, about 18 minutes.
func runTimes() fit.Sample {
	law := dist.LogNormal{Mu: 7, Sigma: 1.5}
	values := make([]float64, 1000)
	for i := range values {
		values[i] = law.Quantile((float64(i) + 0.5) / 1000)
	}
	return fit.NewSample(fit.RunTime, values)
}

// Fit a law to run times. The report contains its parameters, the Kolmogorov-Smirnov distance D
// between law and sample, and warnings.
func ExampleFit() {
	report, err := fit.Fit("log-normal", fit.RunTime, runTimes(), fit.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range report.Parameters {
		fmt.Printf("%s %.2f\n", p.Name, p.Value)
	}
	fmt.Printf("%d jobs, D %.3f, %s, warnings %q\n", report.N, report.KS.D, report.Status, report.Warnings)
	fmt.Printf("median %.0f s\n", report.Law.Quantile(0.5))
	// Output:
	// mu 7.00
	// sigma 1.50
	// 1000 jobs, D 0.001, converged, warnings []
	// median 1097 s
}

// Fit several families to the same jobs and rank them by BIC, the best first.
func ExampleRankFamilies() {
	families := []string{"exponential", "weibull", "log-normal"}
	ranked, _, err := fit.RankFamilies(families, fit.RunTime, runTimes(), fit.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range ranked {
		fmt.Printf("%d. %s: BIC %.0f more than the best, D %.3f\n", r.Place, r.Family, r.Behind, r.KS.D)
	}
	// Output:
	// 1. log-normal: BIC 0 more than the best, D 0.001
	// 2. weibull: BIC 159 more than the best, D 0.061
	// 3. exponential: BIC 573 more than the best, D 0.223
}
