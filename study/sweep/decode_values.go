package sweep

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// keysOf are the keys of a struct: a tag of its fields names them.
func (d *decoder) keysOf(s reflect.Value, tag string) (keys []studyKey) {
	for i := range s.NumField() {
		field := s.Type().Field(i)
		if name := field.Tag.Get(tag); name != "" {
			keys = append(keys, studyKey{name, func(key string, n *yaml.Node) error { return d.field(key, n, s.Field(i), field.Tag) }})
		}
	}
	return keys
}

// field reads a field's value: a list of at least one, if it is a slice.
func (d *decoder) field(key string, n *yaml.Node, v reflect.Value, tag reflect.StructTag) error {
	if v.Type() == reflect.TypeFor[Seeds]() { // a list, or their number
		if n.Kind == yaml.SequenceNode {
			return d.field(key, n, v.FieldByName("List"), tag)
		}
		return d.field(key, n, v.FieldByName("Count"), tag)
	}
	if v.Kind() != reflect.Slice {
		return d.value(key, n, v, tag)
	}
	switch {
	case n.Kind != yaml.SequenceNode:
		return d.fault(n, key, kind(n), "a list, such as ["+tag.Get("example")+"]")
	case len(n.Content) == 0:
		return d.fault(n, key, "an empty list", "one value or more, or no key "+key)
	}
	all := reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content))
	for i, item := range n.Content {
		if err := d.value(fmt.Sprintf("%s[%d]", key, i), item, all.Index(i), tag); err != nil {
			return err
		}
	}
	v.Set(all)
	return nil
}

// value reads one value. A name that differs from a valid one in case alone is that one, as
// on the command line.
func (d *decoder) value(key string, n *yaml.Node, v reflect.Value, tag reflect.StructTag) error {
	scalar, kindTag := n.Kind == yaml.ScalarNode, n.ShortTag()
	want := ""
	switch v.Kind() {
	case reflect.Struct:
		return d.input(key, n, v, tag.Get("of"))
	case reflect.String:
		if want = "a text"; scalar && kindTag != "!!null" && n.Value != "" {
			text, valid := n.Value, new(Study).names(tag.Get("key"))
			if i := slices.IndexFunc(valid, func(name string) bool { return strings.EqualFold(name, text) }); i >= 0 {
				text = valid[i]
			}
			v.SetString(text)
			return nil
		}
	case reflect.Bool:
		if want = "true or false"; scalar && kindTag == "!!bool" && (n.Value == "true" || n.Value == "false") {
			v.SetBool(n.Value == "true")
			return nil
		}
	case reflect.Float64:
		x, err := strconv.ParseFloat(n.Value, 64)
		isNumber := scalar && err == nil && !math.IsInf(x, 0) && !math.IsNaN(x) && (kindTag == "!!int" || kindTag == "!!float")
		switch want = "a number"; {
		case isNumber && (x > 0 || key != "days"):
			v.SetFloat(x)
			return nil
		case isNumber: // 0 would stand for none
			want = "a number above 0"
		}
	default:
		least := int64(1)
		if v.CanUint() {
			least = 0
		}
		want = fmt.Sprintf("a whole number of %d or more", least)
		// Seeds too are below 2^63, as a table has them.
		if x, err := strconv.ParseInt(n.Value, 10, 64); scalar && kindTag == "!!int" && err == nil && x >= least {
			v.Set(reflect.ValueOf(x).Convert(v.Type()))
			return nil
		}
	}
	return d.fault(n, key, kind(n), want)
}

// input reads a file's name, or an object that has it under its first key; of is the tag that
// has the keys.
func (d *decoder) input(key string, n *yaml.Node, v reflect.Value, of string) error {
	file := v.Field(0)
	if n.Kind == yaml.ScalarNode {
		return d.value(key, n, file, "")
	}
	keys := d.keysOf(v, of)
	if err := d.object(n, key, keys); err != nil {
		return err
	}
	if file.IsZero() {
		return d.fault(n, key, "no "+keys[0].name, "the key "+keys[0].name)
	}
	return nil
}
