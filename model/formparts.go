package model

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

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
	in := &form{task: f.task, path: f.at(name), fault: f.fault, out: f.out, families: f.families}
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
		f.object(name, func(f *form) { keep(f, part, oneOf(f, kind, *part, known...)) })
	}
}

// keep stores a part that was read. Writing and checking leave the model as it is:
// several goroutines may do so at once.
func keep[T any](f *form, at *T, part T) {
	if f.task == read {
		*at = part
	}
}

// orList joins what is allowed for a message.
func orList(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
