package runtime

// des is dynamic exponential smoothing: exponential smoothing whose alpha is
// the one of seven that has predicted best for the class so far (see best).
// At 1 it is last; the small ones come close to rm.
//
// Dobber, van der Mei and Koole (2007), "A prediction method for job runtimes
// on shared processors", adapt alpha too, but by another rule.
type des struct{ best }

var _ starter = des{}

func (des) start() (rule, error) {
	var all []rule
	for _, alpha := range []float64{0.5, 1, 0.75, 0.35, 0.2, 0.1, 0.05} {
		all = append(all, es{Alpha: alpha})
	}
	return newBest(all...), nil
}
