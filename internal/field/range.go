package field

import (
	"cmp"
	"strconv"
	"strings"
)

// Range is an interval of numbers.
type Range struct {
	Least, Most         float64 // infinite if there is no limit
	OpenLeast, OpenMost bool    // Least or Most is not in the range
	Null                bool    // a value may also be unknown

	least, most string // as in the text; "" if there is no limit
}

// ParseRange parses the text of a tag: an interval, such as "[0,1)" or "(0,) or null", or one
// number. It does not detect errors.
func ParseRange(text string) (r Range) {
	text, r.Null = strings.CutSuffix(text, " or null")
	inside := strings.Trim(text, "[]()")
	var several bool
	if r.least, r.most, several = strings.Cut(inside, ","); !several {
		r.most = r.least
	}
	r.Least, _ = strconv.ParseFloat(cmp.Or(r.least, "-Inf"), 64)
	r.Most, _ = strconv.ParseFloat(cmp.Or(r.most, "Inf"), 64)
	r.OpenLeast, r.OpenMost = strings.HasPrefix(text, "("), strings.HasSuffix(text, ")")
	return r
}

// Has reports whether a number is in the range.
func (r Range) Has(x float64) bool {
	return x > r.Least && x < r.Most || x == r.Least && !r.OpenLeast || x == r.Most && !r.OpenMost
}

// String returns a description of the range, such as "0 or more" or "above 0, at most 1".
func (r Range) String() string {
	switch {
	case r.least == r.most:
		return r.least
	case r.most == "" && !r.OpenLeast:
		return r.least + " or more"
	case r.most == "":
		return "above " + r.least
	case r.least == "" && !r.OpenMost:
		return "at most " + r.most
	case !r.OpenLeast && !r.OpenMost:
		return r.least + " to " + r.most
	case !r.OpenLeast:
		return r.least + " or more and less than " + r.most
	case !r.OpenMost:
		return "above " + r.least + ", at most " + r.most
	}
	return "between " + r.least + " and " + r.most
}

// Range returns the range in the field's tag "in", and false if there is none.
func (f Field) Range() (r Range, ok bool) {
	text, ok := f.Tag("in")
	return ParseRange(text), ok
}
