// Package field reads what the types of results declare about their rows. A row's type says
// with tags, once, what each of its columns is, and every form of the row follows from it:
// CSV, the names of conditions, tables for people, what a study measures.
//
//	AccuracyMean stats.Number `json:"accuracy_mean" show:"accuracy,%.4f" better:"high"`
//	ErrorMean    stats.Number `json:"absolute_error_mean_s" show:"mean abs. error,s" better:"low"`
//	Wait         Spread       `json:"wait_s" row:"prefix" show:"wait"`
//	Parameters   []Parameter  `json:"parameters" row:"each"`
//
// The tags are:
//   - json names the column for programs, with its unit; csv names it where the name in JSON
//     only makes sense below that of the object around it. A zero that omitempty leaves out,
//     people do not read either.
//   - show is the heading for people and, after a comma, how they read the values
//     (package view); a field without it is for programs alone.
//   - better says which values are: high, low, or near to what was asked for.
//   - in is the range of the values: "[0,1]", "[0,) or null".
//   - narrow says in which order columns give way where the table is too wide: 1 is the first.
//   - row makes the fields of a struct, or the elements of a list, columns or rows:
//     "flat" gives a struct's fields their own names, as those of embedded structs have;
//     "prefix" gives them the struct's name and theirs (wait_s and mean are wait_mean_s). Its
//     verb is theirs too; without its show they are for programs alone, and only lists those
//     that people read;
//     "alone" is "prefix" without the fields that are for rows of the struct's own;
//     "each" gives every element a row, which begins with the columns of what it is in;
//     "named" makes each element, whose first field names it and whose second is its value, a
//     column;
//     "words" makes a list of texts one column.
//
// Other tags are for the packages that ask for them (Field.Tag). One on a struct whose fields
// are columns lists those that it is for: study:"mean=main,drawn median".
package field

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Field is one column of a row.
type Field struct {
	Name    string // for programs; "" for a column for people alone
	Heading string // for people; "" for a column for programs alone
	Verb    string // how people read the values
	Better  string // "high", "low", "near" (to what was asked for), or "" where none is
	Narrow  int    // its turn to give way in a table that is too wide; 0 for never
	Group   string // what Heading has of the struct that the field is in

	level int   // of the lists that a row is in, 0 for the outermost
	path  []int // of fields
	named string
	json  string            // in its struct
	tag   reflect.StructTag // its own
	outer reflect.StructTag // of the struct that it is in
}

// Shown is a value of several numbers that people read as one; it is for them alone. The verb is
// that of its field.
type Shown interface{ Show(verb string) string }

// Tag is what a tag of the field says, or one of the struct that it is in.
func (f Field) Tag(key string) (value string, ok bool) {
	if value, ok = f.tag.Lookup(key); ok {
		return value, true
	}
	for item := range strings.FieldsSeq(f.outer.Get(key)) {
		if name, of, _ := strings.Cut(item, "="); name == f.json {
			return of, true
		}
	}
	return "", false
}

// Omitted reports whether JSON leaves out what a row has in the column.
func (f Field) Omitted(row Row) bool {
	v := f.Value(row)
	return !v.IsValid() || strings.Contains(f.tag.Get("json"), ",omit") && v.IsZero()
}

// Help is what the values are, in words. In a struct that says it of all its fields, theirs
// have a star in its place: "mean *".
func (f Field) Help() string {
	return strings.Replace(f.tag.Get("help"), "*", f.outer.Get("help"), 1)
}

// Row is one row: the elements of the lists that it is in, the outermost first. The last ones
// are missing where a list is empty.
type Row []reflect.Value

// Of returns the columns of a row's type.
func Of[T any]() []Field { return columns(reflect.TypeFor[T](), 0) }

// Rows returns those columns of a list of structs that are asked for, and the rows: one for
// each element or, where they have columns, of the lists in it (row:"each").
func Rows(list any, asked func(Field) bool) ([]Field, []Row) {
	v := reflect.ValueOf(list)
	fields := append(columns(v.Type().Elem(), 0), namedColumns(v)...)
	fields = slices.DeleteFunc(fields, func(f Field) bool { return !asked(f) })
	deepest := 0
	for _, f := range fields {
		deepest = max(deepest, f.level)
	}
	var rows []Row
	for i := range v.Len() {
		rows = appendRows(rows, nil, v.Index(i), deepest)
	}
	return fields, rows
}

// appendRows adds the rows of an element: one, or those of its list.
func appendRows(rows []Row, outer Row, element reflect.Value, deepest int) []Row {
	row := append(slices.Clip(outer), element)
	path, _, ok := listOf(deref(element.Type()), nil)
	if !ok || len(outer) == deepest {
		return append(rows, row)
	}
	list := at(element, path)
	if !list.IsValid() || list.Len() == 0 {
		return append(rows, row)
	}
	for i := range list.Len() {
		rows = appendRows(rows, row, list.Index(i), deepest)
	}
	return rows
}

// columns are those of a type and of the list in it.
func columns(t reflect.Type, level int) []Field {
	t = deref(t)
	all := structColumns(t, nil, outside{level: level})
	if _, element, ok := listOf(t, nil); ok {
		all = append(all, columns(element, level+1)...)
	}
	return all
}

// outside is what a struct says of its fields: what precedes their names and headings.
type outside struct {
	name, heading string
	tag           reflect.StructTag
	level         int
}

// structColumns are those of a struct at a path.
func structColumns(t reflect.Type, path []int, out outside) (all []Field) {
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.IsExported() && !f.Anonymous {
			continue
		}
		path := append(slices.Clip(path), i)
		own, shown, verb := names(f)
		row := f.Tag.Get("row")
		switch of := deref(f.Type); {
		case f.Anonymous && of.Kind() == reflect.Struct || row == "flat":
			all = append(all, structColumns(of, path, out)...)
		case row == "prefix":
			inner := outside{joined(out.name, own), join(out.heading, shown), f.Tag, out.level}
			all = append(all, parts(structColumns(of, path, inner), f.Tag, shown, verb)...)
		case row == "alone" && out.name != "":
		case (scalar(of) || row == "words") && (own != "" || shown != "") || of.Implements(reflect.TypeFor[Shown]()) && shown != "":
			turn, _ := strconv.Atoi(f.Tag.Get("narrow"))
			column := Field{
				Verb: verb, Better: f.Tag.Get("better"), Narrow: turn, Group: out.heading, level: out.level, path: path,
				json: own, tag: f.Tag, outer: out.tag,
			}
			if own != "" && of.Kind() != reflect.Struct {
				column.Name = joined(out.name, own)
			}
			if shown != "" {
				column.Heading = join(out.heading, shown)
			}
			all = append(all, column)
		}
	}
	return all
}

// parts are the columns of a struct with a heading and a verb of its own. A struct without a
// heading has columns for programs alone.
func parts(all []Field, tag reflect.StructTag, heading, verb string) []Field {
	only, some := tag.Lookup("only")
	for i := range all {
		if heading == "" || some && !slices.Contains(strings.Fields(only), all[i].json) {
			all[i].Heading = ""
		}
		all[i].Verb = cmp.Or(all[i].Verb, verb)
	}
	return all
}

// names are a field's name for programs, heading for people and how they read it.
func names(f reflect.StructField) (name, heading, verb string) {
	name, _, _ = strings.Cut(f.Tag.Get("json"), ",")
	if other := f.Tag.Get("csv"); other != "" {
		name = other
	}
	if name == "-" {
		name = ""
	}
	heading, verb, _ = strings.Cut(f.Tag.Get("show"), ",")
	return name, heading, verb
}

// units are the ends of names that say a unit.
var units = []string{"_s", "_min", "_pct", "_kb", "_processors"}

// joined is the name of a field of a struct; a unit of the struct's name stays the end.
func joined(outer, name string) string {
	for _, unit := range units {
		if stem, ok := strings.CutSuffix(outer, unit); ok {
			return stem + "_" + name + unit
		}
	}
	if outer == "" {
		return name
	}
	return outer + "_" + name
}

func join(outer, heading string) string { return strings.TrimSpace(outer + " " + heading) }

// listOf is the list of a struct whose elements have rows of their own, and their type.
func listOf(t reflect.Type, path []int) ([]int, reflect.Type, bool) {
	if t.Kind() != reflect.Struct {
		return nil, nil, false
	}
	for i := range t.NumField() {
		f := t.Field(i)
		path := append(slices.Clip(path), i)
		if f.Tag.Get("row") == "each" {
			return path, f.Type.Elem(), true
		}
		if of := deref(f.Type); f.Anonymous && of.Kind() == reflect.Struct {
			if path, element, ok := listOf(of, path); ok {
				return path, element, true
			}
		}
	}
	return nil, nil, false
}

// namedColumns are those of the elements of lists with row:"named" in some rows, each once.
// Where the list has a csv or show tag, their names and headings begin with it; with a csv tag
// alone they are for programs.
func namedColumns(rows reflect.Value) (all []Field) {
	t := deref(rows.Type().Elem())
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Tag.Get("row") != "named" {
			continue
		}
		_, shown, verb := names(f)
		seen := map[string]bool{}
		for r := range rows.Len() {
			list := at(rows.Index(r), []int{i})
			for k := range list.Len() {
				name := fmt.Sprint(list.Index(k).Field(0))
				if seen[name] {
					continue
				}
				seen[name] = true
				heading, outer := name, f.Tag.Get("csv")
				if shown != "" {
					heading = shown + "(" + name + ")"
				} else if outer != "" {
					heading = ""
				}
				all = append(all, Field{Name: joined(outer, name), Heading: heading, Verb: verb, path: []int{i}, named: name})
			}
		}
	}
	return all
}
