package allocate

// stopper asks now and then whether a study is to end: every so many
// decisions, each of which may take a millisecond where many jobs run.
type stopper struct {
	ask   func() error // nil never ends it
	asked int
	err   error
}

func (s *stopper) stopped() bool {
	if s == nil || s.ask == nil {
		return false
	}
	if s.err != nil {
		return true
	}
	if s.asked++; s.asked%32 == 0 {
		s.err = s.ask()
	}
	return s.err != nil
}
