package reshape

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ParseFilter reads a filter: one of the names that Filters lists, with parameters
// "name=value" behind it; otherwise a condition (ParseCondition), which removes the
// jobs that meet it.
func ParseFilter(text string) (Filter, error) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return nil, fmt.Errorf("an empty filter: want one of %s, or a condition", strings.Join(filterNames(), ", "))
	}
	for _, k := range filterKinds() {
		if k.Name != words[0] {
			continue
		}
		f, err := k.parse(words[1:])
		if err != nil {
			return nil, fmt.Errorf("filter %q: %w", text, err)
		}
		return f, nil
	}
	c, err := ParseCondition(text)
	if err != nil {
		return nil, fmt.Errorf("filter %q: %w", text, err)
	}
	return c, nil
}

// FilterKind describes one kind of filter.
type FilterKind struct {
	Name       string            `json:"name" csv:"filter"`
	Meaning    string            `json:"meaning"` // what it takes out
	Parameters []FilterParameter `json:"parameters" row:"each"`
	new        func() parsable
}

// FilterParameter describes a filter's parameter.
type FilterParameter struct {
	Name    string `json:"name" csv:"parameter"`
	Default string `json:"default"` // empty where it has none
	Meaning string `json:"meaning" csv:"parameter_meaning"`
	set     func(f parsable, value string) error
}

// parsable is a filter whose parameters can be set by name. Validate checks
// them together.
type parsable interface {
	Filter
	Validate() error
}

// parse sets a new filter's parameters.
func (k FilterKind) parse(words []string) (Filter, error) {
	f := k.new()
	var seen []string
	for _, w := range words {
		name, value, ok := strings.Cut(w, "=")
		i := slices.IndexFunc(k.Parameters, func(p FilterParameter) bool { return p.Name == name })
		if !ok || i < 0 {
			return nil, fmt.Errorf("%q: want parameters %s", w, k.forms())
		}
		if slices.Contains(seen, name) {
			return nil, fmt.Errorf("%s is given twice", name)
		}
		seen = append(seen, name)
		if err := k.Parameters[i].set(f, value); err != nil {
			return nil, fmt.Errorf("%s=%s: %w", name, value, err)
		}
	}
	return f, f.Validate()
}

// forms are the parameters with their defaults, for help and errors.
func (k FilterKind) forms() string {
	var parts []string
	for _, p := range k.Parameters {
		parts = append(parts, p.Name+"="+p.Default)
	}
	return strings.Join(parts, " ")
}

func filterNames() []string {
	var names []string
	for _, k := range filterKinds() {
		names = append(names, k.Name)
	}
	return names
}

func fieldNames() []string {
	var names []string
	for _, f := range fields {
		names = append(names, f.names[0])
	}
	return names
}

// The parameters' types: each returns a setter of a field of filter F.

func secondsParameter[F parsable](field func(F) *float64) func(parsable, string) error {
	return func(f parsable, text string) error {
		x, ok := parseSeconds(text)
		if !ok {
			return fmt.Errorf("want seconds, or 15m, 2h, 1.5d, 1w")
		}
		*field(f.(F)) = x
		return nil
	}
}

func floatParameter[F parsable](field func(F) *float64) func(parsable, string) error {
	return func(f parsable, text string) error {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return fmt.Errorf("want a number")
		}
		*field(f.(F)) = x
		return nil
	}
}

func intParameter[F parsable](field func(F) *int) func(parsable, string) error {
	return func(f parsable, text string) error {
		n, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("want a whole number")
		}
		*field(f.(F)) = n
		return nil
	}
}

func stringParameter[F parsable](field func(F) *string) func(parsable, string) error {
	return func(f parsable, text string) error {
		*field(f.(F)) = text
		return nil
	}
}
