package opt

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
)

// text is a type that parses and formats its own text.
type text interface {
	Set(string) error
	String() string
	Type() string
}

// asText returns the field as a text, or nil if its type is not one.
func (f *Field) asText() text {
	t, _ := f.Pointer().(text)
	return t
}

// Listed reports whether Choices are all permitted values.
func (f *Field) Listed() bool { return f.takesNames() && f.Grouping == nil && f.asText() == nil }

// takesNames reports whether messages list Choices as the expected values, which they do not with
// the tag some.
func (f *Field) takesNames() bool { return f.Choices != nil && !f.is("some") }

// SortsJobs reports whether the option sorts jobs into classes: it has the tag classes, or the tag
// sorts.
func (f *Field) SortsJobs() bool { return f.is("sorts") || f.Grouping != nil }

// String returns the value in the form that Set accepts.
func (f *Field) String() string {
	if t := f.asText(); t != nil {
		return t.String()
	}
	v := f.value
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return ""
		}
		return fmt.Sprint(v.Elem().Interface())
	case reflect.Slice:
		items := make([]string, v.Len())
		for i := range items {
			items[i] = fmt.Sprint(v.Index(i).Interface())
		}
		return strings.Join(items, ",")
	}
	return fmt.Sprint(v.Interface())
}

// shown returns the value for a message, in quotes if it is text.
func (f *Field) shown() string {
	if f.IsNumeric() {
		return f.String()
	}
	return strconv.Quote(f.String())
}

// Type implements pflag.Value. It returns the name of the kind of value.
func (f *Field) Type() string {
	kind := f.item()
	switch t := f.asText(); {
	case t != nil:
		return t.Type()
	case f.takesNames():
		return "name"
	case f.inSeconds():
		return "seconds"
	case kind == durationType:
		return "duration"
	case f.value.Kind() != reflect.Slice:
		return kind.Kind().String()
	case f.is("repeat"):
		return kind.Kind().String() + "Array"
	}
	return kind.Kind().String() + "Slice"
}

var durationType = reflect.TypeFor[time.Duration]()

// item returns the type of the value, or of the items of a list.
func (f *Field) item() reflect.Type {
	t := f.value.Type()
	for t.Kind() == reflect.Slice || t.Kind() == reflect.Array || t.Kind() == reflect.Pointer || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	return t
}

// inSeconds reports whether the value is a number of seconds that may also be given as a time.
func (f *Field) inSeconds() bool { return f.tag.Get("unit") == "seconds" }

// IsNumeric reports whether the value is a number, a time or a bool, or a list of these: anything
// but text.
func (f *Field) IsNumeric() bool {
	kind := f.item().Kind()
	return kind >= reflect.Bool && kind <= reflect.Float64
}

// Set implements pflag.Value. It parses a text, which must be in the range. For a list of anything
// but names, later calls append. The error is a *workload.OptionError; the value is then
// unchanged.
func (f *Field) Set(typed string) error {
	if t := f.asText(); t != nil {
		return f.withName(t.Set(typed))
	}
	items := []string{typed}
	if f.IsList() {
		items = workload.SplitList(typed)
	}
	if f.IsList() && !f.takesNames() && f.typed { // a second list of names replaces the first
		items = append(workload.SplitList(f.String()), items...)
	}
	return f.SetItems(typed, items...)
}

// SetItems is like Set with a text that has been split into items. It replaces a list.
func (f *Field) SetItems(typed string, items ...string) error {
	var err error
	switch {
	case f.Grouping != nil:
		items, err = f.columns(typed)
	case f.takesNames():
		items, err = f.choose(typed, items)
	case typed == "":
		err = f.fault(`""`, f.Wanted())
	case f.IsList():
		err = f.once(items)
	}
	if err != nil {
		return f.withName(err)
	}
	if err := f.store(true, items...); err != nil {
		return err
	}
	f.typed = true
	return nil
}

// SetItem parses a text, which must be in the range, into an item of a list.
func (f *Field) SetItem(v reflect.Value, typed string) error {
	if err := f.parse(typed, v); err != nil {
		return err
	}
	return f.CheckItem(v)
}

// CheckItem returns a fault if one text, number or bool of a value is not permitted.
func (f *Field) CheckItem(v reflect.Value) error {
	switch {
	case f.IsNumeric() && !f.within(v):
		return f.fault(fmt.Sprint(v), f.Expected())
	case f.Listed() && v.Kind() == reflect.String && !slices.Contains(f.Choices, v.String()):
		return f.unlisted(v.String())
	}
	return nil
}

// withName returns a *workload.OptionError with the field's name as its option, and other errors
// unchanged.
func (f *Field) withName(err error) error {
	if fault, ok := err.(*workload.OptionError); ok {
		return f.fault(fault.Saw, fault.Want)
	}
	return err
}

// columns parses the value of an option that sorts jobs into classes.
func (f *Field) columns(typed string) ([]string, error) {
	g := *f.Grouping
	g.Named = []workload.NamedClass{{Name: "some", Values: []string{"1"}}} // not known yet
	items, err := workload.NormalClassWords(workload.SplitClasses(typed), g)
	if f.value.Kind() == reflect.String {
		items = []string{strings.Join(items, ",")}
	}
	return items, err
}

// choose returns the choices that match items, regardless of case.
func (f *Field) choose(typed string, items []string) ([]string, error) {
	if f.All() && slices.ContainsFunc(items, func(item string) bool { return strings.EqualFold(item, "all") }) {
		if len(items) > 1 {
			return nil, f.fault(strconv.Quote(typed), "all, or names without it")
		}
		return f.Choices, nil
	}
	chosen := slices.Clone(items)
	for i, item := range items {
		name, parameters := f.split(item)
		at := slices.IndexFunc(f.Choices, func(choice string) bool { return strings.EqualFold(choice, strings.TrimSpace(name)) })
		if exact := slices.Index(f.Choices, name); exact >= 0 {
			at = exact
		}
		if at < 0 {
			return nil, f.unlisted(item)
		}
		chosen[i] = f.Choices[at] + parameters
	}
	return chosen, f.once(chosen)
}

// unlisted returns the error for a text that is not one of the choices.
func (f *Field) unlisted(text string) error {
	name, _, hasParameters := strings.Cut(text, "(")
	want := f.Expected() + words.Meant(name, f.Choices)
	first, _, several := strings.Cut(text, ",")
	switch {
	case hasParameters && slices.Contains(f.Choices, name):
		want = "no parameters: " + name + " has none"
	case several && slices.Contains(f.Choices, first):
		want = "only " + f.Expected()
	}
	return f.fault(strconv.Quote(text), want)
}

// split cuts the parameters off a choice.
func (f *Field) split(item string) (name, parameters string) {
	if at := strings.IndexByte(item, '('); at > 0 && f.is("open") {
		return item[:at], item[at:]
	}
	return item, ""
}

// once returns a fault if a list has an item twice, because most likely another was meant.
func (f *Field) once(items []string) error {
	seen := make(map[string]bool, len(items))
	for _, item := range items {
		if seen[item] {
			return f.fault(strconv.Quote(item)+" twice", "each once")
		}
		seen[item] = true
	}
	return nil
}

// store sets the value from texts. If strict is true, they must be in the range.
func (f *Field) store(strict bool, items ...string) error {
	list := reflect.MakeSlice(reflect.SliceOf(f.item()), len(items), len(items))
	for i, item := range items {
		if err := f.parse(item, list.Index(i)); err != nil {
			return err
		}
		if strict && !f.within(list.Index(i)) {
			return f.fault(item, f.Expected())
		}
	}
	switch f.value.Kind() {
	case reflect.Slice:
		if f.is("repeat") {
			list = reflect.AppendSlice(f.value, list)
		}
		f.value.Set(list.Convert(f.value.Type()))
	case reflect.Pointer:
		f.value.Set(list.Index(0).Addr())
	default:
		f.value.Set(list.Index(0))
	}
	return nil
}

// parse parses a text into v, without checking the range.
func (f *Field) parse(item string, v reflect.Value) (err error) {
	switch kind := v.Kind(); {
	case v.Type() == durationType:
		var d time.Duration
		d, err = time.ParseDuration(item)
		v.SetInt(int64(d))
	case kind == reflect.String:
		v.SetString(item)
	case v.CanUint() && f.takesNames(): // the value is the index of a choice
		v.SetUint(uint64(slices.Index(f.Choices, item)))
	case kind == reflect.Bool:
		var b bool
		b, err = strconv.ParseBool(item)
		v.SetBool(b)
	case f.inSeconds():
		var x float64
		x, err = Seconds(item)
		v.SetFloat(x)
	case v.CanFloat():
		var x float64
		x, err = strconv.ParseFloat(item, 64)
		v.SetFloat(x)
	case v.CanUint():
		var n uint64
		n, err = strconv.ParseUint(item, 0, 64)
		v.SetUint(n)
	default:
		var n int64
		n, err = strconv.ParseInt(item, 0, 64)
		v.SetInt(n)
	}
	if err != nil {
		want := f.kind()
		if f.Range != "" {
			want += ", " + strings.TrimPrefix(f.Expected(), "a number ")
		}
		if errors.Is(err, strconv.ErrRange) {
			want += ", not so large"
		}
		return f.fault(strconv.Quote(item), want)
	}
	return nil
}
