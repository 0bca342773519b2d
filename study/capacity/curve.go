package capacity

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/stats"
)

// widen simulates machines around the best size, also with the twins, for the interval.
func (s *search) widen(ctx context.Context, best int64, r *Result) error {
	twins := int(min(int64(s.o.Twins), max(0, s.room()/(2*halfCurve+1)-int64(s.behaviours))))
	if twins < s.o.Twins {
		r.Twins = min(r.Twins, twins)
		r.warn("most-jobs", "%s simulated under %s, for --most-jobs %d", words.Counted(twins, "twin"), s.o.Policies[s.policy], s.o.MostJobs)
	}
	s.curves = s.curves[:s.behaviours+twins]
	// Waits in busier or quieter weeks are like those of the log on smaller or larger machines.
	reach := min(mostReach, max(leastReach, 2*stat.StdDev(logarithms(s.sets[0].work), nil)))
	for k := -halfCurve; k <= halfCurve; k++ {
		size := int64(math.Round(float64(best) * math.Exp(reach*float64(k)/halfCurve)))
		if size > s.tooSmall {
			if _, err := s.at(ctx, size, len(s.curves)); err != nil {
				return err
			}
		}
	}
	return nil
}

const (
	halfCurve = 4 // number of machines on each side of the answer on which twins are simulated
	// Limits of ln(largest of these machines / answer).
	leastReach, mostReach = 0.1, 0.7
)

// points adds the curve: today's machine and those on which twins were simulated. Waits in busier
// and quieter weeks are like those of the log on smaller and larger machines, so the band at a size
// follows from the interval of the best size, low to high.
func (s *search) points(policy string, best int64, low, high float64, r *Result) {
	c := s.curves[0]
	value := func(o *outcome) float64 { return o.value }
	shown := int64(-1)
	for _, o := range c {
		var twins []float64
		for _, twin := range s.curves[s.behaviours:] {
			if k, ok := twin.find(o.size); ok {
				twins = append(twins, twin[k].value)
			}
		}
		amount := s.machine.amount(o.size)
		if _, ok := s.curves[len(s.curves)-1].find(o.size); !ok && o.size != s.machine.today || amount == shown { // without twins, or with the same pools as the last
			continue
		}
		shown = amount
		p := Point{Policy: policy, Size: amount, ChangePct: s.change(o.size), Value: stats.Number(o.value), Low: unknown, High: unknown, Twins: unknown, Cost: s.cost(o.size)}
		if smaller := float64(o.size) * float64(best) / high; smaller >= float64(c[0].size) {
			p.High = stats.Number(c.between(smaller, value))
		}
		if larger := float64(o.size) * float64(best) / low; larger <= float64(c[len(c)-1].size) {
			p.Low = stats.Number(c.between(larger, value))
		}
		if slices.Sort(twins); len(twins) > 0 {
			p.Twins = stats.Number(stat.Quantile(0.5, stat.Empirical, twins, nil))
		}
		if o.size == best && (p.Twins < p.Low || p.Twins > p.High) {
			r.warn("twins-differ", "under %s the twins wait %.0f s on the answer, outside the log's band: waits depend more on which users are active at the same time than on how busy the weeks are", policy, p.Twins)
		}
		r.Curve = append(r.Curve, p)
	}
}

// byClass adds the waits of each class in the log, on today's machine, and on the smallest machine
// that meets the target.
func (s *search) byClass(policy string, today, best *outcome, r *Result) {
	if s.o.By == "" {
		return
	}
	type waits struct{ log, today, answer []float64 }
	byName, names := map[string]*waits{}, []string(nil)
	for i, name := range s.sets[0].classes {
		class := byName[name]
		if class == nil {
			class = new(waits)
			byName[name], names = class, append(names, name)
		}
		class.log, class.today, class.answer = append(class.log, s.logged[i]), append(class.today, today.waits[i]), append(class.answer, best.waits[i])
	}
	for _, name := range names {
		class := byName[name]
		statistic := func(waits []float64) stats.Number { return stats.Number(s.target.of(waits)) }
		r.Classes = append(r.Classes, ClassWait{policy, name, len(class.log), statistic(class.log), statistic(class.today), statistic(class.answer)})
	}
}
