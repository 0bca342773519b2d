package serve

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/workload"
)

// mostText is the largest length of a parameter's text, in bytes.
const mostText = 256

// otherNames maps alternative names of parameters, as used in answers, to their names.
var otherNames = map[string]string{"time_s": "time"}

// bind sets options from the parameters of the same names. Each may be given at most once; an
// empty one counts as not given, since forms send empty fields.
func bind(options any, values url.Values) error {
	opt.Usual(options)
	fields := opt.Fields(options)
	by := map[*opt.Field]string{} // the name under which it was given
	for _, name := range slices.Sorted(maps.Keys(values)) {
		all := values[name]
		at := slices.IndexFunc(fields, func(f *opt.Field) bool { return f.Name == cmp.Or(otherNames[name], name) })
		switch {
		case at < 0:
			return parameterFault(strings.Trim(shown(name), `"`), "an unknown parameter", knownNames(fields))
		case len(all) > 1:
			return parameterFault(name, fmt.Sprint(len(all), " of them"), "one")
		case all[0] == "":
			continue
		case by[fields[at]] != "":
			return parameterFault(name, "both "+by[fields[at]]+" and "+name, "one of them")
		}
		by[fields[at]] = name
		if err := set(fields[at], all[0]); err != nil {
			return unreadable(name, err)
		}
	}
	for _, f := range fields {
		if err := f.Missing(func(string) bool { return false }); err != nil {
			return unreadable(f.Name, err)
		}
	}
	return nil
}

// set sets an option from the text of a parameter.
func set(f *opt.Field, text string) error {
	switch {
	case len(text) > mostText:
		return workload.OptionFault(f.Name, fmt.Sprint(len(text), " bytes"), "at most %d", mostText)
	case !isPrintable(text):
		return workload.OptionFault(f.Name, shown(text), "UTF-8 without control characters")
	}
	return f.Set(text)
}

func isPrintable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl)
}

// unreadable returns the problem of a parameter, under the name by which it was given. err must be
// a *workload.OptionError.
func unreadable(name string, err error) error {
	fault := *err.(*workload.OptionError)
	if len(fault.Saw) > mostText {
		fault.Saw = shown(fault.Saw)
	}
	return parameterFault(name, fault.Saw, fault.Want)
}

func knownNames(fields []*opt.Field) string {
	if len(fields) == 0 {
		return "none: this path takes no parameters"
	}
	var names []string
	for _, f := range fields {
		names = append(names, f.Name)
	}
	return "one of " + strings.Join(names, ", ")
}
