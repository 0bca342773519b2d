package population

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
)

// maxOwnFactor is how many times the load that the users of a model make its own
// load may be. A fitted model has about 1; a log may offer any load.
const maxOwnFactor = 10

// bounded returns nil, or an error where a lap would have too many jobs or hardly any.
func (p *prepared) bounded() error {
	strata := p.m.Users.Strata
	made := p.load / p.factor
	largest := func(of func(s *population.Stratum) float64) (at int) {
		for i := range strata {
			if of(&strata[i]) > of(&strata[at]) {
				at = i
			}
		}
		return at
	}
	if most := MaxFactor * p.m.Log.Load; made > most {
		at := largest(func(s *population.Stratum) float64 { return s.Work })
		return &workload.InputError{File: p.m.Name, Field: fmt.Sprintf("users.strata[%d].work", at), Saw: fmt.Sprintf("%g, with which the users make a load of %.3g", strata[at].Work, made), Want: fmt.Sprintf("a load of at most %.3g, %d times log.load", most, MaxFactor)}
	}
	jobs := p.lapJobs()
	if at := largest(jobsOf); jobs > MaxLapJobs && jobsOf(&strata[at]) > MaxLapJobs {
		return &workload.InputError{File: p.m.Name, Field: fmt.Sprintf("users.strata[%d]", at), Saw: fmt.Sprintf("%d users of %d jobs", strata[at].Users, strata[at].Jobs), Want: fmt.Sprintf("at most %g of either, which memory holds at once", float64(MaxLapJobs))}
	}
	switch {
	case p.factor > MaxFactor:
		return &workload.OptionError{Option: "load", Saw: fmt.Sprintf("%.3g, and the users of the model make %.3g", p.load, made), Want: fmt.Sprintf("at most %d times what they make", MaxFactor)}
	case jobs > MaxLapJobs:
		return &workload.OptionError{Option: "load", Saw: fmt.Sprintf("%.3g, which is about %.3g jobs in the time of the log", p.load, jobs), Want: fmt.Sprintf("at most %g, which memory holds at once", float64(MaxLapJobs))}
	}
	return nil
}

// jobsOf is how many jobs the users of a stratum submit, one each at least.
func jobsOf(s *population.Stratum) float64 { return float64(max(s.Jobs, s.Users)) }

// lapJobs is about how many jobs a lap has.
func (p *prepared) lapJobs() (n float64) {
	for i := range p.m.Users.Strata {
		n += jobsOf(&p.m.Users.Strata[i]) * p.factor
	}
	return n
}
