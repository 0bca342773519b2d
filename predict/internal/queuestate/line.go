package queuestate

// Line is the waiting jobs of a group in the order of their submission. Jobs that
// wait no longer stay in it until they are the first, or half of it.
type Line struct {
	Rows []int64
	Gone int // of them, those that wait no longer
}

func (l *Line) push(row int64) { l.Rows = append(l.Rows, row) }

// tidy is called when a job of the line stops waiting.
func (l *Line) tidy(s *State, gone int64) {
	waits := func(row int64) bool {
		j, ok := s.Jobs[row]
		return ok && !j.Running && row != gone
	}
	l.Gone++
	for len(l.Rows) > 0 && !waits(l.Rows[0]) {
		l.Rows = l.Rows[1:]
		l.Gone--
	}
	if l.Gone*2 > len(l.Rows)+64 {
		kept := l.Rows[:0]
		for _, row := range l.Rows {
			if waits(row) {
				kept = append(kept, row)
			}
		}
		l.Rows, l.Gone = kept, 0
	}
}

// oldest is the submission of the first job of the line.
func (l *Line) oldest(s *State) (float64, bool) {
	if len(l.Rows) == 0 {
		return 0, false
	}
	return s.Jobs[l.Rows[0]].Submit, true
}
