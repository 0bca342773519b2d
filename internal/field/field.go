// Package field derives the columns of rows from the tags of result types. The tags on a row's
// type describe each column once, and all forms of the row follow from them: CSV, the names in
// conditions, tables for people, the quantities measured by a study.
//
//	AccuracyMean stats.Number `json:"accuracy_mean" show:"accuracy,%.4f" better:"high"`
//	ErrorMean    stats.Number `json:"absolute_error_mean_s" show:"mean abs. error,s" better:"low"`
//	Wait         Spread       `json:"wait_s" row:"prefix" show:"wait"`
//	Parameters   []Parameter  `json:"parameters" row:"each"`
//
// The tags are:
//   - json is the name of the column for programs, with its unit; csv replaces it if the JSON
//     name only makes sense within that of the enclosing object. A zero that omitempty omits
//     from JSON is not shown to people either.
//   - show is the heading for people and, after a comma, the format of the values
//     (package view); a field without it is for programs only.
//   - better is which values are better: high, low, or near (to the requested value).
//   - in is the range of the values: "[0,1]", "[0,) or null".
//   - narrow is the order in which columns are dropped if the table is too wide, from 1.
//   - row turns the fields of a struct, or the elements of a list, into columns or rows:
//     "flat" gives a struct's fields their own names, as for embedded structs;
//     "prefix" puts the struct's name before theirs (wait_s and mean become wait_mean_s). The
//     struct's format applies to them too; without a show tag on the struct they are for
//     programs only, and the tag only lists the fields that are shown to people;
//     "alone" omits a field if its struct has the tag "prefix";
//     "each" makes a row of every element, which begins with the columns of the enclosing
//     struct;
//     "named" makes a column of each element; its first field is the name and its second the
//     value;
//     "words" makes one column of a list of texts.
//
// Other tags are used by other packages (Field.Tag). A tag on a struct whose fields are columns
// lists the fields to which it applies: study:"mean=main,drawn median".
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
	Name    string // for programs; "" if the column is for people only
	Heading string // for people; "" if the column is for programs only
	Verb    string // format of the values for people, from the tag show
	Better  string // "high", "low", "near" (to the requested value), or "" if none is better
	Narrow  int    // order in which the column is dropped from a wide table; 0 means never
	Group   string // the part of Heading from the enclosing struct

	level int               // nesting level of the row:"each" lists, 0 for the outermost
	path  []int             // indices of fields, from the element of the row at level
	named string            // name of the element of a row:"named" list; "" for other columns
	json  string            // name in its struct
	tag   reflect.StructTag // of the field
	outer reflect.StructTag // of the enclosing struct
}

// Shown is implemented by values that combine several numbers and are shown to people as one. verb
// is that of the field.
type Shown interface{ Show(verb string) string }

// Tag returns the value of a tag of the field or, if it has none, the value for the field in a tag
// of the enclosing struct. ok is false if there is neither.
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

// Omitted reports whether the value of the column in a row is missing, or omitted from JSON.
func (f Field) Omitted(row Row) bool {
	v := f.Value(row)
	return !v.IsValid() || strings.Contains(f.tag.Get("json"), ",omit") && v.IsZero()
}

// Help returns the description of the values. A star in the field's help, as in "mean *", stands
// for the help of the enclosing struct.
func (f Field) Help() string {
	return strings.Replace(f.tag.Get("help"), "*", f.outer.Get("help"), 1)
}

// Row is one row: an element of each nested list, the outermost first. If a list is empty, its
// element and those after it are missing.
type Row []reflect.Value

// Of returns the columns of a row's type.
func Of[T any]() []Field { return columns(reflect.TypeFor[T](), 0) }

// Rows returns the columns of a list of structs for which asked is true, and the rows: one for
// each element or, if the columns include any of its lists with row:"each", one for each element of
// these.
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

// appendRows appends the rows of an element: one, or those of its list.
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

// columns returns the columns of a type and of the row:"each" list in it.
func columns(t reflect.Type, level int) []Field {
	t = deref(t)
	all := structColumns(t, nil, outside{level: level})
	if _, element, ok := listOf(t, nil); ok {
		all = append(all, columns(element, level+1)...)
	}
	return all
}

// outside describes the enclosing struct of some fields: the prefixes of their names and headings,
// the struct's tag, and their level.
type outside struct {
	name, heading string
	tag           reflect.StructTag
	level         int
}

// structColumns returns the columns of a struct at a path.
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

// parts adapts the columns of a struct with the tag row:"prefix" to the struct's heading, verb and
// tag only. A struct without a heading has columns for programs only.
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

// names returns a field's name for programs, and its heading and verb for people.
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

// units are the suffixes of names that denote a unit.
var units = []string{"_s", "_min", "_pct", "_kb", "_processors"}

// joined returns the name of a field with the struct's name as prefix. If the struct's name ends in
// a unit, the unit moves to the end.
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

// listOf returns the path of a struct's list with the tag row:"each", and the type of its elements.
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

// namedColumns returns the columns of all elements of lists with the tag row:"named" in some rows,
// each once. If the list has a csv or show tag, their names or headings begin with it; with only a
// csv tag, they are for programs only.
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
