package sweep

import (
	"math"
	"reflect"
	"strings"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/internal/field"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
)

// Value is a measure with its value in one run.
type Value struct {
	Measure string       `json:"measure"`
	Value   stats.Number `json:"value"` // null where it has none
}

// Measure describes a quantity that runs measure: a field of their result with the tag study,
// whose words say whether it is a main one and whether it is drawn.
type Measure struct {
	Name    string // with its unit
	Meaning string
	Main    bool // in tables for people
	Drawn   bool // in pictures
	Range   field.Range
}

// scheduled is a schedule, and the offered load of its jobs.
type scheduled struct {
	Load stats.Number `json:"offered_load" study:"" help:"work over what the machine can do while jobs are submitted"`
	*score.Schedule
}

// measured are the measures of a kind of result, and the fields that have their values.
type measured struct {
	measures []Measure
	fields   []field.Field
}

func measuredOf[T any]() (all measured) {
	for _, f := range field.Of[T]() {
		if use, ok := f.Tag("study"); ok {
			can, _ := f.Range()
			all.measures = append(all.measures, Measure{f.Name, f.Help(), strings.Contains(use, "main"), strings.Contains(use, "drawn"), can})
			all.fields = append(all.fields, f)
		}
	}
	return all
}

var (
	ofSchedules = measuredOf[scheduled]()
	ofRunTimes  = measuredOf[evaluate.RunTimeScore]()
	ofWaits     = measuredOf[evaluate.WaitScore]()
)

// values are the measures of a result; without values where it is nil, that of a predictor
// that is not scored.
func (m *measured) values(result any) (values []Value) {
	for i, f := range m.fields {
		x := f.Number(field.Row{reflect.ValueOf(result)})
		if math.IsInf(x, 0) {
			x = math.NaN()
		}
		values = append(values, Value{m.measures[i].Name, stats.Number(x)})
	}
	return values
}

// measures are those of the k-th run.
func (p *Plan) measures(k int) []Measure {
	switch p.points[k%len(p.points)].Kind {
	case KindRunTime:
		return ofRunTimes.measures
	case KindWait:
		return ofWaits.measures
	}
	return ofSchedules.measures
}
