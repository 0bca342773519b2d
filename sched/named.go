package sched

import (
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Adjustable is a Policy with parameters that PolicyNamed sets.
type Adjustable interface {
	Policy
	// With returns the policy with one of its Parameters set, or an error that says
	// what is expected, such as "a number above 0".
	With(parameter, value string) (Policy, error)
	// Parameters returns the names of the parameters.
	Parameters() []string
}

// PolicyNamed returns one of the policies by its name, such as "easy", with parameters if
// any, such as "priority(queues=3,1)". A comma separates two parameters if a name and an
// equals sign follow it. An error is a *workload.OptionError of "policy".
func PolicyNamed(text string, policies []Policy) (Policy, error) {
	name, list, adjusted := strings.Cut(text, "(")
	i := slices.IndexFunc(policies, func(p Policy) bool { return p.Name() == name })
	switch {
	case i < 0:
		return nil, workload.OptionFault("policy", strconv.Quote(text), "one of %s", strings.Join(Names(policies), ", "))
	case !adjusted:
		return policies[i], nil
	case !strings.HasSuffix(list, ")"):
		return nil, workload.OptionFault("policy", strconv.Quote(text), "a closing parenthesis at the end")
	}
	p := policies[i]
	for key, value := range parameters(strings.TrimSuffix(list, ")")) {
		a, ok := p.(Adjustable)
		if !ok {
			return nil, workload.OptionFault("policy", strconv.Quote(text), "no parameters: %s has none", name)
		}
		if !slices.Contains(a.Parameters(), key) {
			return nil, workload.OptionFault("policy", strconv.Quote(text), "a parameter of %s instead of %q: %s", name, key, strings.Join(a.Parameters(), ", "))
		}
		var err error
		if p, err = a.With(key, value); err != nil {
			return nil, workload.OptionFault("policy", strconv.Quote(text), "%s: %v", key, err)
		}
	}
	return p, nil
}

// parameters yields the keys and values of a comma-separated list. A part without an equals
// sign belongs to the value before it.
func parameters(list string) func(yield func(key, value string) bool) {
	return func(yield func(key, value string) bool) {
		parts := strings.Split(list, ",")
		for i := 0; i < len(parts); {
			key, value, _ := strings.Cut(parts[i], "=")
			for i++; i < len(parts) && !strings.Contains(parts[i], "="); i++ {
				value += "," + parts[i]
			}
			if !yield(strings.TrimSpace(key), strings.TrimSpace(value)) {
				return
			}
		}
	}
}

// Names returns the names of policies.
func Names(policies []Policy) []string {
	var names []string
	for _, p := range policies {
		names = append(names, p.Name())
	}
	return names
}
