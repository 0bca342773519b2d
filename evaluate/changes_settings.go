package evaluate

import (
	"cmp"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/field"
	"github.com/loadstone-hpc/loadstone/workload"
)

// differing says in what two logs differ, and which settings of their results, fields with the
// tag setting, do where both are known. A log may have moved to another folder.
func differing[R any](before, now workload.Summary, was, is *R) []string {
	var all []string
	if was, is := filepath.Base(before.Name), filepath.Base(now.Name); was != is {
		all = append(all, fmt.Sprintf("log %q, not %q", was, is))
	}
	if before.Jobs != now.Jobs {
		all = append(all, fmt.Sprintf("%d jobs, not %d", before.Jobs, now.Jobs))
	}
	text := func(f field.Field, r *R) string {
		text := f.Text(field.Row{reflect.ValueOf(r)})
		if row, _ := f.Tag("row"); row == "words" { // of columns, or of predictors
			return cmp.Or(strings.ReplaceAll(text, " ", ","), "none")
		}
		return text
	}
	for _, f := range field.Of[R]() {
		name, ok := f.Tag("setting")
		if !ok {
			continue
		}
		if a, b := text(f, was), text(f, is); a != b && a != "" && b != "" {
			all = append(all, cmp.Or(name, f.Name)+" "+a+", not "+b)
		}
	}
	return all
}

// differences says in what an earlier run differs from this one, so that their
// scores are not of the same thing.
func (r *RunTimesResult) differences(earlier *RunTimesResult) []string {
	was := *earlier
	if len(was.Fallback) == 0 || len(r.Fallback) == 0 { // no score of a chain is compared
		was.Fallback = r.Fallback
	}
	return differing(was.Log, r.Log, &was, r)
}

func (r *WaitsResult) differences(earlier *WaitsResult) []string {
	return differing(earlier.Log, r.Log, earlier, r)
}
