package dist

import (
	"fmt"
	"slices"
	"sort"
)

// Parameter is a law's parameter by its name in JSON.
type Parameter struct {
	Name  string  `csv:"parameter"`
	Value float64 `csv:"value"`
}

// Named is a law that a file can hold. A custom law implements it and Validate (see the
// function of that name).
type Named interface {
	Law
	// Family returns the law's name in JSON, such as "hyper-gamma".
	Family() string
	// Parameters returns the law's parameters by their names in JSON, in the
	// documented order.
	Parameters() []Parameter
}

// FamilyOf returns the law's name in JSON, such as "hyper-gamma"; of an Ln, its
// Inner's; "" for a law that is not Named.
func FamilyOf(l Law) string {
	if l, ok := inner(l).(Named); ok {
		return l.Family()
	}
	return ""
}

// Parameters returns the law's parameters by their names in JSON, in the
// documented order; of an Ln, its Inner's.
func Parameters(l Law) []Parameter {
	if l, ok := inner(l).(Named); ok {
		return l.Parameters()
	}
	return nil
}

// inner takes an Ln off.
func inner(l Law) Law {
	if ln, ok := l.(Ln); ok {
		return ln.Inner
	}
	return l
}

// Family says how laws of one name are read from a file. To read a custom law, give its
// Family to Unmarshal, or to Decode of package model.
type Family struct {
	// Name is what the law's method Family returns: "log-logistic".
	Name string
	// Parameters are the names of its parameters, in the order of its method
	// Parameters; of the mixtures of this package, those of one component.
	Parameters []string
	// New makes the law with the given parameters, in the order of Parameters. They may be
	// out of range, which the law's Validate reports.
	New func(p []float64) (Law, error)

	// mixture, of the mixtures of this package, returns the names of the parameters of
	// a law of which a file gives so many.
	mixture func(given int) []string
}

// Families returns the families of this package, sorted by name.
func Families() []Family {
	gamma := func(p []float64) Gamma { return Gamma{p[0], p[1]} }
	uniformLog := func(p []float64) UniformLog { return UniformLog{p[0], p[1]} }
	return []Family{
		of(func(p []float64) Exponential { return Exponential{p[0]} }),
		of(gamma),
		mixtureOf(gamma, NewGammaMixture),
		of(func(p []float64) HyperGamma {
			return HyperGamma{First: gamma(p), Second: gamma(p[2:]), P: p[4]}
		}),
		of(func(p []float64) LogNormal { return LogNormal{p[0], p[1]} }),
		mixtureOf(uniformLog, NewMultiStageUniformLog),
		of(func(p []float64) Normal { return Normal{p[0], p[1]} }),
		of(func(p []float64) Pareto { return Pareto{p[0], p[1]} }),
		of(func(p []float64) TwoStageUniform { return TwoStageUniform{p[0], p[1], p[2], p[3]} }),
		of(func(p []float64) Uniform { return Uniform{p[0], p[1]} }),
		of(uniformLog),
		of(func(p []float64) Weibull { return Weibull{p[0], p[1]} }),
	}
}

// of is the row of a law with a fixed number of parameters.
func of[L Named](law func(p []float64) L) Family {
	var zero L
	return Family{
		Name: zero.Family(), Parameters: names(zero.Parameters()),
		New: func(p []float64) (Law, error) { return law(p), nil },
	}
}

// mixtureOf is the row of the mixtures of a law.
func mixtureOf[L Component, M Law](component func(p []float64) L, mixture func(...Weighted[L]) (M, error)) Family {
	var zero L
	each := len(zero.Parameters()) + 1 // and the weight
	mixed := func(given int) []string {
		n := max(1, min((given+each-1)/each, MaxComponents))
		return names(make(parts[L], n).parameters())
	}
	return Family{
		Name: zero.mixed().family, Parameters: mixed(1), mixture: mixed,
		New: func(p []float64) (Law, error) {
			var parts []Weighted[L]
			for c := range slices.Chunk(p, each) {
				if zero.mixed().weightFirst {
					parts = append(parts, Weighted[L]{c[0], component(c[1:])})
				} else {
					parts = append(parts, Weighted[L]{c[each-1], component(c)})
				}
			}
			return mixture(parts...)
		},
	}
}

func names(parameters []Parameter) []string {
	var names []string
	for _, p := range parameters {
		names = append(names, p.Name)
	}
	return names
}

// decodeFamily builds the law of that name from its parameters.
func decodeFamily(name string, parameters map[string]*float64, more []Family) (Law, error) {
	table := append(Families(), more...)
	i := slices.IndexFunc(table, func(f Family) bool { return f.Name == name })
	if i < 0 {
		var known []string
		for _, f := range table {
			known = append(known, f.Name)
		}
		return nil, fmt.Errorf("law: family is %q, want one of %s", name, list(known))
	}
	names := table[i].Parameters
	if mixture := table[i].mixture; mixture != nil {
		names = mixture(len(parameters))
	}
	values := make([]float64, len(names))
	for i, p := range names {
		v, ok := parameters[p]
		if !ok || v == nil {
			return nil, fmt.Errorf("%s: parameter %q is missing, want numbers for %s", name, p, list(names))
		}
		values[i] = *v
	}
	var unknown []string
	for p := range parameters {
		if !slices.Contains(names, p) {
			unknown = append(unknown, p)
		}
	}
	if len(unknown) > 0 {
		sort.Strings(unknown)
		return nil, fmt.Errorf("%s: unknown parameter %q, want %s", name, unknown[0], list(names))
	}
	l, err := table[i].New(values)
	if err == nil && i >= len(table)-len(more) {
		err = Check(l)
	}
	return l, err
}
