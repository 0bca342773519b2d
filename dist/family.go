package dist

import (
	"fmt"
	"slices"
	"sort"
)

// Parameter is a law's parameter by its name in JSON.
type Parameter struct {
	Name  string
	Value float64
}

// named is a law that a file can hold.
type named interface {
	Family() string
	// Parameters are in the documented order.
	Parameters() []Parameter
}

// Family returns the law's name in JSON, such as "hyper-gamma"; of an Ln, its
// Inner's; "" for a law that is not of this package.
func Family(l Law) string {
	if l, ok := inner(l).(named); ok {
		return l.Family()
	}
	return ""
}

// Parameters returns the law's parameters by their names in JSON, in the
// documented order; of an Ln, its Inner's.
func Parameters(l Law) []Parameter {
	if l, ok := inner(l).(named); ok {
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

// family is one row of the table that finds laws by their names in JSON.
type family struct {
	name string
	// names returns the names of the parameters of a law of which a file gives
	// so many.
	names func(given int) []string
	law   func(p []float64) (Law, error) // p in the order of names
}

// families returns the table, by name. A new law is one row here and one file.
func families() []family {
	gamma := func(p []float64) Gamma { return Gamma{p[0], p[1]} }
	logNormal := func(p []float64) LogNormal { return LogNormal{p[0], p[1]} }
	uniformLog := func(p []float64) UniformLog { return UniformLog{p[0], p[1]} }
	return []family{
		of(func(p []float64) BoundedPareto { return BoundedPareto{p[0], p[1], p[2]} }),
		of(func(p []float64) Exponential { return Exponential{p[0]} }),
		of(gamma),
		mixtureOf(gamma, NewGammaMixture),
		of(func(p []float64) HyperGamma {
			return HyperGamma{First: gamma(p), Second: gamma(p[2:]), P: p[4]}
		}),
		of(logNormal),
		mixtureOf(logNormal, NewLogNormalMixture),
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
func of[L interface {
	Law
	named
}](law func(p []float64) L) family {
	var zero L
	return family{
		zero.Family(),
		func(int) []string { return names(zero.Parameters()) },
		func(p []float64) (Law, error) { return law(p), nil },
	}
}

// mixtureOf is the row of the mixtures of a law.
func mixtureOf[L Component, M Law](component func(p []float64) L, mixture func(...Weighted[L]) (M, error)) family {
	var zero L
	each := len(zero.Parameters()) + 1 // and the weight
	return family{
		zero.mixed().family,
		func(given int) []string {
			n := max(1, min((given+each-1)/each, MaxComponents))
			return names(make(parts[L], n).parameters())
		},
		func(p []float64) (Law, error) {
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

// Families returns the names that Unmarshal knows, sorted.
func Families() []string {
	var names []string
	for _, f := range families() {
		names = append(names, f.name)
	}
	return names
}

// decodeFamily builds the law of that name from its parameters.
func decodeFamily(name string, parameters map[string]*float64) (Law, error) {
	table := families()
	i := slices.IndexFunc(table, func(f family) bool { return f.name == name })
	if i < 0 {
		return nil, fmt.Errorf("law: family is %q, want one of %s", name, list(Families()))
	}
	names := table[i].names(len(parameters))
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
	return table[i].law(values)
}
