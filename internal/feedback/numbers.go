package feedback

// numberSet is a set of job numbers, as bits in 64-bit words.
type numberSet struct {
	words map[int64]uint64
	at    int64 // the word that was used last, which is not in words
	word  uint64
}

func (s *numberSet) add(number int64) {
	if at := number >> 6; at != s.at {
		if s.words == nil {
			s.words = map[int64]uint64{}
		}
		s.words[s.at] = s.word
		s.at, s.word = at, s.words[at]
	}
	s.word |= 1 << (number & 63)
}

func (s *numberSet) has(number int64) bool {
	word := s.word
	if at := number >> 6; at != s.at {
		word = s.words[at]
	}
	return word>>(number&63)&1 == 1
}
