package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/integrate/quad"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Law is a law of any family, of values above 0.
type Law struct{ dist.Law }

// LnGamma is a Gamma law of ln of a time in seconds, up to a largest value. Without that, a Gamma
// law with a scale of 1 or more has no mean in seconds.
type LnGamma struct {
	dist.Gamma
	MaxLn float64 // above 0, at most MaxLnLimit
}

// LnHyperGamma is a mixture of two Gamma laws of ln of a time in seconds, up to a largest value.
type LnHyperGamma struct {
	dist.HyperGamma
	MaxLn float64 // above 0, at most MaxLnLimit
}

const (
	// MaxLnLimit is the largest MaxLn of a time: exp(30) s is 340,000 years.
	MaxLnLimit = 30
	// MaxSecondsLimit is the largest value at which a law of seconds can be cut, and the longest
	// mean time of a model: exp(MaxLnLimit) s.
	MaxSecondsLimit = 1.0686474581524463e13
	// MaxShape is the largest shape of a Gamma law in a model: its relative spread is 0.003 %,
	// and the cost of its distribution function grows with the root of the shape.
	MaxShape = 1e9
	// leastMass is the smallest probability that a law may have below its largest value. With
	// less, drawing by rejection would take very long, and the values would have little to do
	// with the law.
	leastMass = 0.001
)

// codec reads and writes laws: those of package dist and of the families that it contains.
type codec []dist.Family

// Decode reads a law.
func (c codec) Decode(text func() ([]byte, error), into any) (known bool, err error) {
	switch l := into.(type) {
	case *Law:
		if l.Law, err = c.law(text); err == nil {
			err = l.Check()
		}
	case *dist.Gamma:
		err = decodeLaw(c, text, l, nil)
	case *dist.TwoStageUniform:
		err = decodeLaw(c, text, l, nil)
	case *LnGamma:
		err = decodeLaw(c, text, &l.Gamma, &l.MaxLn)
	case *LnHyperGamma:
		err = decodeLaw(c, text, &l.HyperGamma, &l.MaxLn)
	default:
		return false, nil
	}
	return true, err
}

// decodeLaw reads a law of type L. If maxLn is not nil, the law must be one of ln, and its limit
// is stored in maxLn.
func decodeLaw[L dist.Law](c codec, text func() ([]byte, error), into *L, maxLn *float64) error {
	l, err := c.law(text)
	if err != nil {
		return err
	}
	ln, isLn := l.(dist.Ln)
	switch {
	case isLn && maxLn == nil:
		return workload.OptionFault("transform", `"ln"`, "no transform")
	case !isLn && maxLn != nil:
		return workload.OptionFault("transform", "nothing", `"ln"`)
	case isLn:
		l, *maxLn = ln.Inner, ln.MaxLn
		if err := checkMaxLn(ln.MaxLn); err != nil {
			return err
		}
	}
	typed, ok := l.(L)
	if *into = typed; !ok {
		return workload.OptionFault("family", strconv.Quote(dist.FamilyOf(l)), "%q", dist.FamilyOf(typed))
	}
	return nil
}

// law reads a law and validates it. Huge shapes are rejected first, because validating such a law
// would take minutes.
func (c codec) law(text func() ([]byte, error)) (dist.Law, error) {
	raw, err := text()
	if err != nil {
		return nil, err
	}
	var peek struct{ Parameters map[string]float64 }
	if json.Unmarshal(raw, &peek) == nil {
		for name, x := range peek.Parameters {
			if err := checkShape(name, x); err != nil {
				return nil, err
			}
		}
	}
	l, err := dist.Unmarshal(raw, c...)
	return l, asOption(err)
}

// Encode writes a law.
func (codec) Encode(v any) (text []byte, known bool, err error) {
	var law dist.Law
	switch l := v.(type) {
	case Law:
		law = l.Law
	case LnGamma:
		law = dist.Ln{Inner: l.Gamma, MaxLn: l.MaxLn}
	case LnHyperGamma:
		law = dist.Ln{Inner: l.HyperGamma, MaxLn: l.MaxLn}
	case dist.Law:
		law = l
	default:
		return nil, false, nil
	}
	text, err = dist.Marshal(law)
	return text, true, err
}

// Check checks that the parameters are in their ranges, and the values above 0.
func (l *Law) Check() error {
	if err := checkLaw(l.Law); err != nil {
		return err
	}
	if below := l.CDF(0); below > 0 {
		return workload.OptionFault("", fmt.Sprintf("a %s distribution with %.2g of it not above 0", dist.FamilyOf(l.Law), below), "a distribution of values above 0")
	}
	return nil
}

// Check checks that the parameters and MaxLn are in their ranges.
func (l *LnGamma) Check() error { return errors.Join(checkLaw(l.Gamma), checkMaxLn(l.MaxLn)) }

// Check checks that the parameters and MaxLn are in their ranges.
func (l *LnHyperGamma) Check() error { return errors.Join(checkLaw(l.HyperGamma), checkMaxLn(l.MaxLn)) }

func checkMaxLn(x float64) error {
	if x > 0 && x <= MaxLnLimit {
		return nil
	}
	return workload.OptionFault("max_ln", number(x), "a number above 0, at most %d", MaxLnLimit)
}

// checkLaw checks the parameters of a law: shapes first, because the distribution function of a
// huge one takes minutes.
func checkLaw(l dist.Law) error {
	for _, p := range dist.Parameters(l) {
		if err := checkShape(p.Name, p.Value); err != nil {
			return err
		}
	}
	return asOption(dist.Validate(l))
}

// checkShape returns an error for a shape above MaxShape, and nil for other parameters.
func checkShape(name string, x float64) error {
	if !strings.HasPrefix(name, "shape") || x <= MaxShape {
		return nil
	}
	return workload.OptionFault("parameters."+name, number(x), "a number above 0, at most %g", float64(MaxShape))
}

// asOption converts an error of package dist about a parameter to one about a field, and returns
// other errors unchanged.
func asOption(err error) error {
	var p *dist.ParameterError
	if !errors.As(err, &p) {
		return err
	}
	option := "parameters." + p.Parameter
	if p.Parameter == "max_ln" {
		option = p.Parameter
	}
	return workload.OptionFault(option, number(p.Value), "%s", p.Want)
}

// checkCut checks the value at which a law of seconds is cut. 0 means no cut, which requires a
// finite mean.
func checkCut(key string, l dist.Law, cut float64) error {
	if cut == 0 {
		if m := dist.Mean(l); !(m <= MaxSecondsLimit) {
			return workload.OptionFault(key, fmt.Sprintf("nothing, and the %s distribution has no finite mean that is known", dist.FamilyOf(l)), "a number above 0, where the distribution is cut")
		}
		return nil
	}
	return enough(key, cut, l.CDF(cut))
}

// enough returns an error if the probability that a limit keeps is below leastMass.
func enough(key string, limit, kept float64) error {
	if kept >= leastMass {
		return nil
	}
	return workload.OptionFault(key, fmt.Sprintf("%s, below which lies %.2g of the distribution", number(limit), kept), "a limit above at least %g of it", leastMass)
}

// DrawBelow draws from a law of seconds until the value is at most cut. A cut of 0 means no cut.
func DrawBelow(l dist.Law, cut float64, rng *rand.Rand) float64 {
	x := l.Rand(rng)
	for cut > 0 && x > cut {
		x = l.Rand(rng)
	}
	return x
}

// moment returns the mass of a law of seconds up to cut (0 means no cut), and that mass times the
// mean of the values up to cut, in which values above most count as most.
func moment(l dist.Law, cut, most float64) (mass, sum float64) {
	mass = 1
	if cut > 0 {
		mass = l.CDF(cut)
	}
	below := mass
	if most < orInf(cut) {
		below, cut = l.CDF(most), most
		sum = (mass - below) * most
	}
	if below > 0 {
		sum += below * secondsMean(l, cut)
	}
	return mass, sum
}

// secondsMean returns the mean of a law of positive seconds that is cut above max; 0 means no
// cut. It is +Inf if there is no mean, and NaN if none is known.
func secondsMean(l dist.Law, max float64) float64 {
	if ln, ok := l.(dist.Ln); ok && max > 0 && (ln.MaxLn == 0 || math.Log(max) < ln.MaxLn) {
		l = dist.Ln{Inner: ln.Inner, MaxLn: math.Log(max)}
	}
	if max == 0 || l.Survival(max) == 0 {
		if m := dist.Mean(l); max == 0 || m > 0 && !math.IsInf(m, 1) {
			return m
		}
	}
	// The integral of Pr{t < X <= max} over t, from the lower end of the support by
	// Gauss-Legendre in ln t; times below max/1e15 count as 0.
	least := l.Quantile(0)
	above := func(lnT float64) float64 {
		t := math.Exp(lnT)
		return t * math.Max(0, mass(l, t, max))
	}
	return least + quad.Fixed(above, math.Log(math.Max(least, max/1e15)), math.Log(max), 3000, nil, 0)/l.CDF(max)
}

// mass returns the probability of (lo, hi], computed from the smaller tail.
func mass(l dist.Law, lo, hi float64) float64 {
	if f := l.CDF(hi); f < 0.5 {
		return f - l.CDF(lo)
	}
	return l.Survival(lo) - l.Survival(hi)
}
