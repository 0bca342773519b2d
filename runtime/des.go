package runtime

// des is dynamic exponential smoothing: exponential smoothing with the alpha, of
// seven, that has predicted best for the class so far (see best). With an alpha of 1
// it equals last; with a small alpha it comes close to rm.
//
// Dobber, van der Mei and Koole (2007), "A prediction method for job runtimes
// on shared processors", adapt alpha too, but by another rule.
type des struct{ best }

func (d des) New() Predictor {
	d.best = bestOf(es{Alpha: 0.5}, es{Alpha: 1}, es{Alpha: 0.75}, es{Alpha: 0.35}, es{Alpha: 0.2}, es{Alpha: 0.1}, es{Alpha: 0.05})
	return &d
}
