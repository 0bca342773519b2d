package runtime

// nws predicts with the one of the five rules of Sonmez and others (2009) that has predicted
// best for the class so far (see best).
type nws struct {
	Alpha  float64 `opt:"alpha" in:"[0,1]" help:"that of es"`
	Window int     `opt:"window" in:"[1,1000]" help:"that of sm"`
	best
}

func (n nws) New() Predictor {
	n.best = bestOf(last2{}, last{}, sm{Window: n.Window}, es{Alpha: n.Alpha}, rm{})
	return &n
}
