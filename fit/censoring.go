package fit

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/workload"
)

// killedAtLimit says whether a job ended because its time was up: it ran for
// the time that was asked for it or longer, and did not complete. A job that
// completed in the time after its limit is no such job, nor is one whose
// status or limit is unknown.
func killedAtLimit(j *workload.Job) bool {
	switch j.Status {
	case workload.StatusFailed, workload.StatusLastFailed, workload.StatusCancelled:
		return j.Time > 0 && j.Run >= j.Time
	}
	return false
}

// withCensored adds to a sample of run times or work, made of counts, how many
// of its jobs were killed at their limit.
func (c *Collector) withCensored(a Attribute, s Sample) Sample {
	if len(c.killed) == 0 || a != RunTime && a != Work {
		return s
	}
	counts := map[float64]float64{}
	for k, n := range c.killed {
		counts[k.of(a)] += n
	}
	s.Censored = make([]float64, len(s.Values))
	for i, v := range s.Values {
		s.Censored[i] = counts[v]
	}
	return s
}

// addKilled counts a job that was killed at its limit.
func (c *Collector) addKilled(k shape, n float64) {
	if c.killed == nil {
		c.killed = map[shape]float64{}
	}
	c.killed[k] += n
}

// aboutCensoring are the warnings of a fit with Options.Censored.
func (t task) aboutCensoring() []string {
	if !t.options.Censored {
		return nil
	}
	n := 0.0
	for _, c := range t.sample.Censored {
		n += c
	}
	if t.attribute != RunTime && t.attribute != Work {
		return []string{fmt.Sprintf("only run times and work are censored: %s is fitted as it is", t.attribute)}
	}
	if n == 0 {
		return []string{"no job is known to have been killed at its limit: nothing is censored"}
	}
	return []string{fmt.Sprintf("%.0f jobs were killed at their limit and are censored in the likelihood; D is the distance from the Kaplan-Meier curve", n)}
}
