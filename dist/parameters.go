package dist

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// Named is a law that can be stored in a file. Its parameters are fields of type float64 with the
// tag law:"name,range": the name in JSON, and one of the ranges ">0", "finite", "[0,1]" and
// ">other", which means above the parameter named other. All parameters are finite. A field that
// is itself such a law has a number as its tag, such as law:"1", which is appended to the names
// of its parameters.
type Named interface {
	Law
	// Family returns the law's name in JSON, such as "hyper-gamma".
	Family() string
}

// Parameter is a parameter of a law, with its name in JSON.
type Parameter struct {
	Name  string  `csv:"parameter"`
	Value float64 `csv:"value"`
}

// FamilyOf returns the law's name in JSON, such as "hyper-gamma"; for an Ln, the name of Inner.
// It is "" for a law that is not Named.
func FamilyOf(l Law) string {
	if l, ok := inner(l).(Named); ok {
		return l.Family()
	}
	return ""
}

// inner returns the Inner of an Ln, and any other law as it is.
func inner(l Law) Law {
	if ln, ok := l.(Ln); ok {
		return ln.Inner
	}
	return l
}

// Parameters returns the law's parameters with their names in JSON, in the documented order; for
// an Ln, those of Inner.
func Parameters(l Law) (parameters []Parameter) {
	l = inner(l)
	if m, ok := l.(interface{ Parameters() []Parameter }); ok {
		return m.Parameters()
	}
	for _, f := range fieldsOf(reflect.ValueOf(l), 0) {
		parameters = append(parameters, Parameter{f.name, f.value.Float()})
	}
	return parameters
}

// field is a tagged field of a law.
type field struct {
	name, in string
	value    reflect.Value
}

// fieldsOf returns the parameters of a law. number, if not 0, is appended to their names.
func fieldsOf(law reflect.Value, number int) (fields []field) {
	if law.Kind() != reflect.Struct {
		return nil
	}
	for i := range law.NumField() {
		tag, ok := law.Type().Field(i).Tag.Lookup("law")
		if law.Type().Field(i).Anonymous {
			fields = append(fields, fieldsOf(law.Field(i), number)...)
		} else if n, err := strconv.Atoi(tag); ok && err == nil {
			fields = append(fields, fieldsOf(law.Field(i), n)...)
		} else if ok {
			name, in, _ := strings.Cut(tag, ",")
			if above, ok := strings.CutPrefix(in, ">"); ok && above != "0" {
				in = ">" + numbered(above, number)
			}
			fields = append(fields, field{numbered(name, number), in, law.Field(i)})
		}
	}
	return fields
}

// numbered adds the number of a component, from 1, to the name of a parameter: at the end, but
// before the unit "_s". A number of 0 adds nothing.
func numbered(name string, number int) string {
	if number == 0 {
		return name
	}
	if base, ok := strings.CutSuffix(name, "_s"); ok {
		return fmt.Sprintf("%s_%d_s", base, number)
	}
	return fmt.Sprintf("%s_%d", name, number)
}

// ParameterError reports a parameter of a law that is out of range. Validate returns it.
type ParameterError struct {
	Family    string  // the law's name in JSON, such as "gamma"
	Parameter string  // the parameter's name in JSON, such as "shape"
	Value     float64 // the parameter's value
	Want      string  // the allowed range, in words
}

func (e *ParameterError) Error() string {
	if math.IsInf(e.Value, 0) {
		return fmt.Sprintf("%s: %s is beyond 1.8e308, want %s", e.Family, e.Parameter, e.Want)
	}
	return fmt.Sprintf("%s: %s is %g, want %s", e.Family, e.Parameter, e.Value, e.Want)
}

// Validate returns nil, or an error that names the first parameter of l that is NaN, infinite or
// out of range. A nil law and a law without parameters are errors too.
func Validate(l Law) error {
	if v, ok := l.(interface{ Validate() error }); ok {
		return v.Validate()
	}
	return validate(FamilyOf(l), l, 0)
}

// validate implements Validate. family is for errors; number is that of the component that l is,
// or 0.
func validate(family string, l Law, number int) error {
	fields := fieldsOf(reflect.ValueOf(l), number)
	if len(fields) == 0 {
		return fmt.Errorf("dist: %T is not a distribution that can be validated", l)
	}
	for _, f := range fields {
		x, low := f.value.Float(), math.Inf(-1)
		want := "a finite number"
		above, bounded := strings.CutPrefix(f.in, ">")
		if bounded {
			low, want = 0, want+" above "+above
		}
		for _, other := range fields {
			if bounded && other.name == above {
				low = other.value.Float()
			}
		}
		if f.in == "[0,1]" {
			want = "a number from 0 to 1"
		}
		if !finite(x) || x <= low || f.in == "[0,1]" && !probability(x) {
			return &ParameterError{family, f.name, x, want}
		}
	}
	return nil
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// Check returns an error if a law breaks the contracts of Law and Named. It is meant for
// tests of custom laws. At 19 quantiles, from 0.05 to 0.95, it checks that the law is valid
// and has a name and parameters, that quantiles ascend, that CDF and Survival agree with
// them and with each other to 1e-6, and that the density is above 0.
func Check(l Law) error {
	if err := Validate(l); err != nil {
		return err
	}
	if FamilyOf(l) == "" || len(Parameters(l)) == 0 {
		return fmt.Errorf("dist: %T has no Family or no fields with the tag law", l)
	}
	const close = 1e-6
	before := math.Inf(-1)
	for i := 1; i < 20; i++ {
		p := float64(i) / 20
		x := l.Quantile(p)
		cdf, survival, density := l.CDF(x), l.Survival(x), l.LogPDF(x)
		switch {
		case !(x >= before) || math.IsInf(x, 0):
			return fmt.Errorf("%s: Quantile(%g) is %.6g and that of a smaller share %.6g, want quantiles that ascend", FamilyOf(l), p, x, before)
		case !(math.Abs(cdf-p) <= close):
			return fmt.Errorf("%s: CDF(%.6g) is %.6g, want %g, of which it is the Quantile", FamilyOf(l), x, cdf, p)
		case !(math.Abs(cdf+survival-1) <= close):
			return fmt.Errorf("%s: CDF(%.6g) is %.6g and Survival %.6g, want a sum of 1", FamilyOf(l), x, cdf, survival)
		case math.IsNaN(density) || math.IsInf(density, -1):
			return fmt.Errorf("%s: LogPDF(%.6g) is %g, want the logarithm of a density", FamilyOf(l), x, density)
		}
		before = x
	}
	return nil
}
