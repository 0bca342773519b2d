package allocate

// search finds the number of processors, beyond those that are free, with the
// least wait and run time, the fewest among equals; run times do not rise with
// the number, and waits do not fall within a span.
type search struct {
	wait, run func(needed int) float64
	best      float64
	needed    int // 0 where nothing is below the best that was given
}

// span looks from low to high. What costs no less even with the wait of its
// lower end and the run time of its upper one is passed over.
func (s *search) span(low, high int) {
	if low > high {
		return
	}
	wait := s.wait(low)
	s.try(low, wait+s.run(low))
	if low == high || wait+s.run(high) >= s.best {
		return
	}
	s.try(high, s.wait(high)+s.run(high))
	s.between(low, high, wait)
}

// between looks between two numbers that have been tried; wait is the lower's.
func (s *search) between(low, high int, wait float64) {
	if high-low < 2 || wait+s.run(high-1) >= s.best {
		return
	}
	mid := low + (high-low)/2
	atMid := s.wait(mid)
	s.try(mid, atMid+s.run(mid))
	s.between(low, mid, wait)
	s.between(mid, high, atMid)
}

func (s *search) try(n int, cost float64) {
	if cost < s.best || cost == s.best && s.needed > n {
		s.best, s.needed = cost, n
	}
}
