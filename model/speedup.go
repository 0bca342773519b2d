package model

// Speedup is a law of S(n), the run time of a job on one processor divided by
// that on n.
type Speedup interface {
	variant[Speedup]
	// At returns S(n), for n of at least 1.
	At(n int64) float64
}

// speedups are the known forms, zero.
func speedups() []Speedup { return []Speedup{LinearSpeedup{}, DowneySpeedup{}, AmdahlSpeedup{}} }

// LinearSpeedup is S(n) = n: the total work of a job is its size times its
// run time, whatever the size.
type LinearSpeedup struct{}

// At returns n.
func (LinearSpeedup) At(n int64) float64 { return float64(n) }

func (LinearSpeedup) kind() string { return "linear" }

func (s LinearSpeedup) visit(*form) Speedup { return s }

// AmdahlSpeedup is S(n) = n / (1 + f (n-1)). Amdahl (1967).
type AmdahlSpeedup struct {
	SerialFraction float64 // f, 0 to 1
}

// At returns n / (1 + f (n-1)).
func (s AmdahlSpeedup) At(n int64) float64 {
	x := float64(n)
	return x / (1 + s.SerialFraction*(x-1))
}

func (AmdahlSpeedup) kind() string { return "amdahl" }

func (s AmdahlSpeedup) visit(f *form) Speedup {
	f.number("serial_fraction", &s.SerialFraction, 0, 1)
	return s
}

// DowneySpeedup is DowneyS.
type DowneySpeedup struct {
	AverageParallelism float64 // A, at least 1
	Sigma              float64 // at least 0
}

// maxSigma is the largest sigma of a model: Downey (1997) finds 0 to 2 in
// applications, with occasional higher values.
const maxSigma = 1e6

// At returns DowneyS(n, A, sigma).
func (s DowneySpeedup) At(n int64) float64 { return DowneyS(float64(n), s.AverageParallelism, s.Sigma) }

func (DowneySpeedup) kind() string { return "downey" }

func (s DowneySpeedup) visit(f *form) Speedup {
	f.number("average_parallelism", &s.AverageParallelism, 1, MaxProcessors)
	f.number("sigma", &s.Sigma, 0, maxSigma)
	return s
}

// DowneyS returns the speedup S(n) on n >= 1 processors of a job with average
// parallelism a >= 1 and variance of parallelism sigma >= 0. Downey (1997),
// "Using queue time predictions for processor allocation", section 2.1:
// equation 1 (low variance) up to sigma 1, equation 2 (high variance) above,
// which agree at 1. Beyond the last break the speedup is a.
func DowneyS(n, a, sigma float64) float64 {
	if sigma <= 1 {
		switch {
		case n <= a:
			return a * n / (a + sigma*(n-1)/2)
		case n <= 2*a-1:
			return a * n / (sigma*(a-0.5) + n*(1-sigma/2))
		}
		return a
	}
	if more := sigma * (a - 1); n <= a+more {
		return n * a * (sigma + 1) / (a + more + n*sigma)
	}
	return a
}
