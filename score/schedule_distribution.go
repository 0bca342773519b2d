package score

import (
	"math"
)

// ScheduleDistributions contains the distribution functions of the jobs' waits,
// response times and slowdowns in a schedule.
type ScheduleDistributions struct {
	Wait, Response []Share // s
	Slowdown       []Share // bounded
}

// Distributions returns the distribution functions at 0 and at ten points a
// decade from 1 to the first that no value exceeds: figure 6 of Sonmez and
// others (2009). They are exact up to KeepScheduled jobs; beyond, a point may
// include values that exceed it by up to 2 stats.RelativeError. Without jobs
// they are nil.
func (t *ScheduleTally) Distributions() ScheduleDistributions {
	return ScheduleDistributions{t.wait.shares(), t.response.shares(), t.slowdown.shares()}
}

func (s *spread) shares() []Share {
	if s.moments.N() == 0 {
		return nil
	}
	d := s.distribution()
	all := []Share{{0, d.AtMost(0)}}
	// Values end before 10^309.
	for i := 0; i <= 3090 && all[len(all)-1].AtMost < 1; i++ {
		x := math.Pow(10, float64(i)/10)
		all = append(all, Share{x, d.AtMost(x)})
	}
	return all
}
