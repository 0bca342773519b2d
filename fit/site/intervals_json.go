package site

import (
	"math"

	"github.com/loadstone-hpc/loadstone/stats"
)

// The intervals of a site in "loadstone.site-report/1".
type (
	intervalsJSON struct {
		Level      float64              `json:"level"`
		Method     string               `json:"method"`
		BlockWeeks int64                `json:"block_weeks"`
		Blocks     int                  `json:"blocks"`
		Replicates int                  `json:"replicates"`
		Seed       uint64               `json:"seed"`
		Classes    []classIntervalsJSON `json:"classes"`
	}
	classIntervalsJSON struct {
		Name       string         `json:"name"`
		Label      string         `json:"label"`
		Blocks     int            `json:"blocks"`
		Parameters []intervalJSON `json:"parameters"`
	}
	intervalJSON struct {
		Part       string       `json:"part"`
		Parameter  string       `json:"parameter"`
		Value      stats.Number `json:"value"`
		Low        stats.Number `json:"low"`
		High       stats.Number `json:"high"`
		Replicates int          `json:"replicates"`
		Why        string       `json:"why_not,omitempty"`
	}
)

func (s *Intervals) json() *intervalsJSON {
	out := &intervalsJSON{
		Level: s.Level, Method: s.Method, BlockWeeks: s.BlockWeeks, Blocks: s.Blocks,
		Replicates: s.Replicates, Seed: s.Seed, Classes: []classIntervalsJSON{},
	}
	for _, c := range s.Classes {
		class := classIntervalsJSON{c.Name, c.Label, c.Blocks, []intervalJSON{}}
		for _, i := range c.Of {
			class.Parameters = append(class.Parameters, intervalJSON{i.Part, i.Name, stats.Number(i.Value), stats.Number(i.Low), stats.Number(i.High), i.Replicates, i.Why})
		}
		out.Classes = append(out.Classes, class)
	}
	return out
}

// Interval is that of a parameter of a class of the report, by the class's
// label; false where there is none.
func (s *Intervals) Interval(label, part, name string) (Interval, bool) {
	if s == nil {
		return Interval{}, false
	}
	for _, c := range s.Classes {
		for _, i := range c.Of {
			if c.Label == label && i.Part == part && i.Name == name && !math.IsNaN(i.Low) {
				return i, true
			}
		}
	}
	return Interval{}, false
}
