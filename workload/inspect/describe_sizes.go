package inspect

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// SizeAndRunTime is the correlation of the jobs' sizes and run times: Lublin
// and Feitelson (2003), section 6.1.
type SizeAndRunTime struct {
	Jobs       int64   // with a known size and a run time of 0 or more
	Pearson    float64 // of processors and seconds
	Spearman   float64 // of their ranks
	RankMethod string  // how the ranks were found
	Logarithms float64 // Pearson's of their logarithms, over jobs whose run time is above 0
	LogJobs    int64
}

// SizeGroup is the run times of the jobs of some sizes.
type SizeGroup struct {
	From, To       int64 // processors, the smallest and the largest size
	Jobs           int64 // with a run time of 0 or more
	Mean           float64
	Q25            float64 // s, like the following
	Median         float64
	Q75            float64
	QuantileMethod string
}

// numSizeGroups is the number of groups of Lublin and Feitelson (2003),
// section 6.3.
const numSizeGroups = 8

// relationPart correlates sizes and run times.
type relationPart struct {
	plain, logs stats.Correlation
	ranks       stats.Spearman
}

func (p *relationPart) add(s *slab) {
	for i, run := range s.run {
		if size := s.size[i]; size != workload.Unknown && run >= 0 && !math.IsInf(run, 0) {
			x := float64(size)
			p.plain.Add(x, run)
			p.ranks.Add(x, run)
			if run > 0 {
				p.logs.Add(math.Log(x), math.Log(run))
			}
		}
	}
}

func (p *relationPart) found() SizeAndRunTime {
	return SizeAndRunTime{
		Jobs: int64(p.plain.N()), Pearson: p.plain.R(), Spearman: p.ranks.R(), RankMethod: p.ranks.Method(),
		Logarithms: p.logs.R(), LogJobs: int64(p.logs.N()),
	}
}

// sizeGroupsPart keeps the run times of each size. Up to mostKept jobs of
// mostSizes sizes they are all kept; beyond, each size has a sketch, and sizes above wholeSizes share
// one within 2 %, so that there are a thousand sketches at most.
type sizeGroupsPart struct {
	kept, most int
	mostSizes  int
	rows       map[int64]*sizeRow
	sketched   bool
}

type sizeRow struct {
	low, high int64
	moments   stats.Moments
	runs      stats.Quantiles
}

const (
	mostKept   = stats.DefaultExact
	mostSizes  = 1 << 16
	wholeSizes = 256
)

func newSizeGroupsPart() *sizeGroupsPart {
	return &sizeGroupsPart{most: mostKept, mostSizes: mostSizes, rows: map[int64]*sizeRow{}}
}

func (p *sizeGroupsPart) add(s *slab) {
	for i, run := range s.run {
		size := s.size[i]
		if size == workload.Unknown || !(run >= 0) {
			continue
		}
		key := size
		if p.sketched {
			key = sketchedSize(size)
		}
		r := p.rows[key]
		if r == nil {
			r = &sizeRow{low: size, high: size}
			if p.sketched {
				r.runs.Exact = 1
			}
			p.rows[key] = r
		}
		r.low, r.high = min(r.low, size), max(r.high, size)
		r.moments.Add(run)
		r.runs.Add(run)
		if p.kept++; (p.kept > p.most || len(p.rows) > p.mostSizes) && !p.sketched {
			p.sketch()
		}
	}
}

// sketchedSize is the key of the sizes that share a sketch.
func sketchedSize(size int64) int64 {
	if size <= wholeSizes {
		return size
	}
	return wholeSizes + 1 + int64(math.Log(float64(size)/wholeSizes)/0.02)
}

// sketch goes over to sketches.
func (p *sizeGroupsPart) sketch() {
	rows := map[int64]*sizeRow{}
	for _, size := range p.sizes() { // in order, so that sums do not depend on the map's
		row, key := p.rows[size], sketchedSize(size)
		to := rows[key]
		if to == nil {
			to = &sizeRow{low: row.low, high: row.high, runs: stats.Quantiles{Exact: 1}}
			rows[key] = to
		}
		to.merge(row)
	}
	p.rows, p.sketched = rows, true
}

func (r *sizeRow) merge(o *sizeRow) {
	r.low, r.high = min(r.low, o.low), max(r.high, o.high)
	r.moments.Merge(o.moments)
	r.runs.Merge(&o.runs)
}

// sizes are the keys in ascending order.
func (p *sizeGroupsPart) sizes() []int64 {
	keys := make([]int64, 0, len(p.rows))
	for k := range p.rows {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func (p *sizeGroupsPart) found() []SizeGroup {
	keys := p.sizes()
	counts := make([]float64, len(keys))
	for i, k := range keys {
		counts[i] = float64(p.rows[k].moments.N())
	}
	var groups []SizeGroup
	from := 0
	for _, to := range stats.EqualGroups(counts, numSizeGroups) {
		all := sizeRow{low: math.MaxInt64, runs: stats.Quantiles{Exact: p.most}}
		if p.sketched {
			all.runs.Exact = 1
		}
		for _, k := range keys[from:to] {
			all.merge(p.rows[k])
		}
		groups = append(groups, SizeGroup{
			From: all.low, To: all.high, Jobs: int64(all.moments.N()), Mean: all.moments.Mean(),
			Q25: all.runs.Quantile(0.25), Median: all.runs.Quantile(0.5), Q75: all.runs.Quantile(0.75),
			QuantileMethod: all.runs.Method(),
		})
		from = to
	}
	return groups
}
