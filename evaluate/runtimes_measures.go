package evaluate

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// RunTimeMeasure is the value of one of RunTimesOptions.Measures.
type RunTimeMeasure struct {
	Name  string       `json:"name"`
	Value stats.Number `json:"value"`
	Lower bool         `json:"lower_is_better"`
}

// validateMeasures returns an error for a measure that is not valid or has the name of
// another score.
func (o *RunTimesOptions) validateMeasures() error {
	if len(o.Measures) == 0 {
		return nil
	}
	row, err := json.Marshal(RunTimeScore{})
	taken := map[string]any{}
	if err == nil {
		err = json.Unmarshal(row, &taken)
	}
	if err != nil {
		return err
	}
	for _, m := range o.Measures {
		if err := m.Validate(); err != nil {
			return err
		}
		if _, twice := taken[m.Name]; twice {
			return workload.OptionFault("measures", fmt.Sprintf("%q", m.Name), "a name that no other score has")
		}
		taken[m.Name] = m
	}
	return nil
}

// newMeasures creates an empty tally of each measure for each entry.
func (r *runTimes) newMeasures() {
	r.measures = make([][]score.RunTimeMeasureTally, len(r.entries))
	for i := range r.measures {
		for _, m := range r.o.Measures {
			r.measures[i] = append(r.measures[i], score.NewRunTimeMeasureTally(m))
		}
	}
}

// measuresOf returns the measures of an entry.
func (r *runTimes) measuresOf(entry int) (all []RunTimeMeasure) {
	for i, m := range r.o.Measures {
		all = append(all, RunTimeMeasure{m.Name, stats.Number(r.measures[entry][i].Value()), m.Lower})
	}
	return all
}

// Measure returns the value of a measure by its name, NaN if there is none.
func (s *RunTimeScore) Measure(name string) stats.Number {
	for _, m := range s.Measures {
		if m.Name == name {
			return m.Value
		}
	}
	return stats.Number(math.NaN())
}
