package dist

import (
	"fmt"
	"slices"
	"sort"
)

// family is one row of the table that names laws in JSON.
type family struct {
	name       string
	parameters []string
	law        func(p []float64) (Law, error) // p in the order of parameters
}

// families returns the table. A new law is one row here, one case of encode
// and one file.
func families() []family {
	return []family{
		{"bounded-pareto", []string{"low", "high", "alpha"}, func(p []float64) (Law, error) {
			return BoundedPareto{p[0], p[1], p[2]}, nil
		}},
		{"exponential", []string{"mean"}, func(p []float64) (Law, error) { return Exponential{p[0]}, nil }},
		{"gamma", []string{"shape", "scale"}, func(p []float64) (Law, error) { return Gamma{p[0], p[1]}, nil }},
		{"gamma-mixture", nil, nil}, // as many parameters as it has components: see decodeFamily
		{"hyper-gamma", []string{"shape_1", "scale_1", "shape_2", "scale_2", "p"}, func(p []float64) (Law, error) {
			return HyperGamma{First: Gamma{p[0], p[1]}, Second: Gamma{p[2], p[3]}, P: p[4]}, nil
		}},
		{"log-normal", []string{"mu", "sigma"}, func(p []float64) (Law, error) { return LogNormal{p[0], p[1]}, nil }},
		{"log-normal-mixture", nil, nil},      // as many parameters as it has components: see decodeFamily
		{"multi-stage-uniform-log", nil, nil}, // as many parameters as it has stages: see decodeFamily
		{"normal", []string{"mean", "sd"}, func(p []float64) (Law, error) { return Normal{p[0], p[1]}, nil }},
		{"pareto", []string{"x_min", "alpha"}, func(p []float64) (Law, error) { return Pareto{p[0], p[1]}, nil }},
		{"two-stage-uniform", []string{"low", "mid", "high", "p"}, func(p []float64) (Law, error) {
			return TwoStageUniform{p[0], p[1], p[2], p[3]}, nil
		}},
		{"uniform", []string{"low", "high"}, func(p []float64) (Law, error) { return Uniform{p[0], p[1]}, nil }},
		{"uniform-log", []string{"t_min_s", "t_max_s"}, func(p []float64) (Law, error) { return UniformLog{p[0], p[1]}, nil }},
		{"weibull", []string{"shape", "scale"}, func(p []float64) (Law, error) { return Weibull{p[0], p[1]}, nil }},
	}
}

// encode returns a law's family and the values of its parameters, in the
// order of the table; "" for a law that is not in it.
func encode(l Law) (name string, values []float64) {
	switch l := l.(type) {
	case BoundedPareto:
		return "bounded-pareto", []float64{l.Low, l.High, l.Alpha}
	case Exponential:
		return "exponential", []float64{l.Mean}
	case Gamma:
		return "gamma", []float64{l.Shape, l.Scale}
	case GammaMixture:
		for _, c := range l.Parts() {
			values = append(values, c.Gamma.Shape, c.Gamma.Scale, c.Weight)
		}
		return "gamma-mixture", values
	case HyperGamma:
		return "hyper-gamma", []float64{l.First.Shape, l.First.Scale, l.Second.Shape, l.Second.Scale, l.P}
	case LogNormal:
		return "log-normal", []float64{l.Mu, l.Sigma}
	case LogNormalMixture:
		for _, c := range l.Parts() {
			values = append(values, c.Law.Mu, c.Law.Sigma, c.Weight)
		}
		return "log-normal-mixture", values
	case MultiStageUniformLog:
		for _, s := range l.Parts() {
			values = append(values, s.Weight, s.UniformLog.TMin, s.UniformLog.TMax)
		}
		return "multi-stage-uniform-log", values
	case Normal:
		return "normal", []float64{l.Mu, l.Sigma}
	case Pareto:
		return "pareto", []float64{l.XMin, l.Alpha}
	case TwoStageUniform:
		return "two-stage-uniform", []float64{l.Low, l.Mid, l.High, l.P}
	case Uniform:
		return "uniform", []float64{l.Low, l.High}
	case UniformLog:
		return "uniform-log", []float64{l.TMin, l.TMax}
	case Weibull:
		return "weibull", []float64{l.Shape, l.Scale}
	case Ln:
		return encode(l.Inner)
	}
	return "", nil
}

// Family returns the law's name in JSON, such as "hyper-gamma"; of an Ln, its
// Inner's; "" for a law that is not of this package.
func Family(l Law) string {
	name, _ := encode(l)
	return name
}

// Families returns the names that Unmarshal knows, sorted.
func Families() []string {
	var names []string
	for _, f := range families() {
		names = append(names, f.name)
	}
	return names
}

// Parameters returns the law's parameters by their names in JSON, in the
// documented order; of an Ln, its Inner's.
func Parameters(l Law) []Parameter {
	name, values := encode(l)
	names := parameterNames(name, len(values))
	p := make([]Parameter, len(values))
	for i, v := range values {
		p[i] = Parameter{names[i], v}
	}
	return p
}

// parameterNames returns the names of a family's parameters; n matters only
// where their number depends on the law.
func parameterNames(name string, n int) []string {
	if name == "gamma-mixture" {
		var names []string
		for i := range n / 3 {
			names = append(names, fmt.Sprintf("shape_%d", i+1), fmt.Sprintf("scale_%d", i+1), fmt.Sprintf("p_%d", i+1))
		}
		return names
	}
	if name == "log-normal-mixture" {
		return logNormalMixtureNames(n / 3)
	}
	if name == "multi-stage-uniform-log" {
		return stageNames(n / 3)
	}
	for _, f := range families() {
		if f.name == name {
			return f.parameters
		}
	}
	return nil
}

// decodeFamily builds the law of that name from its parameters.
func decodeFamily(name string, parameters map[string]*float64) (Law, error) {
	table := families()
	i := slices.IndexFunc(table, func(f family) bool { return f.name == name })
	if i < 0 {
		return nil, fmt.Errorf("law: family is %q, want one of %s", name, list(Families()))
	}
	f := table[i]
	if name == "gamma-mixture" {
		n := max(1, min((len(parameters)+2)/3, MaxComponents))
		f.parameters = parameterNames(name, 3*n)
		f.law = newMixtureLaw
	}
	if name == "log-normal-mixture" {
		f.parameters = logNormalMixtureNames(max(1, min((len(parameters)+2)/3, MaxComponents)))
		f.law = newLogNormalMixtureLaw
	}
	if name == "multi-stage-uniform-log" {
		f.parameters = stageNames(max(1, min((len(parameters)+2)/3, MaxStages)))
		f.law = newMultiStageLaw
	}
	values := make([]float64, len(f.parameters))
	for i, p := range f.parameters {
		v, ok := parameters[p]
		if !ok || v == nil {
			return nil, fmt.Errorf("%s: parameter %q is missing, want numbers for %s", name, p, list(f.parameters))
		}
		values[i] = *v
	}
	var unknown []string
	for p := range parameters {
		if !slices.Contains(f.parameters, p) {
			unknown = append(unknown, p)
		}
	}
	if len(unknown) > 0 {
		sort.Strings(unknown)
		return nil, fmt.Errorf("%s: unknown parameter %q, want %s", name, unknown[0], list(f.parameters))
	}
	return f.law(values)
}

func newMixtureLaw(p []float64) (Law, error) {
	var parts []WeightedGamma
	for ; len(p) >= 3; p = p[3:] {
		parts = append(parts, WeightedGamma{Gamma: Gamma{p[0], p[1]}, Weight: p[2]})
	}
	return NewGammaMixture(parts...)
}
