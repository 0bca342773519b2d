package inspect

// happening is a start or an end that is to come.
type happening struct {
	time float64
	row  int64 // of the job: starts of one instant go by it
	slot int32 // of the job
	end  bool
}

// before puts ends before starts of the same instant.
func (a happening) before(b happening) bool {
	if a.time != b.time {
		return a.time < b.time
	}
	if a.end != b.end {
		return a.end
	}
	return a.row < b.row
}

// happenings is a binary heap, the next first. container/heap's interface
// calls cost three times as much, and a sweep does little else.
type happenings []happening

func (h *happenings) push(x happening) {
	*h = append(*h, x)
	s := *h
	i := len(s) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !x.before(s[parent]) {
			break
		}
		s[i] = s[parent]
		i = parent
	}
	s[i] = x
}

func (h *happenings) pop() {
	s := *h
	x := s[len(s)-1]
	s = s[:len(s)-1]
	*h = s
	i := 0
	for {
		child := 2*i + 1
		if child >= len(s) {
			break
		}
		if child+1 < len(s) && s[child+1].before(s[child]) {
			child++
		}
		if !s[child].before(x) {
			break
		}
		s[i] = s[child]
		i = child
	}
	if len(s) > 0 {
		s[i] = x
	}
}
