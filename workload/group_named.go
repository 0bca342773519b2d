package workload

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
)

// NamedClass is one class of the values of an identifier, such as the queues of
// short jobs.
type NamedClass struct {
	Name   string
	Column string   // the name of an identifier; "" is queue_id
	Values []string // numbers, names in the header, or patterns of these such as q*s
}

// ParseNamedClass reads NAME=VALUE,... or COLUMN:NAME=VALUE,..., such as
// "short=q1s,q2s" or "partition:east=1,2".
func ParseNamedClass(text string) (NamedClass, error) {
	const want = "[COLUMN:]NAME=VALUE,..., such as short=q1s,q2s or partition:east=1,2"
	fault := func(want string) error { return &OptionError{"class", strconv.Quote(text), want} }
	name, list, ok := strings.Cut(text, "=")
	c := NamedClass{Column: columns[ColQueue].Name}
	if word, rest, found := strings.Cut(name, rangesMark); found {
		column := FindColumn(strings.TrimSpace(word))
		if column == nil || column.Use != Identifier {
			return c, fault(want + ", with one of the columns " + strings.Join(identifierWords(), ", "))
		}
		c.Column, name = column.Name, rest
	}
	if c.Name = strings.TrimSpace(name); !ok || c.Name == "" {
		return c, fault(want)
	}
	if c.Name == otherClass {
		return c, fault("another name: " + otherClass + " are the jobs in no class")
	}
	for _, v := range strings.Split(list, ",") {
		v = strings.TrimSpace(v)
		if _, err := path.Match(v, ""); v == "" || err != nil {
			return c, fault(want + ": each value a number, a name or a pattern such as q*s")
		}
		c.Values = append(c.Values, v)
	}
	return c, nil
}

func identifierWords() []string {
	var words []string
	for _, col := range namedColumns {
		words = append(words, columns[col].Words[0])
	}
	return words
}

// namedColumn makes the column of named classes. A number or a name belongs to
// one class; of a pattern's, a value goes to the first class that matches.
func namedColumn(named []NamedClass, h *Header) (ClassColumn, error) {
	if len(named) == 0 {
		return ClassColumn{}, &OptionError{"classes", strconv.Quote(NamedWord), "named classes, such as `class` short=q1s,q2s and `class` long=q1l"}
	}
	fault := func(saw, want string) error { return &OptionError{"class", saw, want} }
	c := ClassColumn{Column: cmp.Or(named[0].Column, columns[ColQueue].Name), Groups: map[int64]string{}}
	said := map[string]string{} // classes of the values as written
	for _, n := range named {
		if column := cmp.Or(n.Column, columns[ColQueue].Name); column != c.Column {
			return c, fault(fmt.Sprintf("class %s of %s, class %s of %s", named[0].Name, c.Column, n.Name, column), "classes of one column")
		}
		for _, v := range n.Values {
			if first, ok := said[v]; ok {
				return c, fault(fmt.Sprintf("%q in class %s and in class %s", v, first, n.Name), "it in one")
			}
			said[v] = n.Name
		}
	}
	if h == nil {
		return c, nil
	}
	names := h.NamesOf(c.Column)
	patterns := map[int64]string{}
	for _, n := range named {
		for _, v := range n.Values {
			if id, err := strconv.ParseInt(v, 10, 64); err == nil {
				if first, ok := c.Groups[id]; ok && first != n.Name {
					return c, fault(fmt.Sprintf("%s %d in class %s and in class %s", c.Column, id, first, n.Name), "it in one")
				}
				c.Groups[id] = n.Name
				continue
			}
			found := false
			for id, name := range names {
				match, _ := path.Match(v, name)
				switch {
				case name == v:
					c.Groups[id], found = n.Name, true
				case match:
					if _, ok := patterns[id]; !ok {
						patterns[id] = n.Name
					}
					found = true
				}
			}
			if !found {
				want := "a number" + offered(names)
				if strings.ContainsAny(v, "<>=") {
					want += "; conditions are not taken: a class has values of an identifier, and ranges of an amount are such as size:4:16, without a name"
				}
				return c, fault(fmt.Sprintf("%s=%s: the header names no such %s", n.Name, v, FindColumn(c.Column).Words[0]), want)
			}
		}
	}
	for id, name := range patterns {
		if _, ok := c.Groups[id]; !ok {
			c.Groups[id] = name
		}
	}
	return c, nil
}

// offered lists some of the names that could have been meant.
func offered(names map[int64]string) string {
	if len(names) == 0 {
		return ""
	}
	var all []string
	for _, name := range names {
		all = append(all, name)
	}
	slices.Sort(all)
	const most = 12
	if len(all) > most {
		all = append(all[:most], "...")
	}
	return ", or one of " + strings.Join(all, ", ")
}
