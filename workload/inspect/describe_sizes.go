package inspect

import (
	"maps"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Sizes describes how run times depend on job sizes: their correlation (Lublin and
// Feitelson, 2003, section 6.1) and the run times of groups of sizes (section 6.3).
type Sizes struct {
	Jobs       int64        `json:"jobs"`        // with a known size and a run time of 0 or more
	Pearson    stats.Number `json:"pearson"`     // correlation of processors and seconds
	Spearman   stats.Number `json:"spearman"`    // rank correlation
	RankMethod string       `json:"ranks"`       // how Spearman's ranks were computed
	LogJobs    int64        `json:"log_jobs"`    // those of Jobs with a run time above 0
	Logarithms stats.Number `json:"pearson_log"` // correlation of the logarithms, over LogJobs
	Groups     []SizeGroup  `json:"groups,omitempty"`
}

// SizeGroup summarises the run times of the jobs in a range of sizes.
type SizeGroup struct {
	From   int64        `json:"from_processors"`  // the smallest size
	To     int64        `json:"to_processors"`    // the largest
	Jobs   int64        `json:"jobs" show:"jobs"` // with a run time of 0 or more
	Pct    stats.Number `json:"-" show:"share,%"` // of all such jobs
	Mean   stats.Number `json:"run_time_mean_s" show:"mean s"`
	Q25    stats.Number `json:"run_time_q25_s" show:"q25 s"`
	Median stats.Number `json:"run_time_median_s" show:"median s"`
	Q75    stats.Number `json:"run_time_q75_s" show:"q75 s"`
	Method string       `json:"quantiles"` // how they were found
}

// numSizeGroups is the number of groups of Lublin and Feitelson (2003),
// section 6.3.
const numSizeGroups = 8

// relationPart correlates sizes and run times.
type relationPart struct {
	plain, logs stats.ExactCorrelation
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

func (p *relationPart) into(d *Description) {
	d.Sizes = Sizes{
		Jobs: int64(p.plain.N()), Pearson: stats.Number(p.plain.R()), Spearman: stats.Number(p.ranks.R()), RankMethod: p.ranks.Method(),
		LogJobs: int64(p.logs.N()), Logarithms: stats.Number(p.logs.R()), Groups: d.Sizes.Groups,
	}
}

// sizeGroupsPart keeps the run times of each size. Up to mostKept jobs of mostSizes sizes
// they are all kept. Beyond that each size has a sketch, and sizes above wholeSizes within
// 2 % of each other share one, so there are at most a thousand sketches.
type sizeGroupsPart struct {
	kept, most int
	mostSizes  int
	rows       map[int64]*sizeRow
	sketched   bool
}

type sizeRow struct {
	low, high int64
	moments   stats.ExactMoments
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

// sketch switches to sketches.
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
	r.moments.Merge(&o.moments)
	r.runs.Merge(&o.runs)
}

// sizes are the keys in ascending order.
func (p *sizeGroupsPart) sizes() []int64 { return slices.Sorted(maps.Keys(p.rows)) }

func (p *sizeGroupsPart) into(d *Description) {
	keys := p.sizes()
	counts := make([]float64, len(keys))
	for i, k := range keys {
		counts[i] = float64(p.rows[k].moments.N())
	}
	from := 0
	for _, to := range stats.EqualGroups(counts, numSizeGroups) {
		all := sizeRow{low: math.MaxInt64, runs: stats.Quantiles{Exact: p.most}}
		if p.sketched {
			all.runs.Exact = 1
		}
		for _, k := range keys[from:to] {
			all.merge(p.rows[k])
		}
		quantile := func(p float64) stats.Number { return stats.Number(all.runs.Quantile(p)) }
		d.Sizes.Groups = append(d.Sizes.Groups, SizeGroup{
			From: all.low, To: all.high, Jobs: int64(all.moments.N()), Pct: percent(int64(all.moments.N()), int64(p.kept)), Mean: stats.Number(all.moments.Mean()),
			Q25: quantile(0.25), Median: quantile(0.5), Q75: quantile(0.75), Method: all.runs.Method(),
		})
		from = to
	}
}
