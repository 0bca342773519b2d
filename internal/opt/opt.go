// Package opt reads the options of a call from the tags of its options struct: the name
// of each, its range or choices, the option that it goes with, and its help. The library
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
//	opt      name, and after a comma the letter of the flag
//	in       numbers and intervals that a number may be, separated by |
//	required "true" if the zero value does not stand for an option that was left out: Check
//	         refuses a zero outside the range, and a parameter of a route must be given; or
//	         names of options, separated by |, with one of which it must be given; or !option,
//	         without which it must be
//	repeats  "true" if a list in a file may have a value twice
//	want     what to say is expected, in place of the words for the range
//	default  what the zero value stands for (Fill)
//	usual    the value of the flag if it is not given, where zero is a value too (Usual)
//	for      options, separated by |, one of which it needs, or option=value|value
//	not      options that it excludes, separated by |
//	help     text; the first <word> names the value, and %s is a text of the tag "of"
//	brief    a shorter text, for the help of one screen
//	of       on a nested struct: what stands for %s in the texts of its options; if there are
//	         several, with | between them, one for each %s
//	file     what the value names: a file to "read", to "write", or to write a plain "table" to,
//	         or a "folder" to write into
//	some     "true" if Choices are some of what it takes, for completion
//	group    title above it, and above those that follow in the struct, in the help
//	common   "true" in the help of one screen
//	all      "true" if the word all stands for all choices
//	open     "true" if parameters in parentheses may follow a choice
//	unit     "seconds" if a number may also be typed as a time
//	repeat   "true" if a list gets one item each time that the flag is given
//	classes  on an option that sorts jobs into classes by columns, as workload.ClassesOf reads it;
//	         words, separated by spaces, that set the fields of workload.Grouping:
//	           submitted  only columns that are known at submission
//	           each       a class for each value of an amount without ranges, not powers of two
//	           measured   also measured columns, the preceding job and workload.CalendarWords
//	           plain      without the words kind and class, which need a header
//	           any        none of these: the columns by which models have classes
//	         What the word class stands for is a field of the type []workload.NamedClass
//	without  on a nested struct: names of options that are not offered
//
// Choices come from a method of the struct, or of one around it, Choices(option string)
// []string.
//
// Parameters of a named value, such as es(alpha=0.3), are declared by the same tags: see Named.
//
// The zero value of a field is an option that was left out: Check accepts it, while a
// text of the same value has to be in the range.
package opt

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/field"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Field is a field with a name for users. It is a pflag.Value.
type Field struct {
	Name, Letter string
	Help, Brief  string
	Group        string
	Common       bool
	Range        string             // of a number, as in the tag
	File         string             // what the value names, as in the tag
	Choices      []string           // names that it takes: all, if it is Listed, else some
	Grouping     *workload.Grouping // of a way to sort jobs into classes by columns

	want   string        // in place of the words for the range
	parsed []field.Range // of Range
	tag    reflect.StructTag
	value  reflect.Value
	typed  bool // Set has set it
}

// chooser is an options struct some of whose options take one of some texts.
type chooser interface{ Choices(option string) []string }

// Fields returns the fields with a name of the struct that options points to, those of
// nested structs in their place.
func Fields(options any) []*Field {
	return walk(reflect.ValueOf(options).Elem(), nil, "", "")
}

// walk returns the fields of a struct; around are pointers to those that it is in, the
// outermost first, and of is for their help.
func walk(v reflect.Value, around []any, group, of string) (all []*Field) {
	if v.Addr().CanInterface() { // else it is embedded, and its methods are those of the struct around it
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

// completed is a text with those of the tag of in their places.
func completed(text, of string) string {
	if of == "" {
		return text
	}
	for _, part := range strings.Split(of, "|") {
		text = strings.Replace(text, "%s", part, 1)
	}
	return text
}

// Part returns the part of that type of the struct that options points to, nil if it has none.
func Part[T any](options any) *T {
	v := reflect.ValueOf(options).Elem()
	for i := range v.NumField() {
		if v.Type().Field(i).Type == reflect.TypeFor[T]() {
			return v.Field(i).Addr().Interface().(*T)
		}
	}
	return nil
}

// setChoices sets the choices, which are those of the outermost struct that has some.
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

// parseGrouping returns the grouping that the words of an option's tag classes select.
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
			panic("opt: classes of " + option + ": " + word + " is not a word of the tag") // a tag's fault
		}
	}
	return g
}

// Grouping returns how the words of an option with the tag classes are read, for a log with
// that header; nil is for a check before there is a log. options points to a struct.
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

// For is the option that it goes with, as in the tag; "" for none.
func (f *Field) For() string { return f.tag.Get("for") }

// is reports whether a tag is "true".
func (f *Field) is(tag string) bool { return f.tag.Get(tag) == "true" }

// Required reports whether it may not be left out.
func (f *Field) Required() bool { return f.is("required") }

// Repeats reports whether a list may have a value twice.
func (f *Field) Repeats() bool { return f.is("repeats") }

// RequiredWith reports whether it may not be left out with the options that are given.
func (f *Field) RequiredWith(given func(name string) bool) bool {
	options := f.tag.Get("required")
	if other, ok := strings.CutPrefix(options, "!"); ok {
		return !given(other)
	}
	return f.Required() || slices.ContainsFunc(strings.Split(options, "|"), given)
}

// IsSet reports whether the value is not zero.
func (f *Field) IsSet() bool { return !f.value.IsZero() }

// Missing returns the fault of an option that is required with those given and has no value,
// or nil.
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

// Fill puts the defaults of the tags in the place of zero values.
func Fill(options any) { fill(options, "default") }

// Usual makes the options what they are for a command without flags.
func Usual(options any) {
	fill(options, "usual")
	Fill(options)
}

func fill(options any, tag string) {
	for _, f := range Fields(options) {
		if text := f.tag.Get(tag); text != "" && f.value.IsZero() {
			if err := f.fill(text); err != nil {
				panic("opt: default of " + f.Name + ": " + err.Error()) // a tag's fault
			}
		}
	}
}

// fill makes a text of a tag the value, whatever the range.
func (f *Field) fill(text string) error {
	if t := f.asText(); t != nil {
		return t.Set(text)
	}
	return f.store(false, workload.SplitList(text)...)
}

// Check returns a *workload.OptionError for the first option that is out of its range,
// none of its choices, or excluded by another.
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

// CheckGiven checks what relates the options that a user has given: one that needs
// another, and those that exclude each other.
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

// hasEffect reports whether the value changes anything: false does not, nor does a 0 that the
// range has besides an interval.
func (f *Field) hasEffect() bool {
	none := f.value.Kind() == reflect.Bool || strings.HasPrefix(f.Range, "0|")
	return !none || !f.value.IsZero()
}

// CheckParts calls the method Check() error of the structs nested in the one that options
// points to, then its own. Check finds what tags cannot say about a part of other options, or
// about the parameters of a named value; Validate does for the options of a call.
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

// checkFor returns a fault if none of the options that the field is for is set.
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

// exclusive returns the fault of an option that excludes another, if both are set.
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

// orList joins texts as people do: "a, b or c".
func orList(texts []string) string {
	last := len(texts) - 1
	if last < 1 {
		return strings.Join(texts, "")
	}
	return strings.Join(texts[:last], ", ") + " or " + texts[last]
}
