package predict

import "github.com/loadstone-hpc/loadstone/workload"

// checkLevels returns a *workload.OptionError unless the quantile and the confidence of a
// bound are in (0, 1).
func checkLevels(quantile, confidence float64) error {
	const want = "a number between 0 and 1"
	switch {
	case !(quantile > 0 && quantile < 1):
		return workload.OptionFault("quantile", quantile, want)
	case !(confidence > 0 && confidence < 1):
		return workload.OptionFault("confidence", confidence, want)
	}
	return nil
}
