package runtime

// newNWS is the one of the five rules of Sonmez and others (2009) that has
// predicted best for the class so far (see best).
func newNWS(s settings) rule {
	return newBest(last2{}, last{}, newSM(s.window), es{alpha: s.alpha}, rm{})
}
