package score

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/stats"
)

func (k *classCheck) size(alarm float64, why unknown) Check {
	c := Check{What: SizeOf, Statistic: "D", Why: why.sizes}
	if c.Why != "" {
		return c
	}
	sizes := &k.part.values[size]
	if sizes.N() == 0 {
		c.Why = "no size is known"
		return c
	}
	l := k.findLaws()
	// In buckets, sizes are not whole: they cannot be looked up.
	if !sizes.Exact() {
		c.Why = "there are too many different sizes"
		return c
	}
	c.N, c.Tolerance = int64(sizes.N()), stats.Number(band(sizes.N(), alarm))
	c.Value = stats.Number(farthest(sizes, func(x float64) (at, before float64) {
		n := int64(x)
		return l.at(n, k.processors), l.at(n-1, k.processors)
	}))
	return c
}

// farthest is the largest distance of a sample's distribution function from a
// law's, which is asked for its probability up to a value and below it.
func farthest(sample *stats.DistinctCounts, law func(x float64) (at, before float64)) float64 {
	values, counts := sample.Values()
	return farthestOf(values, counts, sample.Exact(), law)
}

func farthestOf(values, counts []float64, exact bool, law func(x float64) (at, before float64)) float64 {
	d, upTo, n := 0.0, 0.0, 0.0
	for _, c := range counts {
		n += c
	}
	for i, x := range values {
		at, before := law(x)
		if exact { // a bucket has values below its end
			d = max(d, math.Abs(upTo/n-before))
		}
		upTo += counts[i]
		d = max(d, math.Abs(upTo/n-at))
	}
	return d
}

// rounded is farthest from a mixture, of run times rounded down. What is below
// a second may have become 0 or 1: all below 2 s counts as 1.
func (m *mixture) rounded(sample *stats.DistinctCounts) float64 {
	values, counts := sample.Values()
	below := 0.0
	for len(values) > 0 && values[0] < 2 {
		below += counts[0]
		values, counts = values[1:], counts[1:]
	}
	if below > 0 {
		values, counts = append([]float64{1}, values...), append([]float64{below}, counts...)
	}
	return farthestOf(values, counts, sample.Exact(), func(x float64) (at, before float64) {
		if x == 1 {
			return m.upTo(2), 0
		}
		return m.upTo(math.Floor(x) + 1), m.upTo(math.Ceil(x))
	})
}

func (k *classCheck) runTime(alarm float64, why unknown) Check {
	c := Check{What: RunTimeOf, Statistic: "D", Why: why.runTimes}
	if c.Why != "" {
		return c
	}
	runs := &k.part.values[runTime]
	if runs.N() == 0 {
		c.Why = "no run time is known"
		return c
	}
	c.N, c.Tolerance = int64(runs.N()), stats.Number(band(runs.N(), alarm))
	c.Value = stats.Number(k.findLaws().all.rounded(runs))
	return c
}

// fewestOfSizes is how many jobs a group of sizes needs for a check of its own.
const fewestOfSizes = 100

func (k *classCheck) runTimesBySize(alarm float64) []Check {
	var all []Check
	l := k.findLaws()
	for _, g := range slices.Sorted(maps.Keys(k.part.groups)) {
		runs := k.part.groups[g]
		from, to := int64(1), int64(1)<<g
		if g > 0 {
			from = to/2 + 1
		}
		c := Check{What: fmt.Sprintf("%s of sizes %d-%d", RunTimeOf, from, to), Statistic: "D", N: int64(runs.N())}
		if from == to {
			c.What = fmt.Sprintf("%s of size %d", RunTimeOf, to)
		}
		switch law := l.groups[g]; {
		case law == nil:
			c.Value, c.Tolerance = 1, stats.Number(band(runs.N(), alarm)) // sizes that the model does not have
		case runs.N() < fewestOfSizes:
			c.Why = fmt.Sprintf("fewer than %d jobs", fewestOfSizes)
		default:
			c.Value, c.Tolerance = stats.Number(law.rounded(runs)), stats.Number(band(runs.N(), alarm))
		}
		all = append(all, c)
	}
	return all
}

func (k *classCheck) interarrival(alarm float64, why unknown) Check {
	c := Check{What: InterarrivalOf, Statistic: "D", Why: cmp.Or(why.arrivals, k.whyNoUnits())}
	if c.Why != "" {
		return c
	}
	gaps, slack, law := k.part.series.gaps, k.part.series.slack, k.interarrivals()
	c.N = int64(gaps.N())
	// The time to the end of a workload of so many days is one that is cut off.
	c.Tolerance = stats.Number(band(gaps.N(), alarm) + 1/float64(gaps.N()))
	values, counts := gaps.Values()
	upTo, n := 0.0, float64(gaps.N())
	for i, x := range values {
		low, high := law.CDF((x-slack)/k.stretch), law.CDF((x+slack)/k.stretch)
		if gaps.Exact() {
			c.Value = max(c.Value, stats.Number(low-upTo/n))
		}
		upTo += counts[i]
		c.Value = max(c.Value, stats.Number(upTo/n-high), stats.Number(low-upTo/n))
	}
	return c
}

// whyNoUnits says why interarrival times are not known in the model's time.
func (k *classCheck) whyNoUnits() string {
	if k.part == nil {
		return "no jobs"
	}
	s := k.part.series
	switch {
	case s.units == nil:
		return "the profile was made without the model"
	case s.gaps.N() == 0:
		return "fewer than two submissions are known"
	case !k.steadyClock():
		return "the site's clock changes between standard and daylight saving time"
	}
	return ""
}

// steadyClock says that the clock's offset is one from the first submission to
// the last.
func (k *classCheck) steadyClock() bool {
	at, last := k.clock.At(k.part.first), k.clock.At(k.part.last)
	_, offset := at.Zone()
	for {
		_, end := at.ZoneBounds()
		if end.IsZero() || end.After(last) {
			return true
		}
		at = end
		if _, o := at.Zone(); o != offset {
			return false
		}
	}
}

// fewestDays is how many whole days the cycle is checked by.
const fewestDays = 30

func (k *classCheck) cycle(alarm float64, why unknown) Check {
	c := Check{What: "daily_cycle", Statistic: "chi_square", Why: cmp.Or(why.arrivals, k.whyNoUnits())}
	if c.Why != "" {
		return c
	}
	weights, _ := k.class.Arrivals.Weights()
	days := k.part.days
	known := slices.Sorted(maps.Keys(days.byDay))
	n := float64(known[len(known)-1] - known[0]) // the last day is not whole
	switch {
	case days.full:
		c.Why = fmt.Sprintf("it covers more than %d days", mostDays)
		return c
	case n < fewestDays:
		c.Why = fmt.Sprintf("it covers %g whole days, want %d", n, fewestDays)
		return c
	}
	var jobs, left [model.Slots]float64 // left: less what the day's jobs make of it
	var products [model.Slots][model.Slots]float64
	all := 0.0
	for _, day := range known[:len(known)-1] {
		counts := days.byDay[day]
		var total float64
		for _, x := range counts {
			total += float64(x)
		}
		var r [model.Slots]float64
		for i, x := range counts {
			jobs[i] += float64(x)
			r[i] = float64(x) - total*weights[i]/model.Slots
			left[i] += r[i]
		}
		for i := range r {
			for j := range r {
				products[i][j] += r[i] * r[j]
			}
		}
		all += total
	}
	var expected [model.Slots]float64
	for i, w := range weights {
		expected[i] = all * w / model.Slots
	}
	var trace, squares float64
	for i := range weights {
		for j := range weights {
			si, sj := jobs[i]+expected[i], jobs[j]+expected[j]
			if si == 0 || sj == 0 {
				continue
			}
			cov := (products[i][j] - left[i]*left[j]/n) * n / (n - 1)
			if i == j {
				trace += cov / si
			}
			squares += cov * cov / (si * sj)
		}
	}
	t := math.Log(1 / alarm)
	c.N, c.Value = int64(all), stats.Number(chiSquareMeasure(expected[:], jobs[:]))
	c.Tolerance = stats.Number(trace + 2*math.Sqrt(squares*t) + 2*math.Sqrt(squares)*t)
	return c
}

// checkLoad is the check of the offered load, over all classes.
func checkLoad(classes []*classCheck, site model.Site, o CheckOptions, alarm float64) Check {
	c := Check{What: "offered_load", Statistic: "difference", Model: stats.Number(o.Load), Got: stats.Number(missing), Value: stats.Number(missing), Tolerance: stats.Number(missing)}
	if o.Load == 0 {
		c.Model = stats.Number(site.OfferedLoad())
	}
	got, low, high := 0.0, 0.0, 0.0
	for _, k := range classes {
		why := k.unknownParts()
		if c.Why = cmp.Or(why.sizes, why.runTimes, why.arrivals); c.Why == "" {
			c.Why = k.whyNoUnits()
		}
		n := 0
		if c.Why == "" {
			if n = k.part.values[work].N(); n == 0 {
				c.Why = "no job has a size and a run time"
			}
		}
		if c.Why != "" {
			return c
		}
		c.N += int64(n)
		l, law := k.findLaws(), k.interarrivals()
		gap, gaps := k.stretch*law.Mean(), k.part.series.gaps.N()
		// Half of the alarm for each side, and for each of two means of a class.
		share := alarm / float64(2*len(classes))
		most := float64(k.processors) * min(math.Exp(k.class.Lublin().RunTimes.MaxLn), k.class.LongestRun())
		a := bernstein(n, l.areaSquare-l.area*l.area, most, share)/l.area + l.size/l.area // whole seconds take less than one off
		g := bernstein(gaps, k.stretch*k.stretch*law.Variance(), k.stretch*math.Exp(k.class.Lublin().Gaps.MaxLn), share) / gap
		g += k.part.series.slack / gap / float64(gaps)
		if g >= 1 {
			c.Why = fmt.Sprintf("%d jobs are too few: interarrival times have such a heavy tail that their mean is meaningless", n)
			return c
		}
		own := l.area / gap / float64(site.Processors)
		low += own * (1 - a) / (1 + g)
		high += own * (1 + a) / (1 - g)
		got += k.part.moments[work].Mean() / k.part.series.mean.Mean() / float64(site.Processors)
	}
	said := float64(c.Model)
	c.Got, c.Value, c.Tolerance = stats.Number(got), stats.Number(math.Abs(got-said)), stats.Number(max(high-said, said-low))
	return c
}
