package view

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"text/template"
)

// listFunctions are the functions of templates that take a list as last argument. The argument name
// is the name of a field or a method of the list's elements.
var listFunctions = template.FuncMap{
	"join":     func(between string, list reflect.Value) string { return strings.Join(textsOf(list), between) },
	"first":    func(n int, list reflect.Value) any { return list.Slice(0, min(n, list.Len())).Interface() },
	"has":      func(text string, list reflect.Value) bool { return slices.Contains(textsOf(list), text) },
	"having":   func(name string, list reflect.Value) any { return having(name, true, list) },
	"lacking":  func(name string, list reflect.Value) any { return having(name, false, list) },
	"where":    where,
	"distinct": distinct,
	"flatten":  flatten,
	"sorted":   func(texts []string) []string { return slices.Sorted(slices.Values(texts)) },
	"some":     some,
	"listed":   listed,
	"lowest":   func(name string, list reflect.Value) any { return lowest(name, 1, list) },
	"highest":  func(name string, list reflect.Value) any { return lowest(name, -1, list) },
}

// of returns the result of the named method of an element, or the value of the named field, which
// may be nested: "A.B".
func of(element reflect.Value, name string) reflect.Value {
	if method := element.Addr().MethodByName(name); method.IsValid() {
		return method.Call(nil)[0]
	}
	for part := range strings.SplitSeq(name, ".") {
		element = reflect.Indirect(element).FieldByName(part)
	}
	return element
}

// listed returns a list of one element, to which x points.
func listed(x reflect.Value) any {
	return reflect.Append(reflect.MakeSlice(reflect.SliceOf(x.Type().Elem()), 0, 1), x.Elem()).Interface()
}

// some joins the first names, at most most, and adds the number of others.
func some(most int, names []string) string {
	if more := len(names) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), more)
	}
	return strings.Join(names, ", ")
}

func textsOf(list reflect.Value) (all []string) {
	for i := range list.Len() {
		all = append(all, fmt.Sprint(list.Index(i)))
	}
	return all
}

// filter returns the elements for which keep returns true.
func filter(list reflect.Value, keep func(reflect.Value) bool) any {
	list = innermost(list)
	kept := reflect.MakeSlice(list.Type(), 0, 0)
	for i := range list.Len() {
		if x := list.Index(i); keep(x) {
			kept = reflect.Append(kept, x)
		}
	}
	return kept.Interface()
}

// having returns the elements whose field or method name is true (or, if want is false, not true)
// in the sense of templates.
func having(name string, want bool, list reflect.Value) any {
	return filter(list, func(x reflect.Value) bool {
		truth, _ := template.IsTrue(of(x, name).Interface())
		return truth == want
	})
}

// where returns the elements whose field or method name has a value.
func where(name string, value any, list reflect.Value) any {
	return filter(list, func(x reflect.Value) bool { return fmt.Sprint(reflect.Indirect(of(x, name))) == fmt.Sprint(value) })
}

// distinct returns the texts of the field or method name of the elements, without duplicates.
func distinct(name string, list reflect.Value) (all []string) {
	for i := range list.Len() {
		if text := fmt.Sprint(of(list.Index(i), name)); !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

// flatten concatenates the lists in the field name of the elements.
func flatten(name string, list reflect.Value) any {
	f, _ := list.Type().Elem().FieldByName(name)
	all := reflect.MakeSlice(f.Type, 0, 0)
	for i := range list.Len() {
		all = reflect.AppendSlice(all, of(list.Index(i), name))
	}
	return all.Interface()
}

// lowest returns the first element with the smallest number in the field or method name, or with
// the largest if sign is -1; nil if no element has a known number.
func lowest(name string, sign float64, list reflect.Value) (best any) {
	var least float64
	for i := range list.Len() {
		if x := sign * float(of(list.Index(i), name)); Known(x) && (best == nil || x < least) {
			best, least = list.Index(i).Interface(), x
		}
	}
	return best
}
