package model

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"

	"github.com/loadstone-hpc/loadstone/dist"
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

	families []dist.Family // reading: of laws, beside package dist's

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

// row is a list of len(x) numbers.
func row[T int64 | float64](f *form, name string, x []T, order string) {
	if f.task != read {
		f.value(name, required, x, false, "")
		return
	}
	var list []json.RawMessage
	if f.value(name, required, &list, false, "a list in brackets"); !f.ok() {
		return
	}
	if len(list) != len(x) {
		f.reject(name, strconv.Itoa(len(list))+" numbers", strconv.Itoa(len(x))+", "+order)
		return
	}
	want := "a number"
	if _, whole := any(x).([]int64); whole {
		want = "a whole number"
	}
	for i, raw := range list {
		if string(raw) == "null" || json.Unmarshal(raw, &x[i]) != nil {
			f.reject(name+"["+strconv.Itoa(i)+"]", sample(raw), want)
		}
	}
}

// sample shows a piece of a file in a message.
func sample(raw []byte) string {
	raw = bytes.Join(bytes.Fields(raw), []byte(" ")) // one line
	if len(raw) > 40 {
		return string(raw[:40]) + "..."
	}
	return string(raw)
}
