package fit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Family is a custom family of laws (Options.Families). Fit, RankFamilies and the bootstrap
// treat it like those of this package. It takes complete values only: not with
// Options.Censored.
type Family struct {
	Name      string    // unique, as in reports: "log-logistic"
	Transform Transform // of the attribute, the only one that makes sense; "" for any
	Positive  bool      // a transformed attribute that is not above 0 is left out
	Free      int       // how many numbers Fit estimates, for AIC and BIC; 1 or more

	// Fit returns the law of the transformed values, which are distinct and ascending,
	// counts[i] jobs each; there is at least one. The error says what is missing where
	// they do not determine a law. Fit depends on its arguments alone, which it does not
	// alter or keep; several goroutines call it. A law that fails dist.Check is an error
	// that names the family.
	Fit func(values, counts []float64) (dist.Law, error)
}

// own converts a custom family to this package's form.
func (f Family) own() family {
	return family{name: f.Name, transform: f.Transform, positive: f.Positive, own: true, fit: func(t task) (outcome, error) {
		law, err := f.Fit(t.x, t.sample.Counts)
		if err != nil {
			return outcome{}, t.degenerate(err.Error())
		}
		if err := dist.Validate(law); err != nil {
			return outcome{}, t.degenerate(err.Error())
		}
		if err := dist.Check(law); err != nil {
			return outcome{}, fmt.Errorf("fit: family %s: %w", f.Name, err)
		}
		return outcome{law: law, free: f.Free, status: Converged, family: f.Name}, nil
	}}
}

// families returns the families of this package and those of the options.
func (o Options) families() []family {
	table := families()
	for _, f := range o.Families {
		table = append(table, f.own())
	}
	return table
}

// familyOf returns the family of a name. The error is a *workload.OptionError: of an
// unknown name, or of a custom family that is not complete.
func (o Options) familyOf(name string) (family, error) {
	known := Families()
	for _, f := range o.Families {
		if f.Name == "" || f.Fit == nil || f.Free < 1 || slices.Contains(known, f.Name) {
			return family{}, workload.OptionFault("families", fmt.Sprintf("%q", f.Name), "families with a unique name, Fit, and 1 or more in Free")
		}
		known = append(known, f.Name)
	}
	i := slices.Index(known, name)
	if i < 0 {
		return family{}, workload.OptionFault("family", strconv.Quote(name), "one of %s", strings.Join(known, ", "))
	}
	return o.families()[i], nil
}
