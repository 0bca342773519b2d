package model

import (
	"strconv"
)

// SpeedupForm names a family of speedup curves.
type SpeedupForm string

const (
	// LinearSpeedup is S(n) = n: the total work of a job is its size times its
	// run time, whatever the size.
	LinearSpeedup SpeedupForm = "linear"
	// DowneySpeedup is DowneyS, by average parallelism and sigma.
	DowneySpeedup SpeedupForm = "downey"
	// AmdahlSpeedup is S(n) = n / (1 + f (n-1)), f being the serial fraction.
	// Amdahl (1967).
	AmdahlSpeedup SpeedupForm = "amdahl"
)

// Speedup is how much faster than on one processor a job runs on n. The zero
// value stands for none.
type Speedup struct {
	Form               SpeedupForm
	AverageParallelism float64 // A, at least 1; DowneySpeedup only
	Sigma              float64 // at least 0; DowneySpeedup only
	SerialFraction     float64 // f, 0 to 1; AmdahlSpeedup only
}

// At returns S(n), for n of at least 1.
func (s Speedup) At(n int64) float64 {
	x := float64(n)
	switch s.Form {
	case DowneySpeedup:
		return DowneyS(x, s.AverageParallelism, s.Sigma)
	case AmdahlSpeedup:
		return x / (1 + float64(s.SerialFraction*(x-1)))
	}
	return x
}

// DowneyS returns the speedup S(n) on n >= 1 processors of a job with average
// parallelism a >= 1 and variance of parallelism sigma >= 0. Downey (1997),
// "Using queue time predictions for processor allocation", section 2.1:
// equation 1 (low variance) up to sigma 1, equation 2 (high variance) above,
// which agree at 1. Beyond the last break the speedup is a.
func DowneyS(n, a, sigma float64) float64 {
	// The conversions keep a processor with fused multiply-add from giving
	// other run times than one without.
	if sigma <= 1 {
		switch {
		case n <= a:
			return float64(a*n) / (a + float64(sigma*(n-1))/2)
		case n <= 2*a-1:
			return float64(a*n) / (float64(sigma*(a-0.5)) + float64(n*(1-sigma/2)))
		}
		return a
	}
	if more := float64(sigma * (a - 1)); n <= a+more {
		return float64(float64(n*a)*(sigma+1)) / (a + more + float64(n*sigma))
	}
	return a
}

// Known says whether there is a speedup.
func (s Speedup) Known() bool { return s != Speedup{} }

func (s Speedup) validate(path string) error {
	unused := func(name string, x float64) error {
		if x == 0 {
			return nil
		}
		return &FieldError{Path: path + "." + name, Saw: number(x), Want: "none with form " + strconv.Quote(string(s.Form))}
	}
	checks := []error{unused("average_parallelism", s.AverageParallelism), unused("sigma", s.Sigma), unused("serial_fraction", s.SerialFraction)}
	switch s.Form {
	case LinearSpeedup:
	case DowneySpeedup:
		checks[0] = within(path+".average_parallelism", s.AverageParallelism, 1, MaxProcessors)
		checks[1] = within(path+".sigma", s.Sigma, 0, maxSigma)
	case AmdahlSpeedup:
		checks[2] = within(path+".serial_fraction", s.SerialFraction, 0, 1)
	default:
		return &FieldError{Path: path + ".form", Saw: shorten(string(s.Form)), Want: `"linear", "downey" or "amdahl"`}
	}
	for _, err := range checks {
		if err != nil {
			return err
		}
	}
	return nil
}

// maxSigma is the largest sigma of a model: Downey (1997) finds 0 to 2 in
// applications, with occasional higher values.
const maxSigma = 1e6
