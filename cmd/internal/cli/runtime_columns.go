package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/runtime"
)

// fieldsOf are the fields that an entry's classes are made by, and those that
// it falls back on.
func fieldsOf(e runtime.Entry) []runtime.Field {
	fields := slices.Clone(e.Classes.Fields)
	for _, c := range e.Fallback {
		fields = append(fields, c.Fields...)
	}
	return fields
}

// leaveOut notes the classes that the log has not the columns for, and warns
// once of each column that it lacks: of the classes that go, and of those that
// stay.
func (r *runtimeRun) leaveOut() {
	gone := map[string][]string{}
	var whys []string
	for _, e := range r.entries {
		why := r.lacks(e)
		if why == "" || slices.Contains(gone[why], e.Classes.Name) {
			continue
		}
		if len(gone[why]) == 0 {
			whys = append(whys, why)
		}
		gone[why] = append(gone[why], e.Classes.Name)
		r.leftOut = append(r.leftOut, leftOutJSON{e.Classes.Name, why})
	}
	for _, why := range whys {
		r.a.warn("%s: classes %s are left out: %s", r.o.input, strings.Join(gone[why], ", "), why)
	}
	for _, f := range slices.Sorted(slices.Values(r.unknown)) {
		var kept []string
		for _, i := range r.scored() {
			if e := r.entries[i]; slices.Contains(fieldsOf(e), f) && !slices.Contains(kept, e.Classes.Name) {
				kept = append(kept, e.Classes.Name)
			}
		}
		if len(kept) > 0 {
			r.a.warn("%s: no job has the %v, so it tells no classes apart in %s", r.o.input, f, strings.Join(kept, ", "))
		}
	}
}

// lacks says why an entry is left out; empty where it is not. In the four ways
// of the paper a log without sites has one site, and one without applications
// one application; jobs of unknown users are not one user's, though.
func (r *runtimeRun) lacks(e runtime.Entry) string {
	_, paper := slices.BinarySearch(slices.Sorted(slices.Values(runtime.ClassesNames())), e.Classes.Name)
	for _, f := range e.Classes.Fields {
		if slices.Contains(r.unknown, f) && (!paper || f == runtime.FieldUser) && e.Classes.Name != fallbackLabel {
			return fmt.Sprintf("no job has the %v", f)
		}
	}
	return ""
}
