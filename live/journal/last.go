package journal

import "math"

// Last returns the latest time of an event in the newest segment that has any,
// in seconds from the origin; ok is false if there is none.
func (j *Journal) Last() (at float64, ok bool, err error) {
	j.mu.Lock()
	limit, last := j.size, j.last.number
	j.mu.Unlock()
	all, err := segments(j.dir)
	if err != nil {
		return 0, false, inputFault(j.dir, err)
	}
	all = all[:min(last, len(all))]
	var s scanner
	for n := len(all) - 1; n >= 0 && !ok; n-- {
		newest := n == len(all)-1
		s.count = -1
		_, err := all[n].entries(&s, limit, n == 0, newest, func(entry Entry, _ error) bool {
			if e, is := entry.(*Event); is {
				if !ok {
					at = e.Time
				}
				at, ok = max(at, e.Time), true
			}
			return true
		})
		if err != nil {
			return 0, false, err
		}
		limit = math.MaxInt64
	}
	return at, ok, nil
}
