package em

import (
	"cmp"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/dist"
)

// mostPeaks is how many peaks starts are made of.
const mostPeaks = 4

// peak is a value around which jobs are packed.
type peak[L dist.Component] struct {
	place, width, jobs, gain float64
	law                      L // as narrow as is allowed there
}

// peaks are starts with one component, as narrow as is allowed, on one of
// the values around which jobs are packed most densely, such as a common limit
// of the run time, and the others by shares of the jobs. There are none where
// widths are given.
func (m *Mixture[L]) peaks(k int) [][]dist.Weighted[L] {
	var list [][]dist.Weighted[L]
	for _, p := range m.sharpest() {
		var cuts []float64
		if k > 2 {
			cuts = m.quantileCuts(k-1, 1)
		}
		rest, ok := m.split(cuts)
		if !ok {
			continue
		}
		share := min(0.9, p.jobs/m.jobs)
		for i := range rest {
			rest[i].Weight *= 1 - share
		}
		list = append(list, append(rest, dist.Weighted[L]{Weight: share, Law: p.law}))
	}
	return list
}

// sharpest returns the peaks of the highest rank that lie apart. A peak's rank
// is what a component there may gain over its surroundings: n ln(density/
// density around), n being the jobs within a standard deviation, and around up
// to eight.
func (m *Mixture[L]) sharpest() []peak[L] {
	p := &m.Points
	places := p.Places()
	upTo := make([]float64, p.Len()+1)
	for i, w := range p.W {
		upTo[i+1] = upTo[i] + w
	}
	within := func(x, r float64) float64 {
		from, _ := slices.BinarySearch(places, x-r)
		to, _ := slices.BinarySearch(places, x+r)
		return upTo[to] - upTo[from]
	}
	var peaks []peak[L]
	var none L
	for i, x := range places {
		law, ok := m.Kernel.At(x, math.Inf(-1), none)
		if !ok || !m.Kernel.Narrowest(law) {
			continue
		}
		width := m.Kernel.Width(law)
		r := width
		if half := p.HalfWidth(i); !math.IsInf(half, 1) {
			r = max(r, half)
		}
		near, around := within(x, 1.0001*r), within(x, 8*r)
		peaks = append(peaks, peak[L]{x, width, near, near * math.Log(8*near/around), law})
	}
	slices.SortStableFunc(peaks, func(a, b peak[L]) int { return cmp.Compare(b.gain, a.gain) })
	var taken []peak[L]
	for _, p := range peaks {
		if len(taken) == mostPeaks || !(p.gain > 0) {
			break
		}
		if !slices.ContainsFunc(taken, func(q peak[L]) bool { return math.Abs(p.place-q.place) < 4*max(p.width, q.width) }) {
			taken = append(taken, p)
		}
	}
	return taken
}
