package em

// Pressed is into how many equal intervals of x Press divides a long sample.
const Pressed = 1024

// mostJoined is the largest share of the jobs that are joined into one point: by
// equal intervals alone, one far outlier would leave all other values in one.
const mostJoined = 1. / 256

// Press returns the sample with at most 1.25 times Pressed points: neighbours in one
// interval are joined, up to a share of the jobs, into one at the jobs' own means of x
// and ln x, so that only likelihoods inside an interval are blurred. A shorter sample
// stays as it is.
func (s Points) Press() Points {
	if s.Len() <= Pressed {
		return s
	}
	first, width := s.X[0], (s.X[s.Len()-1]-s.X[0])/Pressed
	limit := mostJoined * s.Total()
	var (
		out  Points
		last int
		m    means
	)
	flush := func() {
		if m.w > 0 {
			out.X, out.LnX, out.W = append(out.X, m.x/m.w), append(out.LnX, m.lnX/m.w), append(out.W, m.w)
		}
		m = means{}
	}
	for i, x := range s.X {
		if at := min(int((x-first)/width), Pressed-1); at != last || m.w+s.W[i] > limit {
			flush()
			last = at
		}
		m.add(&s, i)
	}
	flush()
	return out
}

// means are sums over jobs of x and of ln x.
type means struct{ w, x, lnX float64 }

func (m *means) add(s *Points, i int) {
	w := s.W[i]
	m.w += w
	m.x += w * s.X[i]
	m.lnX += w * s.LnX[i]
}
