package runtime

import (
	"fmt"
	"math"
)

// Options are the constants of the rules. The zero value gives those of Sonmez
// and others (2009).
type Options struct {
	// Alpha is the weight that es gives the newest run time, in (0, 1];
	// 0 stands for 0.5.
	Alpha float64
	// Window is how many of the last run times sm takes the median of, from 1;
	// 0 stands for 5.
	Window int
}

// maxWindow bounds the memory that a class can take.
const maxWindow = 1000

func (o Options) withDefaults() Options {
	if o.Alpha == 0 {
		o.Alpha = 0.5
	}
	if o.Window == 0 {
		o.Window = 5
	}
	return o
}

// Validate returns an error that names the first option out of its range.
func (o Options) Validate() error {
	o = o.withDefaults()
	if math.IsNaN(o.Alpha) || o.Alpha <= 0 || o.Alpha > 1 {
		return fmt.Errorf("job runtime: alpha is %g, want above 0 and at most 1", o.Alpha)
	}
	if o.Window < 1 || o.Window > maxWindow {
		return fmt.Errorf("job runtime: window is %d, want 1 to %d", o.Window, maxWindow)
	}
	return nil
}
