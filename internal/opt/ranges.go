package opt

import (
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/field"
)

// intervals returns the numbers and intervals of the range, such as "0|[39,100000]". It caches
// them, because a list may have thousands of numbers to check.
func (f *Field) intervals() []field.Range {
	if f.parsed == nil {
		for _, part := range strings.Split(f.Range, "|") {
			f.parsed = append(f.parsed, field.ParseRange(part))
		}
	}
	return f.parsed
}

// within reports whether a value is in the range. It does not accept 0 as an omitted option.
func (f *Field) within(v reflect.Value) bool {
	var x float64
	switch tag := f.Range; {
	case v.CanUint() && f.takesNames():
		return v.Uint() < uint64(len(f.Choices))
	case v.CanFloat():
		if x = v.Float(); tag == "" {
			return !math.IsNaN(x) && !math.IsInf(x, 0)
		}
	case tag == "":
		return true
	case v.CanInt():
		x = float64(v.Int())
		if v.Type() == durationType {
			x /= 1e9
		}
	case v.CanUint():
		x = float64(v.Uint())
	}
	return slices.ContainsFunc(f.intervals(), func(r field.Range) bool { return r.Has(x) })
}

// Expected returns a description of the permitted values.
func (f *Field) Expected() string {
	switch {
	case f.want != "":
		return f.want
	case f.takesNames():
		all := f.Choices
		if f.All() {
			all = append(slices.Clip(all), "all")
		}
		return "one of " + strings.Join(all, ", ")
	case f.Range == "":
		return f.kind()
	}
	var parts []string
	for _, r := range f.intervals() {
		parts = append(parts, r.String())
	}
	text := orList(parts)
	if strings.HasPrefix(text, "above") || strings.HasPrefix(text, "between") {
		return "a number " + text
	}
	return text
}

// Wanted returns a description of the values of the option, without the range of a number.
func (f *Field) Wanted() string {
	if f.want != "" || f.takesNames() {
		return f.Expected()
	}
	return f.kind()
}

// kind returns a description of the kind of value, without its range.
func (f *Field) kind() string {
	kind := f.item()
	switch {
	case kind == durationType:
		return "a time with its unit, such as 30s or 2m"
	case f.inSeconds():
		return "seconds, or a time such as 2:00:00, 1-12:00 or 90m"
	case kind.Kind() == reflect.Bool:
		return "true or false"
	case kind.Kind() == reflect.Struct || kind.Kind() == reflect.Interface:
		return "keys and values"
	case kind.Kind() == reflect.Float64:
		return "a number"
	case f.IsNumeric() && kind.Kind() >= reflect.Uint:
		return "a whole number of 0 or more"
	case f.IsNumeric():
		return "a whole number"
	}
	name := "text"
	if _, rest, _ := strings.Cut(f.Help, "<"); strings.Contains(rest, ">") { // the help names the value
		name, _, _ = strings.Cut(rest, ">")
	}
	if strings.HasSuffix(name, "s") {
		return name
	}
	return "a " + name
}

// check checks the value of the field. A zero value means that the option was omitted.
func (f *Field) check() error {
	v := f.value
	if v.IsZero() && !f.Required() || f.asText() != nil || !f.IsNumeric() && f.item().Kind() != reflect.String {
		return nil
	}
	list := reflect.MakeSlice(reflect.SliceOf(f.item()), 0, 1)
	switch v.Kind() {
	case reflect.Slice:
		list = reflect.AppendSlice(list, v)
	case reflect.Pointer:
		list = reflect.Append(list, v.Elem())
	default:
		list = reflect.Append(list, v)
	}
	var items []string
	for i := range list.Len() {
		item := list.Index(i)
		if f.IsNumeric() {
			if !f.within(item) {
				return f.fault(f.String(), f.Expected())
			}
			continue
		}
		name, _ := f.split(item.String())
		if f.takesNames() && f.Grouping == nil && !slices.Contains(f.Choices, name) {
			return f.unlisted(name)
		}
		items = append(items, item.String())
	}
	return f.once(items)
}
