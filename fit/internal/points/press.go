package points

import "math"

// Pressed is into how many equal intervals of x Press divides a long sample.
const Pressed = 1024

// ownCell is the share of the jobs from which a cell stays on its own in a
// pressed sample.
const ownCell = 0.002

// mostJoined is the largest share of the jobs that are joined into one point: by
// equal intervals alone, one far outlier would leave all other values in one.
const mostJoined = 1. / 256

// Press returns the sample with at most 1.25 times Pressed points, or a few times
// as many where it has cells: neighbours in one interval are joined, up to a
// share of the jobs. Exact values become one at the jobs' own means of x and
// ln x, so that only likelihoods inside an interval are blurred; rounded ones
// become one wider cell; and censored ones become one at the mean of where they
// were censored. A shorter sample stays as it is.
func (s Set) Press() Set {
	if s.Len() <= Pressed {
		return s
	}
	first, width := s.X[0], (s.X[s.Len()-1]-s.X[0])/Pressed
	most, limit := math.Inf(1), mostJoined*s.Total()
	p := presser{out: Set{Linear: s.Linear}}
	if s.Cells != nil {
		p.out.Cells = &Cells{}
		most = ownCell * s.Total()
	}
	last, joined := 0, 0.0
	for i, x := range s.X {
		joined += s.W[i]
		if at := min(int((x-first)/width), Pressed-1); at != last || s.W[i] >= most || joined > limit {
			p.flush()
			last, joined = at, s.W[i]
		}
		p.add(&s, i)
		if s.W[i] >= most {
			p.flush()
		}
	}
	p.flush()
	if s.Cells != nil {
		p.out.Sort()
	}
	return p.out
}

// presser joins the values of one interval.
type presser struct {
	out             Set
	exact, censored means
	end             float64 // of the censored cells
	lo, hi, wide    float64 // the ends of the joined cells, and their jobs
}

// means are sums over jobs of x and of ln x.
type means struct{ w, x, lnX float64 }

func (m *means) add(s *Set, i int) {
	w := s.W[i]
	m.w += w
	m.x += w * s.X[i]
	if !s.Linear {
		m.lnX += w * s.LnX[i]
	}
}

func (p *presser) add(s *Set, i int) {
	lo, hi := s.Ends(i)
	switch {
	case lo == hi:
		p.exact.add(s, i)
	case s.Censored(i):
		p.censored.add(s, i)
		p.end = hi
	case p.wide == 0:
		p.lo, p.hi, p.wide = lo, hi, s.W[i]
	default:
		p.hi = max(p.hi, hi)
		p.wide += s.W[i]
	}
}

func (p *presser) flush() {
	if e := p.exact; e.w > 0 {
		p.addExact(e.x/e.w, e.lnX/e.w, e.w)
	}
	if p.wide > 0 {
		p.out.Add(p.lo, p.hi, p.wide)
	}
	if c := p.censored; c.w > 0 {
		p.out.AddCensored(c.x/c.w, p.end, c.w)
	}
	p.exact, p.censored, p.wide = means{}, means{}, 0
}

func (p *presser) addExact(x, lnX, w float64) {
	if p.out.Cells != nil {
		p.out.Add(x, x, w)
	} else {
		p.out.X, p.out.W = append(p.out.X, x), append(p.out.W, w)
		if !p.out.Linear {
			p.out.LnX = append(p.out.LnX, 0)
		}
	}
	if !p.out.Linear {
		p.out.LnX[len(p.out.LnX)-1] = lnX
	}
}
