package fit

import "github.com/loadstone-hpc/loadstone/dist"

// NewRefit returns a function that fits a family to samples that are like the
// whole one, such as resamples of it, from the law near on, with the whole
// sample's resolution. It returns the law before any cut at Options.Max, and its
// parameters as Report has them. Where binned is set, a mixture is fitted to a
// sample of a tenth as many values, which moves it by a hundredth or less of what
// resampled weeks do.
func NewRefit(name string, a Attribute, whole Sample, o Options, near dist.Law, binned bool) func(Sample) (dist.Law, []dist.Parameter, error) {
	f, err := familyOf(name)
	if err != nil {
		panic(err) // a family that has been fitted
	}
	o.Replicated = nil // whoever draws calls it
	o = o.filled(f, a, whole)
	o.Workers = 1
	return func(drawn Sample) (dist.Law, []dist.Parameter, error) {
		t := newTask(f, a, drawn, o)
		t.pressed = binned
		if len(t.x) == 0 {
			return nil, nil, t.degenerate("no job is left")
		}
		law, err := t.refitted(near)
		if err != nil {
			return nil, nil, err
		}
		r := law.(*refitted)
		return uncut(r.Law), r.parameters, nil
	}
}
