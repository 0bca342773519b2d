package generate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"github.com/loadstone-hpc/loadstone/model"
)

// users draws the users and applications of jobs, and with them what is alike
// in the jobs of one application of one user. It is shared by all classes.
type users struct {
	model  *model.Users
	person []float64 // cumulative shares of the users
	use    []float64 // cumulative shares of a user's applications
}

func newUsers(m *model.Users) *users {
	if m == nil {
		return nil
	}
	return &users{m, zipf(m.Count, m.Exponent), zipf(m.Applications, m.Exponent)}
}

// zipf returns the cumulative shares of ranks 1 to n, in proportion to
// rank^-exponent; the last is 1.
func zipf(n int64, exponent float64) []float64 {
	c := make([]float64, n)
	sum := 0.0
	for i := range c {
		sum += math.Exp(-exponent * math.Log(float64(i+1)))
		c[i] = sum
	}
	for i := range c {
		c[i] /= sum
	}
	c[n-1] = 1
	return c
}

// pick returns a user and one of the user's applications, from 0.
func (u *users) pick(rng *rand.Rand) (user, application int64) {
	return int64(sort.SearchFloat64s(u.person, rng.Float64())), int64(sort.SearchFloat64s(u.use, rng.Float64()))
}

// share is the share of the jobs that a user and application submit.
func (u *users) share(cell int) float64 {
	between := func(c []float64, i int) float64 {
		if i == 0 {
			return c[0]
		}
		return c[i] - c[i-1]
	}
	n := int(u.model.Applications)
	return between(u.person, cell/n) * between(u.use, cell%n)
}

// MaxUserProcessors is the largest machine for which jobs can have users: their
// preferences need a table of all sizes.
const MaxUserProcessors = 1 << 20

// habits are the preferences of one class: a user's application, a cell, has
// a stretch of the quantiles of the sizes as wide as its share of the jobs, at
// a random place. A piece is the part of a cell's stretch in one size, and has
// a stretch of the quantiles of that size's run times; the pieces of a size
// cover them once, in a random order of the cells that is the same for all
// sizes. So jobs of a cell are alike, and all jobs together have exactly the
// model's sizes, and at every size exactly its run times.
type habits struct {
	pick   stream
	alike  stream
	users  *users
	runs   quantiles
	round  func(float64) float64
	begin  []float64 // of each cell's stretch of the sizes' quantiles
	pieces []piece   // by their ends
}

type piece struct {
	end      float64 // of the quantiles of sizes
	size     int64
	from, to float64 // quantiles of the run times
	cell     int32
}

func newHabits(u *users, c model.Class, processors int64, o Options) (*habits, error) {
	if u == nil {
		return nil, nil
	}
	if processors > MaxUserProcessors {
		return nil, optionError("processors", fmt.Sprintf("%d, and the model has users", processors), fmt.Sprintf("at most %d", MaxUserProcessors))
	}
	h := &habits{pick: newStream(o.Seed, partUsers, c.Name), alike: newStream(o.Seed, partAlike, c.Name), users: u, runs: newQuantiles(c, o)}
	timer := newRunTimer(c, o)
	h.round = timer.round
	cells := int(u.model.Count * u.model.Applications)
	preferences := newStream(o.Seed, partPreferences, c.Name).whole()
	rng := rand.New(&preferences)
	order, rank := rng.Perm(cells), rng.Perm(cells)
	h.begin = make([]float64, cells)
	sizes, ends := cumulativeSizes(c.Sizes, processors)
	at, s := 0.0, 0
	for i, cell := range order {
		h.begin[cell] = at
		end := at + u.share(cell)
		if i == cells-1 {
			end = 1
		}
		for at < end {
			to := min(end, ends[s])
			if to > at {
				h.pieces = append(h.pieces, piece{end: to, size: sizes[s], to: to - at, cell: int32(cell)})
			}
			at = max(at, to)
			if at >= ends[s] && s < len(sizes)-1 {
				s++
			}
		}
	}
	// The pieces of one size follow each other; lay them out in order of rank.
	for first := 0; first < len(h.pieces); {
		last := first
		for last < len(h.pieces) && h.pieces[last].size == h.pieces[first].size {
			last++
		}
		group := make([]*piece, 0, last-first)
		all := 0.0
		for i := first; i < last; i++ {
			group = append(group, &h.pieces[i])
			all += h.pieces[i].to
		}
		slices.SortFunc(group, func(a, b *piece) int { return rank[a.cell] - rank[b.cell] })
		from := 0.0
		for _, p := range group {
			width := p.to / all
			p.from, p.to = from, min(1, from+width)
			from = p.to
		}
		first = last
	}
	return h, nil
}

// cumulativeSizes are the sizes that occur, and their cumulative shares, of
// which the last is 1.
func cumulativeSizes(s model.Sizes, processors int64) (sizes []int64, ends []float64) {
	sum := 0.0
	for n := int64(1); n <= processors; n++ {
		if p := s.Probability(n, processors); p > 0 {
			sum += p
			sizes, ends = append(sizes, n), append(ends, sum)
		}
	}
	for i := range ends {
		ends[i] /= sum
	}
	ends[len(ends)-1] = 1
	return sizes, ends
}

// draw returns a job of a group (a bag, or the job by itself), which one user submits with one application. Users and applications count
// from 1, and no two users share an application.
func (h *habits) draw(pcg *rand.PCG, rng *rand.Rand, group, job int64) (user, application, size int64, run float64) {
	h.pick.seed(pcg, group)
	user, use := h.users.pick(rng)
	cell := user*h.users.model.Applications + use
	h.alike.seed(pcg, job)
	u := h.begin[cell] + h.users.share(int(cell))*rng.Float64()
	i := sort.Search(len(h.pieces)-1, func(i int) bool { return h.pieces[i].end > u })
	p := h.pieces[i]
	run = h.round(h.runs.at(p.size, p.from+(p.to-p.from)*rng.Float64()))
	return user + 1, cell + 1, p.size, run
}
