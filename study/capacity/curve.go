package capacity

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// widen simulates machines around the smallest, with the twins too, for the interval.
func (s *search) widen(ctx context.Context, best int64, r *Result) error {
	left := s.room() / int64(len(s.policies)-s.policy) // simulations for this policy
	twins := int(min(int64(s.o.Twins), max(0, left/(2*halfCurve+1)-1)))
	if twins < s.o.Twins {
		r.Twins = min(r.Twins, twins)
		r.Warnings = append(r.Warnings, workload.Warning{Rule: "most-jobs", Count: 1,
			Text: fmt.Sprintf("%s simulated under %s, for --most-jobs %d", words.Counted(twins, "twin"), s.o.policyNames()[s.policy], s.o.MostJobs)})
	}
	s.curves = s.curves[:1+twins]
	tooSmall := int64(0)
	for _, o := range s.curves[0] {
		if o.misfit {
			tooSmall = max(tooSmall, o.size)
		}
	}
	// Weeks that are busier or quieter than the log's wait like those on smaller or larger machines.
	reach := min(mostReach, max(leastReach, 2*stat.StdDev(logarithms(s.sets[0].work), nil)))
	for k := -halfCurve; k <= halfCurve; k++ {
		size := int64(math.Round(float64(best) * math.Exp(reach*float64(k)/halfCurve)))
		if size > tooSmall {
			if _, err := s.at(ctx, size, 1+twins); err != nil {
				return err
			}
		}
	}
	for i, c := range s.curves {
		s.curves[i] = slices.DeleteFunc(c, func(o *outcome) bool { return o.misfit })
	}
	return nil
}

const (
	halfCurve = 4 // machines on each side of the answer that twins are simulated on
	// Bounds of the logarithm of the largest of these machines over the answer.
	leastReach, mostReach = 0.1, 0.7
)

// interval returns the interval of sizes around that of the log. Replicates take turns with the
// workloads; what they say is relative to the workload's own size.
func (s *search) interval(best int64) (low, high int64) {
	block := blockOf(s.sets[0].work)
	rng := rand.New(rand.NewPCG(s.o.Seed, 0)) // the same for all policies
	size := func(workload int, drawn site) float64 {
		c := s.curves[workload]
		return falling(func(size float64) float64 { return c.excess(s.target, drawn, size, s.target.Limit) },
			s.target.most(), float64(c[0].size), float64(c[len(c)-1].size), 1.001)
	}
	own := make([]float64, len(s.curves))
	for w := range s.curves {
		own[w] = size(w, s.same())
	}
	var sizes []float64
	for i := range replicates {
		w := i % len(s.curves)
		drawn := replicate(s.sets[w].work, block, rng)
		sizes = append(sizes, float64(best)*size(w, drawn)/own[w])
	}
	from, to := ends(sizes)
	return min(int64(math.Floor(from)), best), max(int64(math.Ceil(to)), best)
}

// points adds the curve: today's machine and those that twins were simulated on.
func (s *search) points(policy string, r *Result) {
	c := s.curves[0]
	shown := slices.DeleteFunc(slices.Clone(c), func(o *outcome) bool {
		_, ok := s.curves[len(s.curves)-1].find(o.size)
		return !ok && o.size != s.machine.today
	})
	shown = slices.CompactFunc(shown, func(a, b *outcome) bool { // machines whose pools are the same
		return s.machine.amount(a.size) == s.machine.amount(b.size)
	})
	points := make([]Point, len(shown))
	work := s.sets[0].work
	block, rng, sites := blockOf(work), rand.New(rand.NewPCG(s.o.Seed, 1<<32)), make([]site, bandSites)
	for i := range sites {
		sites[i] = replicate(work, block, rng)
	}
	par.Each(s.o.Workers, len(shown), func(i int) {
		o := shown[i]
		size := float64(o.size)
		var values []float64
		for _, drawn := range sites {
			over := func(limit float64) float64 { return c.excess(s.target, drawn, size, limit) }
			value := over(s.target.Limit) // of a mean
			if s.target.Quantile > 0 && over(0) <= s.target.most() {
				value = 0
			} else if s.target.Quantile > 0 {
				value = falling(over, s.target.most(), 1, longest, 1.02)
			}
			values = append(values, value)
		}
		p := Point{Policy: policy, Size: s.machine.amount(o.size), ChangePct: s.change(o.size), Value: stats.Number(o.value), Twins: unknown, Cost: s.cost(o.size)}
		low, high := ends(values)
		p.Low, p.High = min(p.Value, stats.Number(low)), max(p.Value, stats.Number(high))
		var twins []float64
		for _, twin := range s.curves[1:] {
			if k, ok := twin.find(o.size); ok {
				twins = append(twins, twin[k].value)
			}
		}
		if slices.Sort(twins); len(twins) > 0 {
			p.Twins = stats.Number(stat.Quantile(0.5, stat.Empirical, twins, nil))
		}
		points[i] = p
	})
	r.Curve = append(r.Curve, points...)
}

const (
	bandSites = 99  // replicates of the band, of each of which a quantile is found by bisection
	longest   = 1e8 // s, of waits
)

// byClass adds the waits of classes in the log, on today's machine and on the smallest that meets the
// target.
func (s *search) byClass(ctx context.Context, policy string, best int64, r *Result) error {
	if s.o.By == "" {
		return nil
	}
	var columns [3][]float64
	columns[0] = s.logged
	for i, size := range []int64{s.machine.today, best} {
		waits, err := simulate(ctx, s.sets[0].rows, s.sets[0].jobs(), s.config(size, s.policy))
		if err != nil {
			return err
		}
		columns[1+i] = waits
	}
	for class, name := range s.classes.names {
		row := ClassWait{Policy: policy, Class: name}
		for i, to := range []*stats.Number{&row.Log, &row.Today, &row.Answer} {
			var waits []float64
			for k, wait := range columns[i] {
				if s.sets[0].classes[k] == int32(class) {
					waits = append(waits, wait)
				}
			}
			*to, row.Jobs = stats.Number(s.target.of(waits)), len(waits)
		}
		r.Classes = append(r.Classes, row)
	}
	return nil
}
