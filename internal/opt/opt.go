// Package opt derives the options of a call from the tags of its options struct: the name
// of each option, its range or choices, the options that it depends on, and its help. The library
// checks them (Check), the command binds them to flags (a Field is a pflag.Value), and
// help, completion and reference pages derive from the same tags:
//
//	type Options struct {
//		Window     int    `opt:"window" in:"[1,1000]" default:"5" for:"predictors=sm|nws" help:"how many run times sm takes the median of"`
//		Replicates int    `opt:"replicates" in:"0|[39,100000]" help:"draws of the bootstrap"`
//		Output     string `opt:"output,o" help:"write the result to this <file>"`
//	}
//
// The tags are:
//
//	opt      name and, after a comma, the letter of the flag
//	in       permitted numbers and intervals, separated by |
//	required "true" if the zero value does not mean that the option was omitted: Check
//	         rejects a zero outside the range, and a parameter of a route must be given; or
//	         names of options, separated by |: it must be given with any of these; or
//	         !option: it must be given unless that option is
//	repeats  "true" if a list in a file may contain a value twice
//	want     the expected value in messages, in place of a description of the range
//	default  the meaning of the zero value (Fill)
//	usual    the value of the flag if it is not given, if zero is a value too (Usual)
//	for      options, separated by |, one of which it requires, or option=value|value
//	not      options that it excludes, separated by |
//	help     text; the first <word> names the value, and %s stands for a text of the tag "of"
//	brief    a shorter text, for the one-screen help
//	of       on a nested struct: the text for %s in the help of its options; for several %s,
//	         one text each, separated by |
//	file     what the value names: a file to "read", to "write", or to write a plain "table" to,
//	         or a "folder" to write into
//	some     "true" if Choices, used for completion, are only some of the permitted values
//	group    title in the help above this option and the following ones in the struct
//	common   "true" if it is in the one-screen help
//	all      "true" if the word all stands for all choices
//	open     "true" if parameters in parentheses may follow a choice
//	unit     "seconds" if a number may also be given as a time
//	repeat   "true" if each use of the flag adds one item to a list
//	classes  on an option that sorts jobs into classes by columns, in the form of
//	         workload.ClassesOf; words, separated by spaces, that set the fields of
//	         workload.Grouping:
//	           submitted  only columns that are known at submission
//	           each       a class for each value of an amount without ranges, not powers of two
//	           measured   also measured columns, the preceding job and workload.CalendarWords
//	           plain      without the words kind and class, which need a header
//	           any        none of these: the columns by which models have classes
//	         The meaning of the word class is in a field of the type []workload.NamedClass
//	without  on a nested struct: names of options that are not offered
//
// Choices come from a method Choices(option string) []string of the struct or of an enclosing
// one.
//
// Parameters of a named value, such as es(alpha=0.3), are declared by the same tags: see Named.
//
// The zero value of a field means that the option was omitted, so Check accepts it. A text
// with the same value must be in the range.
package opt

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/field"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Field is an option: a field of a struct with the tag opt. It is a pflag.Value.
type Field struct {
	Name, Letter string
	Help, Brief  string
	Group        string
	Common       bool
	Range        string             // the tag in
	File         string             // the tag file
	Choices      []string           // permitted names: all if it is Listed, else some
	Grouping     *workload.Grouping // from the tag classes; nil without it

	want   string        // the tag want
	parsed []field.Range // Range, parsed on first use
	tag    reflect.StructTag
	value  reflect.Value
	typed  bool // it has been set by Set
}

// chooser is an options struct some of whose options have choices.
type chooser interface{ Choices(option string) []string }

// Fields returns the options of the struct that options points to. Those of nested structs are
// in the place of the struct.
func Fields(options any) []*Field {
	return walk(reflect.ValueOf(options).Elem(), nil, "", "")
}

// walk returns the options of a struct. around holds pointers to the enclosing structs, the
// outermost first, and group and of are their tags.
func walk(v reflect.Value, around []any, group, of string) (all []*Field) {
	if v.Addr().CanInterface() { // if not, it is embedded, and the enclosing struct has its methods
		around = append(slices.Clip(around), v.Addr().Interface())
	}
	for i := range v.NumField() {
		field, tag := v.Type().Field(i), v.Type().Field(i).Tag
		name, letter, _ := strings.Cut(tag.Get("opt"), ",")
		group = cmp.Or(tag.Get("group"), group)
		switch {
		case !field.IsExported() && !field.Anonymous:
		case name != "":
			text := func(key string) string { return completed(tag.Get(key), of) }
			f := &Field{Name: name, Letter: letter, Help: text("help"), Brief: text("brief"), want: text("want"),
				Group: group, Common: tag.Get("common") == "true", Range: tag.Get("in"), File: tag.Get("file"), tag: tag, value: v.Field(i)}
			f.setChoices(around)
			all = append(all, f)
		case field.Type.Kind() == reflect.Struct:
			without := strings.Fields(tag.Get("without"))
			for _, f := range walk(v.Field(i), around, group, cmp.Or(tag.Get("of"), of)) {
				if !slices.Contains(without, f.Name) {
					all = append(all, f)
				}
			}
		}
	}
	return all
}

// completed returns a text with each %s replaced by a text of the tag of.
func completed(text, of string) string {
	if of == "" {
		return text
	}
	for _, part := range strings.Split(of, "|") {
		text = strings.Replace(text, "%s", part, 1)
	}
	return text
}

// Part returns a pointer to the field of type T in the struct that options points to, or nil if
// there is none.
func Part[T any](options any) *T {
	v := reflect.ValueOf(options).Elem()
	for i := range v.NumField() {
		if v.Type().Field(i).Type == reflect.TypeFor[T]() {
			return v.Field(i).Addr().Interface().(*T)
		}
	}
	return nil
}

// setChoices sets the choices to those of the outermost struct that has some.
func (f *Field) setChoices(around []any) {
	for _, o := range around {
		if c, ok := o.(chooser); ok && f.Choices == nil {
			f.Choices = c.Choices(f.Name)
		}
	}
	if words, ok := f.tag.Lookup("classes"); ok {
		f.Grouping = parseGrouping(f.Name, words)
		f.Choices = f.Grouping.Words()
	}
}

// parseGrouping returns the Grouping for the words in an option's tag classes.
func parseGrouping(option, words string) *workload.Grouping {
	g := &workload.Grouping{}
	for _, word := range strings.Fields(words) {
		switch word {
		case "submitted":
			g.Submitted = true
		case "each":
			g.Each = true
		case "measured":
			g.Measured = true
		case "plain":
			g.Plain = true
		case "any":
		default:
			panic("opt: classes of " + option + ": " + word + " is not a word of the tag")
		}
	}
	return g
}

// Grouping returns the Grouping of an option with the tag classes, for a log with the header h,
// which is nil for a check before there is a log. options points to a struct.
func Grouping(options any, name string, h *workload.Header) workload.Grouping {
	all := Fields(options)
	return find(all, name).grouping(all, h)
}

func (f *Field) grouping(all []*Field, h *workload.Header) workload.Grouping {
	g := *f.Grouping
	g.Header = h
	for _, other := range all {
		if named, ok := other.Pointer().(*[]workload.NamedClass); ok {
			g.Named = *named
		}
	}
	return g
}

// For returns the tag for, or "" if there is none.
func (f *Field) For() string { return f.tag.Get("for") }

// is reports whether a tag is "true".
func (f *Field) is(tag string) bool { return f.tag.Get(tag) == "true" }

// Required reports whether the option must always be given.
func (f *Field) Required() bool { return f.is("required") }

// Repeats reports whether a list may contain a value twice.
func (f *Field) Repeats() bool { return f.is("repeats") }

// RequiredWith reports whether the option must be given together with the options for which
// given is true.
func (f *Field) RequiredWith(given func(name string) bool) bool {
	options := f.tag.Get("required")
	if other, ok := strings.CutPrefix(options, "!"); ok {
		return !given(other)
	}
	return f.Required() || slices.ContainsFunc(strings.Split(options, "|"), given)
}

// IsSet reports whether the value is not zero.
func (f *Field) IsSet() bool { return !f.value.IsZero() }

// Missing returns a *workload.OptionError if the option is required with the given ones and has
// no value.
func (f *Field) Missing(given func(name string) bool) error {
	if f.IsSet() || !f.RequiredWith(given) {
		return nil
	}
	want := f.Expected()
	if other, ok := strings.CutPrefix(f.tag.Get("required"), "!"); ok {
		want += ", or `" + other + "`"
	}
	return f.fault("nothing", want)
}

// Pointer returns a pointer to the field.
func (f *Field) Pointer() any { return f.value.Addr().Interface() }

// IsList reports whether the field is a list whose items are separated by commas.
func (f *Field) IsList() bool { return f.value.Kind() == reflect.Slice && !f.is("repeat") }

// All reports whether the word "all" stands for all choices.
func (f *Field) All() bool { return f.is("all") }

// Fill replaces zero values by the defaults in the tags.
func Fill(options any) { fill(options, "default") }

// Usual sets the options that are zero to their values for a command without flags.
func Usual(options any) {
	fill(options, "usual")
	Fill(options)
}

func fill(options any, tag string) {
	for _, f := range Fields(options) {
		if text := f.tag.Get(tag); text != "" && f.value.IsZero() {
			if err := f.fill(text); err != nil {
				panic("opt: default of " + f.Name + ": " + err.Error())
			}
		}
	}
}

// fill sets the value from the text of a tag, without checking the range.
func (f *Field) fill(text string) error {
	if t := f.asText(); t != nil {
		return t.Set(text)
	}
	return f.store(false, workload.SplitList(text)...)
}

// Check returns a *workload.OptionError for the first option that is out of its range,
// not one of its choices, or excluded by another option.
func Check(options any) error {
	all := Fields(options)
	for _, f := range all {
		if err := f.check(); err != nil {
			return err
		}
		if f.Grouping != nil && !f.value.IsZero() {
			if _, err := workload.ClassesOf(workload.SplitClasses(f.String()), f.grouping(all, nil)); err != nil {
				return workload.OptionNamed(f.Name, err)
			}
		}
	}
	return exclusive(all, func(f *Field) bool { return !f.value.IsZero() })
}

// CheckGiven checks the relations between the options that a user has given: options that
// require another one, and options that exclude each other.
func CheckGiven(all []*Field, given func(name string) bool) error {
	for _, f := range all {
		if f.For() != "" && given(f.Name) && f.hasEffect() {
			if err := f.checkFor(all); err != nil {
				return err
			}
		}
	}
	return exclusive(all, func(f *Field) bool { return given(f.Name) && f.hasEffect() })
}

// hasEffect reports whether the value has an effect: false has none, and neither has a 0 that
// the range lists in addition to an interval.
func (f *Field) hasEffect() bool {
	none := f.value.Kind() == reflect.Bool || strings.HasPrefix(f.Range, "0|")
	return !none || !f.value.IsZero()
}

// CheckParts calls the method Check() error, if any, of the structs nested in the one that
// options points to, then of that struct. Check finds faults that tags cannot express, in a part
// of other options or in the parameters of a named value. For the options of a call, Validate
// does so.
func CheckParts(options any) error {
	return checkParts(reflect.ValueOf(options).Elem())
}

func checkParts(v reflect.Value) error {
	for i := range v.NumField() {
		if field := v.Type().Field(i); field.Type.Kind() == reflect.Struct && field.IsExported() && field.Tag.Get("opt") == "" {
			if err := checkParts(v.Field(i)); err != nil {
				return err
			}
		}
	}
	if c, ok := v.Addr().Interface().(interface{ Check() error }); ok {
		return c.Check()
	}
	return nil
}

func find(all []*Field, name string) *Field {
	if i := slices.IndexFunc(all, func(f *Field) bool { return f.Name == name }); i >= 0 {
		return all[i]
	}
	return nil
}

// checkFor returns a fault unless one of the options in the tag for is set, to one of the values
// in the tag if there are any.
func (f *Field) checkFor(all []*Field) error {
	name, values, hasValues := strings.Cut(f.For(), "=")
	if !hasValues {
		names := strings.Split(f.For(), "|")
		if slices.ContainsFunc(all, func(other *Field) bool { return slices.Contains(names, other.Name) && !other.value.IsZero() }) {
			return nil
		}
		return f.fault(f.shown(), "`"+strings.Join(names, "` or `")+"` with it")
	}
	other := find(all, name)
	if other == nil {
		return nil
	}
	wanted := strings.Split(values, "|")
	for _, item := range workload.SplitList(other.String()) {
		if name, _ := other.split(item); name == "all" || slices.Contains(wanted, name) {
			return nil
		}
	}
	saw := f.shown()
	if !other.value.IsZero() {
		saw += " has no effect on `" + name + "` " + other.String()
	}
	return f.fault(saw, "`"+name+"` with "+orList(wanted))
}

// exclusive returns a fault if two options that exclude each other are set.
func exclusive(all []*Field, set func(*Field) bool) error {
	for _, f := range all {
		if f.tag.Get("not") == "" || !set(f) {
			continue
		}
		for _, name := range strings.Split(f.tag.Get("not"), "|") {
			if other := find(all, name); other != nil && set(other) {
				return f.fault(f.shown(), "either `"+name+"` or `"+f.Name+"`")
			}
		}
	}
	return nil
}

func (f *Field) fault(saw, want string) error {
	return &workload.OptionError{Option: f.Name, Saw: saw, Want: want}
}

// orList joins texts, as in "a, b or c".
func orList(texts []string) string {
	last := len(texts) - 1
	if last < 1 {
		return strings.Join(texts, "")
	}
	return strings.Join(texts[:last], ", ") + " or " + texts[last]
}
