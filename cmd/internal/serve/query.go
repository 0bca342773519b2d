package serve

import (
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/loadstone-hpc/loadstone/internal/opt"
)

// mostText is the length of the longest name that is looked up, bytes.
const mostText = 256

// query is the parameters of a request. Its methods read one each, and keep the first
// fault.
type query struct {
	values url.Values
	fault  error
}

// parseQuery reads the parameters of a route, each at most once.
func parseQuery(raw string, known []string) (*query, error) {
	values, err := url.ParseQuery(raw)
	if err != nil {
		return nil, own(badParameter, 400, "cannot read the query: want name=value pairs joined by &, with other characters as %%XX")
	}
	for name, all := range values {
		switch {
		case !slices.Contains(known, name) && len(known) == 0:
			return nil, parameterFault(shortName(name), "unknown: this path takes no parameters")
		case !slices.Contains(known, name):
			return nil, parameterFault(shortName(name), "unknown, want %s", strings.Join(known, ", "))
		case len(all) > 1:
			return nil, parameterFault(name, "given %d times, want once", len(all))
		}
	}
	return &query{values: values}, nil
}

// shortName is the name of an unknown parameter, as it may be shown.
func shortName(name string) string { return strings.Trim(shown(name), `"`) }

func (q *query) fail(name, format string, args ...any) {
	if q.fault == nil {
		q.fault = parameterFault(name, format, args...)
	}
}

// text reads a name; "" stands for none.
func (q *query) text(name string) string {
	s := q.values.Get(name)
	if why := badText(s); why != "" {
		q.fail(name, "%s", why)
		return ""
	}
	return s
}

// badText says why a text is no name.
func badText(s string) string {
	switch {
	case len(s) > mostText:
		return fmt.Sprintf("%d bytes, want at most %d", len(s), mostText)
	case !isPrintable(s):
		return fmt.Sprintf("saw %s, want UTF-8 without control characters", shown(s))
	}
	return ""
}

func isPrintable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl)
}

// integer reads a whole number from least on; missing stands for a parameter that is not
// there.
func (q *query) integer(name string, least, most, missing int64) int64 {
	s, ok := q.given(name)
	if !ok {
		return missing
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < least || n > most {
		q.fail(name, "saw %s, want %s", shown(s), wholeNumbers(least, most))
		return missing
	}
	return n
}

func wholeNumbers(least, most int64) string {
	if most == math.MaxInt64 {
		return fmt.Sprintf("a whole number of %d or more", least)
	}
	return fmt.Sprintf("a whole number from %d to %d", least, most)
}

// amount reads a number above 0, by set; 0 stands for a parameter that is not there.
func (q *query) amount(name, want string, set func(string) (float64, error)) float64 {
	s, ok := q.given(name)
	if !ok {
		return 0
	}
	x, err := set(s)
	if err != nil || !(x > 0) || math.IsInf(x, 1) {
		q.fail(name, "saw %s, want %s", shown(s), want)
		return 0
	}
	return x
}

// seconds reads a length of time as the command's flags do.
func (q *query) seconds(name string) float64 { return q.amount(name, wantSeconds, opt.Seconds) }

const wantSeconds = "seconds above 0, or a time such as 2:00:00, 1-12:00 or 90m"

// kilobytes reads an amount of memory.
func (q *query) kilobytes(name string) float64 {
	return q.number(name, "a number of KB above 0")
}

// number reads a number above 0; 0 stands for a parameter that is not there.
func (q *query) number(name, want string) float64 {
	return q.amount(name, want, func(s string) (float64, error) { return strconv.ParseFloat(s, 64) })
}

// given returns a parameter; an empty one counts as not given, as forms send it.
func (q *query) given(name string) (string, bool) {
	s := q.values.Get(name)
	return s, s != ""
}

// either returns the one of two names of a parameter that is given.
func (q *query) either(name, other string) string {
	if _, ok := q.given(other); !ok {
		return name
	}
	if _, both := q.given(name); both {
		q.fail(other, "given beside %s, want one of them", name)
	}
	return other
}

// list reads values with commas between, at most so many; each is told its text.
func (q *query) list(name string, most int, each func(string) error) {
	s, ok := q.given(name)
	if !ok {
		return
	}
	if n := 1 + strings.Count(s, ","); n > most {
		q.fail(name, "%d values, want at most %d", n, most)
		return
	}
	for part := range strings.SplitSeq(s, ",") {
		if err := each(part); err != nil {
			q.fail(name, "%v", err)
			return
		}
	}
}
