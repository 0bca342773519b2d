package generate

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sort"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// class is what is drawn from for one class of jobs.
type class struct {
	arrivals   arrivals
	value      int64
	sizes      sizer
	runTimes   runTimer
	malleables malleables
	habits     *habits    // nil without users
	estimator  *estimator // nil where there are no estimates
	longest    float64    // s, to which longer run times are cut; +Inf for none
}

// job is what is drawn of a job beside its submission.
type job struct {
	size                           int64
	run                            float64
	user, application              int64
	sequential, parallelism, sigma float64
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

// draw draws the job of a number in the class. Run times are not cut.
func (c *class) draw(d *drawer, number int64) (j job) {
	switch {
	case c.malleables.model != nil:
		c.malleables.stream.seed(&d.pcg, number)
		c.malleables.draw(d.rng, &j)
	case c.habits != nil:
		c.habits.draw(d, number, &j)
	default:
		c.sizes.stream.seed(&d.pcg, number)
		j.size = c.sizes.draw(d.rng)
		c.runTimes.stream.seed(&d.pcg, number)
		j.run = c.runTimes.draw(d.rng, j.size)
	}
	return j
}

// sizer draws the sizes of one class. Lublin and Feitelson (2003), section
// 3.1; the program's order of draws.
type sizer struct {
	model                 model.Sizes
	stream                stream
	powers                float64   // a number below it is a serial job or a power of two
	ends                  []float64 // cumulative shares of a table
	smallest              int64
	largest               int64
	leastPower, mostPower int // log2 of the smallest and of the largest power of two within these
}

func newSizer(c model.Class, processors int64, o Options) sizer {
	s := c.Sizes
	z := sizer{model: s, stream: newStream(o.Seed, partSizes, c.Name), powers: s.SerialShare + (1-s.SerialShare)*s.PowerOfTwoShare}
	sum := 0.0
	for _, row := range s.Shares {
		sum += row.Share
		z.ends = append(z.ends, sum)
	}
	z.smallest, z.largest = s.Range(processors)
	least, most := model.PowersWithin(z.smallest, z.largest)
	z.leastPower, z.mostPower = bits.Len64(uint64(least))-1, bits.Len64(uint64(most))-1
	return z
}

// draw returns a size; one number decides between serial, power of two and
// the rest.
func (s *sizer) draw(rng *rand.Rand) int64 {
	u := rng.Float64()
	if s.ends != nil {
		return s.model.Shares[sort.Search(len(s.ends)-1, func(i int) bool { return s.ends[i] > u })].Size
	}
	if u < s.model.SerialShare {
		return 1
	}
	x := s.model.Log2.Rand(rng)
	if u < s.powers {
		return int64(1) << max(s.leastPower, min(int(math.Floor(x+0.5)), s.mostPower))
	}
	return max(s.smallest, min(int64(math.Exp(min(x, 62)*math.Ln2)+0.5), s.largest))
}

// runTimer draws the run times of one class. Lublin and Feitelson (2003),
// section 3.2; the program's order of draws.
type runTimer struct {
	model  model.RunTimes
	stream stream
	exact  bool
	laws   []dist.Law // two of the logarithm, or one of seconds
	limit  float64    // where the laws are cut, +Inf for nowhere
	mass   [2]float64 // of the laws below the limit, for quantile
}

func newRunTimer(c model.Class, o Options) runTimer {
	m := c.RunTimes
	r := runTimer{model: m, stream: newStream(o.Seed, partRunTimes, c.Name), exact: o.Exact}
	if r.laws, r.limit = []dist.Law{m.Law.First, m.Law.Second}, m.Law.MaxLn; m.First.Law != nil {
		r.laws, r.limit = []dist.Law{m.First.Law}, orInf(m.MaxSeconds)
	}
	return r
}

// draw returns a run time in seconds. What is too long is drawn again, choice
// of the law and value both.
func (r *runTimer) draw(rng *rand.Rand, size int64) float64 {
	share := r.model.P(size)
	for {
		law := r.laws[0]
		if len(r.laws) > 1 && rng.Float64() >= share {
			law = r.laws[1]
		}
		x := law.Rand(rng)
		if x > r.limit {
			continue
		}
		return r.round(r.seconds(x))
	}
}

func (r *runTimer) seconds(x float64) float64 {
	if len(r.laws) > 1 { // of the logarithm
		return math.Exp(x)
	}
	return x
}

func (r *runTimer) round(t float64) float64 {
	if r.exact {
		return t
	}
	return wholeSeconds(t)
}

// wholeSeconds rounds down. A time below one second, which Lublin's laws do not have, becomes
// one: in a log, 0 s is a job that did not run.
func wholeSeconds(t float64) float64 { return max(1, math.Floor(t)) }

// massBelow is how much of the laws lies below the limit.
func (r *runTimer) massBelow() (mass [2]float64) {
	for i, law := range r.laws {
		mass[i] = law.CDF(r.limit)
	}
	return mass
}

// quantile turns a uniform number into a run time of a job of a size, in seconds, so that
// numbers near each other give run times near each other. The two laws follow
// one another: numbers below the first one's share are its own.
func (r *runTimer) quantile(size int64, u float64) float64 {
	law, of := 0, 1.
	if len(r.laws) > 1 {
		share := r.model.P(size)
		first, second := share*r.mass[0], (1-share)*r.mass[1]
		of = first / (first + second)
	}
	if u < of {
		u /= of
	} else {
		law, u = 1, min(1, (u-of)/(1-of))
	}
	return r.seconds(min(r.limit, r.laws[law].Quantile(u*r.mass[law])))
}

// malleables draws the jobs of a class that can run on any number of
// processors.
type malleables struct {
	model      *model.Malleable // nil for rigid jobs
	stream     stream
	processors int64
	exact      bool
}

// draw draws the sequential time, the average parallelism and sigma, in this order, as they are;
// a run time is of whole seconds and at least one.
func (m *malleables) draw(rng *rand.Rand, j *job) {
	j.sequential, j.parallelism, j.sigma = m.model.SequentialTime.Rand(rng), m.model.AverageParallelism.Rand(rng), m.model.Sigma.Rand(rng)
	if m.model.Allocation == model.NoAllocation {
		j.size, j.run = workload.Unknown, math.NaN()
		return
	}
	j.size = m.model.Size(j.parallelism, m.processors)
	j.run = j.sequential / model.DowneyS(float64(j.size), j.parallelism, j.sigma)
	if !m.exact {
		j.run = wholeSeconds(j.run)
	}
}

// users draws the users and applications of jobs. It is shared by all classes.
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

// maxUserProcessors is the largest machine for which jobs can have users: their
// preferences need a table of all sizes.
const maxUserProcessors = 1 << 20

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
	runs   runTimer
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
	if processors > maxUserProcessors {
		return nil, workload.OptionFault("processors", fmt.Sprintf("%d, and the model has users", processors), "at most %d", maxUserProcessors)
	}
	h := &habits{pick: newStream(o.Seed, partUsers, c.Name), alike: newStream(o.Seed, partAlike, c.Name), users: u, runs: newRunTimer(c, o)}
	h.runs.mass = h.runs.massBelow()
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

// draw draws a job. Users and applications count from 1, and no two users share an application.
func (h *habits) draw(d *drawer, number int64, j *job) {
	h.pick.seed(&d.pcg, number)
	user := int64(sort.SearchFloat64s(h.users.person, d.rng.Float64()))
	cell := user*h.users.model.Applications + int64(sort.SearchFloat64s(h.users.use, d.rng.Float64()))
	h.alike.seed(&d.pcg, number)
	u := h.begin[cell] + h.users.share(int(cell))*d.rng.Float64()
	p := h.pieces[sort.Search(len(h.pieces)-1, func(i int) bool { return h.pieces[i].end > u })]
	j.user, j.application, j.size = user+1, cell+1, p.size
	j.run = h.runs.round(h.runs.quantile(p.size, p.from+(p.to-p.from)*d.rng.Float64()))
}
