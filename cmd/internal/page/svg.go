package page

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"html/template"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// drawn are the elements that figures have, and the attributes of each that
// are kept. Those of style come as its properties.
var drawn = map[string][]string{
	"svg":  {"viewBox"},
	"g":    {"transform"},
	"path": {"d", "fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-dashoffset"},
	"text": {"x", "y", "transform", "font-size", "fill"},
}

// plain is what a value may be made of: numbers, names, colours, transforms.
var plain = regexp.MustCompile(`^[-+#.,() \w]*$`)

var decimals = regexp.MustCompile(`-?\d+\.\d+`)

// inline is an SVG file as an element of a page, named by label. Style
// attributes become presentation attributes, which a content security policy
// allows; white backgrounds are left out, so that the page's shows; numbers have
// one decimal, which is finer than a pixel.
func inline(file []byte, label string) (template.HTML, error) {
	var b strings.Builder
	in := xml.NewDecoder(bytes.NewReader(file))
	depth := 0
	skip := 0 // depth of an element left out
	for {
		token, err := in.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", fmt.Errorf("page: picture %q: %w", label, err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			depth++
			keep, known := drawn[t.Name.Local]
			values, err := attributes(t, keep)
			if err != nil {
				return "", fmt.Errorf("page: picture %q: %w", label, err)
			}
			white := t.Name.Local == "path" && slices.Contains(values, [2]string{"fill", "#FFFFFF"})
			switch {
			case skip > 0:
			case !known:
				skip = depth
			case white:
				skip = depth
			default:
				b.WriteString("<" + t.Name.Local)
				if t.Name.Local == "svg" {
					fmt.Fprintf(&b, ` role="img" aria-label="%s"`, template.HTMLEscapeString(label))
				}
				for _, v := range values {
					fmt.Fprintf(&b, ` %s="%s"`, v[0], v[1])
				}
				b.WriteString(">")
			}
		case xml.EndElement:
			if skip == 0 {
				b.WriteString("</" + t.Name.Local + ">")
			}
			if skip == depth {
				skip = 0
			}
			depth--
		case xml.CharData:
			if text := strings.TrimSpace(string(t)); text != "" && depth > 0 && skip == 0 {
				b.WriteString(template.HTMLEscapeString(string(t)))
			}
		}
	}
	if b.Len() == 0 {
		return "", fmt.Errorf("page: picture %q is empty", label)
	}
	return template.HTML(b.String()), nil
}

// attributes are those to keep, in the order of the list.
func attributes(e xml.StartElement, keep []string) ([][2]string, error) {
	found := map[string]string{}
	for _, a := range e.Attr {
		if a.Name.Local != "style" {
			found[a.Name.Local] = a.Value
			continue
		}
		for _, property := range strings.Split(a.Value, ";") {
			if name, value, ok := strings.Cut(property, ":"); ok {
				found[strings.TrimSpace(name)] = strings.TrimSpace(value)
			}
		}
	}
	var out [][2]string
	for _, name := range keep {
		value, ok := found[name]
		if !ok {
			continue
		}
		if !plain.MatchString(value) {
			return nil, fmt.Errorf("attribute %s of %s is %q", name, e.Name.Local, value)
		}
		switch name {
		case "d":
			value = shortPath(decimals.ReplaceAllStringFunc(value, tenths))
		case "x", "y", "stroke-width":
			value = decimals.ReplaceAllStringFunc(value, tenths)
		case "font-size":
			value = strings.TrimSuffix(value, "px")
		}
		out = append(out, [2]string{name, value})
	}
	return out, nil
}

// tenths rounds a number to one decimal.
func tenths(number string) string {
	x, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return number
	}
	return tenthsOf(x)
}

// tenthsOf writes a number with one decimal at the most.
func tenthsOf(x float64) string {
	s := strings.TrimSuffix(strconv.FormatFloat(x, 'f', 1, 64), ".0")
	if s == "-0" {
		return "0"
	}
	return s
}

// shortPath leaves out the points of a path of straight lines that lie on the
// point before, or between two others on a horizontal or vertical line.
func shortPath(d string) string {
	parts := strings.Split(d, "L")
	if len(parts) < 4 || strings.ContainsAny(d[1:], "MACQHV ") {
		return d
	}
	end := ""
	if last := parts[len(parts)-1]; strings.HasSuffix(last, "Z") {
		parts[len(parts)-1], end = strings.TrimSuffix(last, "Z"), "Z"
	}
	parts[0] = strings.TrimPrefix(parts[0], "M")
	kept := parts[:1:1]
	for i, p := range parts[1:] {
		last := kept[len(kept)-1]
		if p == last {
			continue
		}
		if i+2 < len(parts) && between(last, p, parts[i+2]) {
			continue
		}
		kept = append(kept, p)
	}
	if len(kept) < 2 {
		return d
	}
	return "M" + strings.Join(kept, "L") + end
}

// between says whether three points share an abscissa or an ordinate and the
// second is not beyond the others.
func between(a, b, c string) bool {
	ax, ay, _ := strings.Cut(a, ",")
	bx, by, _ := strings.Cut(b, ",")
	cx, cy, _ := strings.Cut(c, ",")
	switch {
	case ax == bx && bx == cx:
		return inside(ay, by, cy)
	case ay == by && by == cy:
		return inside(ax, bx, cx)
	}
	return false
}

func inside(a, b, c string) bool {
	x, err1 := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	z, err3 := strconv.ParseFloat(c, 64)
	return err1 == nil && err2 == nil && err3 == nil && min(x, z) <= y && y <= max(x, z)
}
