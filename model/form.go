package model

import (
	"bytes"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// form goes over the fields of a model to read them from a file, to write them,
// or to check their ranges. Every part of a model has one method, visit, that
// names its fields once, in the order of a file. After the first fault a form
// does nothing more.
type form struct {
	task  task
	path  string
	fault *error // the first one, shared by the forms of all parts

	fields map[string]json.RawMessage // reading: those not yet taken
	names  []string                   // reading: those asked for, for the message about unknown ones

	out  *bytes.Buffer // writing
	more bool          // writing: a field is there already
}

type task int

const (
	read task = iota
	write
	check
)

type need bool

const (
	required need = true
	optional need = false
)

// ok says whether there has been no fault.
func (f *form) ok() bool { return *f.fault == nil }

func (f *form) fail(err error) {
	if f.ok() {
		*f.fault = err
	}
}

// reject fails for a field.
func (f *form) reject(name, saw, want string) {
	f.fail(&FieldError{Path: f.at(name), Saw: saw, Want: want})
}

// check makes a test, where that is the task.
func (f *form) check(test func() error) {
	if f.task == check && f.ok() {
		if err := test(); err != nil {
			f.fail(err)
		}
	}
}

// plainName is what the names of a model's fields are made of.
var plainName = regexp.MustCompile(`^[A-Za-z0-9_.\[\]-]+$`)

// at is the path of a field.
func (f *form) at(name string) string {
	if !plainName.MatchString(name) { // such as a line end, of a foreign file
		name = strconv.Quote(name)
	}
	if f.path == "" {
		return name
	}
	return f.path + "." + name
}

// has says whether a file has a field that is not yet taken.
func (f *form) has(name string) bool {
	_, ok := f.fields[name]
	return ok
}

// take returns a field of a file and removes it.
func (f *form) take(name string, n need) (json.RawMessage, bool) {
	f.names = append(f.names, name)
	raw, ok := f.fields[name]
	delete(f.fields, name)
	if !ok && n == required {
		f.reject(name, "missing", "a value")
	}
	return raw, ok && f.ok()
}

// key begins a field of what is written.
func (f *form) key(name string) {
	if f.more {
		f.out.WriteByte(',')
	}
	f.more = true
	f.out.WriteString(strconv.Quote(name) + ":")
}

// value reads or writes a field that is one JSON value; in a file, null is
// none. An optional one that is zero is not written.
func (f *form) value(name string, n need, into any, zero bool, want string) {
	switch {
	case f.task == read:
		if raw, ok := f.take(name, n); ok && (string(raw) == "null" || json.Unmarshal(raw, into) != nil) {
			f.reject(name, sample(raw), want)
		}
	case f.task == write && (n == required || !zero):
		f.key(name)
		e := json.NewEncoder(f.out)
		e.SetEscapeHTML(false)
		if err := e.Encode(into); err != nil {
			f.fail(&FieldError{Path: f.at(name), Err: err})
		}
	}
}

func (f *form) text(name string, n need, s *string) {
	f.value(name, n, s, *s == "", "text in quotes")
}

// number is a number from lo to hi.
func (f *form) number(name string, x *float64, lo, hi float64) {
	f.value(name, required, x, false, "a number")
	f.check(func() error { return within(f.at(name), *x, lo, hi) })
}

// above is an optional number above 0, 0 where there is none, which the part
// checks.
func (f *form) above(name string, x *float64) {
	given := f.has(name)
	f.value(name, optional, x, *x == 0, "a number")
	if given && !(*x > 0) {
		f.reject(name, number(*x), "a number above 0, or none")
	}
}

// whole is a whole number, which the part checks.
func (f *form) whole(name string, n need, x *int64) {
	f.value(name, n, x, *x == 0, "a whole number")
}

// integer is a whole number from lo to hi.
func (f *form) integer(name string, x *int64, lo, hi int64) {
	f.whole(name, required, x)
	f.check(func() error { return wholeWithin(f.at(name), *x, lo, hi) })
}

// row is a list of len(x) numbers, and says whether there is one.
func row[T int64 | float64](f *form, name string, n need, given bool, x []T, order string) bool {
	if f.task != read {
		f.value(name, n, x, !given, "")
		return given
	}
	var list []json.RawMessage
	if f.value(name, n, &list, false, "a list in brackets"); list == nil || !f.ok() {
		return false
	}
	if len(list) != len(x) {
		f.reject(name, strconv.Itoa(len(list))+" numbers", strconv.Itoa(len(x))+", "+order)
		return false
	}
	for i, raw := range list {
		if string(raw) == "null" || json.Unmarshal(raw, &x[i]) != nil {
			f.reject(name+"["+strconv.Itoa(i)+"]", sample(raw), "a number")
		}
	}
	return true
}

// object is a part with fields of its own.
func (f *form) object(name string, visit func(*form)) {
	switch f.task {
	case read:
		if raw, ok := f.take(name, required); ok {
			f.inner(name, raw, visit)
		}
	case write:
		f.key(name)
		f.inner(name, nil, visit)
	case check:
		f.inner(name, nil, visit)
	}
}

// inner visits an object, of which raw is the text where it is read.
func (f *form) inner(name string, raw []byte, visit func(*form)) {
	if !f.ok() {
		return
	}
	in := &form{task: f.task, path: f.at(name), fault: f.fault, out: f.out}
	in.visit(raw, visit)
}

func (f *form) visit(raw []byte, visit func(*form)) {
	switch f.task {
	case read:
		if json.Unmarshal(raw, &f.fields) != nil || f.fields == nil {
			f.fail(&FieldError{Path: f.path, Saw: sample(raw), Want: "a JSON object"})
			return
		}
		visit(f)
		f.done()
	case write:
		f.out.WriteByte('{')
		visit(f)
		f.out.WriteByte('}')
	case check:
		visit(f)
	}
}

// done fails for a field that was not taken.
func (f *form) done() {
	if len(f.fields) > 0 {
		first := slices.Min(slices.Collect(maps.Keys(f.fields)))
		f.reject(first, "unknown field", "one of "+strings.Join(f.names, ", "))
	}
}

// given says whether an optional part is there: in a file that is read, or by
// what is written or checked.
func (f *form) given(name string, part bool) bool {
	if f.task != read {
		return part
	}
	if !f.has(name) {
		f.names = append(f.names, name)
	}
	return f.has(name)
}

// optionalPart is a part with fields of its own that may be missing: nil then.
func optionalPart[T any](f *form, name string, part **T, visit func(*T, *form)) {
	if !f.given(name, *part != nil) {
		return
	}
	if f.task == read {
		*part = new(T)
	}
	f.object(name, func(f *form) { visit(*part, f) })
}

// objects is a list of parts, of which no more than most are read and one more.
// An optional one that is empty is not written.
func objects[T any](f *form, name string, n need, most int, list *[]T, visit func(i int, part *T, f *form)) {
	var raw []json.RawMessage
	switch f.task {
	case read:
		if f.value(name, n, &raw, false, "a list in brackets"); raw == nil || !f.ok() {
			return
		}
		*list = make([]T, min(len(raw), most+1))
	case write:
		if n == optional && len(*list) == 0 {
			return
		}
		f.key(name)
		f.out.WriteByte('[')
		defer f.out.WriteByte(']')
	}
	for i := range *list {
		if f.task == write && i > 0 {
			f.out.WriteByte(',')
		}
		var text []byte
		if f.task == read {
			text = raw[i]
		}
		f.inner(name+"["+strconv.Itoa(i)+"]", text, func(f *form) { visit(i, &(*list)[i], f) })
		if !f.ok() {
			return
		}
	}
}

// variant is one of several forms of a part, V, which its field of a name tells.
type variant[V any] interface {
	kind() string
	visit(f *form) V
}

// oneOf is a part that has one of the known forms, by the field of that name.
func oneOf[V variant[V]](f *form, name string, part V, known ...V) V {
	kind := ""
	if f.task != read {
		if any(part) == nil {
			f.reject(name, "missing", "a value")
			return part
		}
		kind = part.kind()
	}
	f.text(name, required, &kind)
	if f.task == read {
		i := slices.IndexFunc(known, func(v V) bool { return v.kind() == kind })
		if i < 0 {
			var kinds []string
			for _, v := range known {
				kinds = append(kinds, strconv.Quote(v.kind()))
			}
			f.reject(name, shorten(kind), orList(kinds))
		}
		if !f.ok() {
			return part
		}
		part = known[i]
	}
	return part.visit(f)
}

// optionalVariant is such a part that may be missing: nil then.
func optionalVariant[V variant[V]](f *form, name, kind string, part *V, known ...V) {
	if f.given(name, any(*part) != nil) {
		f.object(name, func(f *form) { *part = oneOf(f, kind, *part, known...) })
	}
}

// orList joins what is allowed for a message.
func orList(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// sample shows a piece of a file in a message.
func sample(raw []byte) string {
	raw = bytes.Join(bytes.Fields(raw), []byte(" ")) // one line
	if len(raw) > 40 {
		return string(raw[:40]) + "..."
	}
	return string(raw)
}
