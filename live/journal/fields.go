package journal

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"github.com/loadstone-hpc/loadstone/workload"
)

// field is a column of the job table in the JSON of an event.
type field struct {
	key string
	*workload.Column
	float bool
}

// The fields that are stored of a job, by the kind of the event.
var (
	requestFields = fieldsThat(func(c *workload.Column) bool { return c.Submitted() })
	startFields   = fieldsThat(func(c *workload.Column) bool {
		return slices.Contains(identity, c.Name) || slices.Contains(atStart, c.Name)
	})
	finishFields = fieldsThat(func(c *workload.Column) bool {
		return slices.Contains(identity, c.Name) || !c.Submitted() && (!slices.Contains(atStart, c.Name) || c.Name == eligible)
	})
)

// identity are the columns that every event has, atStart those that are known when a job
// starts, and eligible the one of them that a job which never starts has too.
var (
	identity = []string{"job_id", "submit_time_s"}
	atStart  = []string{"wait_time_s", "allocated_processors", "allocated_nodes", "allocated_gpus", eligible}
)

const eligible = "eligible_time_s"

// fieldsOf returns the fields of an event.
func fieldsOf(kind workload.EventKind) []field {
	switch kind {
	case workload.Submit:
		return requestFields
	case workload.Start:
		return startFields
	}
	return finishFields
}

// fieldsThat returns the columns that a condition chooses, and of those derived from
// columns the ones that a request has.
func fieldsThat(chosen func(*workload.Column) bool) (fields []field) {
	var all []*workload.Column
	for i := range workload.NumColumns {
		all = append(all, workload.ColumnAt(i))
	}
	for _, derived := range []string{"size", "nodes", "gpus"} {
		all = append(all, workload.FindColumn(derived))
	}
	for _, c := range all {
		if chosen(c) {
			fields = append(fields, field{c.Words[0], c, c.Float()})
		}
	}
	return fields
}

// columns are what is known of a job, by the short names of the columns.
type columns map[string]json.Number

func columnsOf(j *workload.Job, fields []field) columns {
	all := make(columns, len(fields))
	for i := range fields {
		if f := &fields[i]; f.float {
			if x := f.Number(j); x == x {
				all[f.key] = json.Number(text(x))
			}
		} else if n := f.Int(j); n != workload.Unknown {
			all[f.key] = json.Number(strconv.FormatInt(n, 10))
		}
	}
	return all
}

// enter gives a job what is known of it.
func (c columns) enter(j *workload.Job, fields []field) error {
	for i := range fields {
		f := &fields[i]
		digits, known := c[f.key]
		switch {
		case !known:
		case f.float:
			var x Number
			if err := x.UnmarshalJSON([]byte(digits)); err != nil {
				return err
			}
			f.SetNumber(j, float64(x))
		default:
			n, err := strconv.ParseInt(string(digits), 10, 64)
			if err != nil {
				return err
			}
			f.SetInt(j, n)
		}
	}
	return nil
}

// copy gives a job what another has of the field, if it is known.
func (f *field) copy(to, from *workload.Job) {
	if f.float {
		if x := f.Number(from); x == x {
			f.SetNumber(to, x)
		}
	} else if n := f.Int(from); n != workload.Unknown {
		f.SetInt(to, n)
	}
}

// Number is a number in JSON: the shortest that is read back as the same float64. NaN is
// null, and an infinity 1e999, which is beyond all numbers.
type Number float64

// Numbers are several.
type Numbers []float64

func text(x float64) string {
	if math.IsInf(x, 0) {
		return strconv.FormatFloat(math.Copysign(1, x), 'g', -1, 64) + "e999"
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// MarshalJSON implements json.Marshaler.
func (n Number) MarshalJSON() ([]byte, error) {
	if n != n {
		return []byte("null"), nil
	}
	return []byte(text(float64(n))), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (n *Number) UnmarshalJSON(digits []byte) error {
	if string(digits) == "null" {
		*n = Number(math.NaN())
		return nil
	}
	x, err := strconv.ParseFloat(string(digits), 64)
	if math.IsInf(x, 0) {
		err = nil
	}
	*n = Number(x)
	return err
}

// MarshalJSON implements json.Marshaler.
func (n Numbers) MarshalJSON() ([]byte, error) {
	all := make([]Number, len(n))
	for i, x := range n {
		all[i] = Number(x)
	}
	return json.Marshal(all)
}

// UnmarshalJSON implements json.Unmarshaler.
func (n *Numbers) UnmarshalJSON(text []byte) error {
	var all []Number
	err := json.Unmarshal(text, &all)
	for _, x := range all {
		*n = append(*n, float64(x))
	}
	return err
}
