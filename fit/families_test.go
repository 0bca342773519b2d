package fit

import (
	"errors"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/workload"
)

// A custom family is fitted by its Fit, which may return the error that the sample does not
// determine a law. A family that is incomplete or has the name of another is refused.
func TestCustomFamilies(t *testing.T) {
	law := dist.Exponential{Mean: 3}
	sound := Family{Name: "mine", Free: 1, Fit: func(values, _ []float64) (dist.Law, error) {
		if len(values) < 2 {
			return nil, errors.New("one value")
		}
		return law, nil
	}}
	fitted := func(f Family, values ...float64) (Report, error) {
		return Fit("mine", RunTime, NewSample(RunTime, values), Options{Families: []Family{f}})
	}
	if r, err := fitted(sound, 5, 9, 20); err != nil || r.Law != law {
		t.Errorf("%+v, %v", r.Law, err)
	}
	var degenerate *DegenerateError
	if _, err := fitted(sound, 5, 5); !errors.As(err, &degenerate) {
		t.Errorf("a sample with one value: %v", err)
	}
	for what, spoil := range map[string]func(*Family){
		"no name":        func(f *Family) { f.Name = "" },
		"another's name": func(f *Family) { f.Name = "gamma" },
		"no Fit":         func(f *Family) { f.Fit = nil },
		"no parameter":   func(f *Family) { f.Free = 0 },
		"no transform":   func(f *Family) { f.Transform = "cube" },
	} {
		f := sound
		spoil(&f)
		var refused *workload.OptionError
		if _, err := fitted(f, 5, 9, 20); !errors.As(err, &refused) || refused.Option != "families" {
			t.Errorf("%s: %v", what, err)
		}
	}
}
