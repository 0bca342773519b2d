package fit

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
)

// Options are how a law is fitted. The zero value is the default.
type Options struct {
	By        string    // which jobs the sample is of, for the report; "" is "all"
	Transform Transform // of the attribute; "" is what the family and the attribute ask for

	// Trim is the share of jobs left out of the line at each end, for
	// uniform-log: 0 is 0.1, as in Downey (1997); a negative number is none.
	Trim float64

	Components int     // hyper-gamma: 2 to dist.MaxComponents; 0 is 2
	P          float64 // hyper-gamma of two components: the first one's share, if given; 0 is estimated

	// Resolution is the width to which the attribute was rounded: 0 is 1
	// where all values are whole numbers and none otherwise; a negative
	// number is none. It bounds how narrow a component may be, and the
	// bootstrap rounds its samples so.
	Resolution float64

	Replicates int    // of the bootstrap for the p-value; 0 is the asymptotic p-value
	Seed       uint64 // of the bootstrap
	Workers    int    // goroutines; 0 is one a core. The result does not depend on it
}

const defaultTrim = 0.1

func (o Options) validate(f family) error {
	if o.Transform != "" {
		if err := o.Transform.Validate(); err != nil {
			return err
		}
		if f.transform != "" && o.Transform != f.transform {
			return fmt.Errorf("fit: %s is a law of the attribute itself: transform is %q, want %q", f.name, o.Transform, f.transform)
		}
	}
	if math.IsNaN(o.Trim) || o.Trim >= 0.5 {
		return fmt.Errorf("fit: trim is %g, want a share below 0.5", o.Trim)
	}
	if o.Components != 0 && (o.Components < 2 || o.Components > dist.MaxComponents) {
		return fmt.Errorf("fit: components is %d, want 2 to %d", o.Components, dist.MaxComponents)
	}
	if !(o.P >= 0 && o.P < 1) {
		return fmt.Errorf("fit: p is %g, want a share between 0 and 1, or 0 to have it estimated", o.P)
	}
	if o.P > 0 && o.Components > 2 {
		return fmt.Errorf("fit: p is given for %d components, want 2", o.Components)
	}
	if math.IsNaN(o.Resolution) || math.IsInf(o.Resolution, 0) {
		return fmt.Errorf("fit: resolution is %g, want a finite number", o.Resolution)
	}
	if o.Replicates < 0 {
		return fmt.Errorf("fit: replicates is %d, want 0 or more", o.Replicates)
	}
	return nil
}

// filled returns o with the defaults put in.
func (o Options) filled(f family, a Attribute, s Sample) Options {
	if o.By == "" {
		o.By = "all"
	}
	if o.Transform == "" {
		o.Transform = f.transform
	}
	if o.Transform == "" {
		o.Transform = a.Transform()
	}
	switch {
	case o.Trim == 0:
		o.Trim = defaultTrim
	case o.Trim < 0:
		o.Trim = 0
	}
	if o.Components == 0 {
		o.Components = 2
	}
	switch {
	case o.Resolution < 0:
		o.Resolution = 0
	case o.Resolution == 0 && s.whole():
		o.Resolution = 1
	}
	return o
}
