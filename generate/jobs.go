package generate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// class holds the laws and streams from which one class of jobs is drawn.
type class struct {
	model      model.Class
	column     *workload.Column // column that defines the classes; nil if there is only one class
	exact      bool
	processors int64
	arrivals   arrivals
	size       func(rng *rand.Rand) int64 // draws a size
	habits     *habits                    // nil without users
	estimates  *model.EstimateLaw         // nil if there are none
	longest    float64                    // s, to which longer run times are cut; +Inf for no cut

	sizing, running, malleable, estimating stream
}

func newClass(c model.Class, processors int64, u *users, o Options) (k class, err error) {
	stream := func(p part) stream { return newStream(o.Seed, p, c.Name) }
	k = class{
		model: c, column: workload.FindColumn(c.Column), exact: o.Exact, processors: processors, longest: c.LongestRun(),
		sizing: stream(partSizes), running: stream(partRunTimes), malleable: stream(partMalleable), estimating: stream(partEstimates),
	}
	if c.Malleable == nil {
		k.size = c.Sizes.Drawer(processors)
	}
	k.habits, err = newHabits(u, c, processors, o)
	return k, err
}

// drawer draws jobs, with random numbers that are seeded anew for each part of each job.
type drawer struct {
	pcg rand.PCG
	rng *rand.Rand
}

func newDrawer() *drawer {
	d := &drawer{}
	d.rng = rand.New(&d.pcg)
	return d
}

// draw draws the job with the given number in the class. It does not cut the run time.
func (c *class) draw(d *drawer, number int64, j *workload.Job) {
	switch {
	case c.model.Malleable != nil:
		c.malleable.seed(&d.pcg, number)
		c.drawMalleable(d.rng, j)
	case c.habits != nil:
		c.habits.draw(d, number, j)
	default:
		c.sizing.seed(&d.pcg, number)
		j.Allocated = c.size(d.rng)
		c.running.seed(&d.pcg, number)
		j.Run = c.model.RunTimes.Draw(d.rng, j.Allocated)
	}
	// A run time below one second becomes one second, because a job with 0 s in a log did not
	// run. Lublin's laws have no such times.
	if !c.exact {
		j.Run = max(1, math.Floor(j.Run))
	}
}

// drawMalleable draws the sequential time, the average parallelism and sigma, in this order.
func (c *class) drawMalleable(rng *rand.Rand, j *workload.Job) {
	m := c.model.Malleable
	j.SequentialTime, j.AverageParallelism, j.Sigma = m.SequentialTime.Rand(rng), m.AverageParallelism.Rand(rng), m.Sigma.Rand(rng)
	if m.Rigid {
		j.Allocated = m.Size(j.AverageParallelism, c.processors)
		j.Run = j.SequentialTime / model.DowneyS(float64(j.Allocated), j.AverageParallelism, j.Sigma)
	} else { // j may still hold a job of a rigid class
		j.Allocated, j.Run = workload.Unknown, math.NaN()
	}
}

// users draws the users and applications of jobs. It is shared by all classes.
type users struct {
	person []float64 // cumulative shares of the users
	use    []float64 // cumulative shares of a user's applications
}

func newUsers(m *model.Users) *users {
	if m == nil {
		return nil
	}
	return &users{zipf(m.Count), zipf(model.Applications)}
}

// zipf returns the cumulative shares of ranks 1 to n, in proportion to
// 1/rank; the last is 1.
func zipf(n int64) []float64 {
	c := make([]float64, n)
	sum := 0.0
	for i := range c {
		sum += 1 / float64(i+1)
		c[i] = sum
	}
	for i := range c {
		c[i] /= sum
	}
	c[n-1] = 1
	return c
}

// share returns the share of the jobs in a cell, which is an application of a user.
func (u *users) share(cell int) float64 {
	between := func(c []float64, i int) float64 {
		if i == 0 {
			return c[0]
		}
		return c[i] - c[i-1]
	}
	return between(u.person, cell/model.Applications) * between(u.use, cell%model.Applications)
}

// maxUserProcessors is the largest machine for which jobs can have users: their
// preferences need a table of all sizes.
const maxUserProcessors = 1 << 20

// habits are the preferences of the users in one class. A cell is an application of a user. Each
// cell has an interval of the quantiles of sizes, as wide as its share of the jobs, at a random
// place. A piece is the part of a cell's interval within one size. Each piece has an interval of
// the quantiles of the run times at that size; the pieces of a size cover these quantiles once,
// in a random order of the cells that is the same for all sizes. So jobs of a cell are similar,
// and all jobs together have exactly the model's sizes and, at every size, exactly its run times.
type habits struct {
	pick   stream
	alike  stream
	users  *users
	runs   func(size int64, u float64) float64
	begin  []float64 // lower ends of the cells' intervals of the quantiles of sizes
	pieces []piece   // by ascending end
}

type piece struct {
	end      float64 // upper end of its interval of the quantiles of sizes
	size     int64
	from, to float64 // interval of the quantiles of run times
	cell     int32
}

func newHabits(u *users, c model.Class, processors int64, o Options) (*habits, error) {
	if u == nil {
		return nil, nil
	}
	if processors > maxUserProcessors {
		return nil, workload.OptionFault("processors", fmt.Sprintf("%d, and the model has users", processors), "at most %d", maxUserProcessors)
	}
	h := &habits{pick: newStream(o.Seed, partUsers, c.Name), alike: newStream(o.Seed, partAlike, c.Name), users: u, runs: c.RunTimes.Quantiles()}
	cells := len(u.person) * model.Applications
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
	// The pieces of one size are consecutive. Arrange their run times in order of rank.
	for first := 0; first < len(h.pieces); {
		last := first
		var group []*piece
		all := 0.0
		for ; last < len(h.pieces) && h.pieces[last].size == h.pieces[first].size; last++ {
			group = append(group, &h.pieces[last])
			all += h.pieces[last].to
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

// cumulativeSizes returns the sizes that occur, ascending, and their cumulative shares. The last
// share is 1.
func cumulativeSizes(s model.Sizes, processors int64) (sizes []int64, ends []float64) {
	sum := 0.0
	for size, share := range s.Shares(processors) {
		sum += share
		sizes, ends = append(sizes, size), append(ends, sum)
	}
	ends[len(ends)-1] = 1
	return sizes, ends
}

// draw draws a job. Users and applications are numbered from 1, and no two users share an
// application.
func (h *habits) draw(d *drawer, number int64, j *workload.Job) {
	h.pick.seed(&d.pcg, number)
	user := int64(sort.SearchFloat64s(h.users.person, d.rng.Float64()))
	cell := user*model.Applications + int64(sort.SearchFloat64s(h.users.use, d.rng.Float64()))
	h.alike.seed(&d.pcg, number)
	u := h.begin[cell] + h.users.share(int(cell))*d.rng.Float64()
	p := h.pieces[sort.Search(len(h.pieces)-1, func(i int) bool { return h.pieces[i].end > u })]
	j.User, j.Application, j.Allocated = user+1, cell+1, p.size
	j.Run = h.runs(p.size, p.from+(p.to-p.from)*d.rng.Float64())
}
