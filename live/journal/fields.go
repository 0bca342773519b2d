package journal

import (
	"slices"

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
	requestFields  = fieldsThat(func(c *workload.Column) bool { return c.Submitted() })
	observedFields = fieldsThat(func(c *workload.Column) bool { return !c.Submitted() })
	startFields    = fieldsThat(func(c *workload.Column) bool { return slices.Contains(atStart, c.Name) })
	finishFields   = fieldsThat(func(c *workload.Column) bool {
		return !c.Submitted() && (!slices.Contains(atStart, c.Name) || c.Name == eligible)
	})
)

// atStart are the columns that are known when a job starts, and eligible the one of
// them that a job which never starts has too.
var atStart = []string{"wait_time_s", "allocated_processors", "allocated_nodes", "allocated_gpus", eligible}

const eligible = "eligible_time_s"

// fieldsOf returns the fields of an event beyond the identity of its job.
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
func fieldsThat(chosen func(*workload.Column) bool) []field {
	var all []*workload.Column
	for i := range workload.NumColumns {
		all = append(all, workload.ColumnAt(i))
	}
	for _, derived := range []string{"size", "nodes", "gpus"} {
		all = append(all, workload.FindColumn(derived))
	}
	var fields []field
	for _, c := range all {
		if chosen(c) && c.Name != "job_id" && c.Name != "submit_time_s" { // the identity
			fields = append(fields, field{c.Words[0], c, c.Float()})
		}
	}
	return fields
}

// byKey finds a field of any event.
var byKey = func() map[string]*field {
	fields := map[string]*field{}
	for _, list := range [][]field{requestFields, observedFields} {
		for i := range list {
			fields[list[i].key] = &list[i]
		}
	}
	return fields
}()

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
