package extent

import (
	"errors"
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		e      Extent
		option string // at fault
	}{
		{Extent{}, ""}, {Extent{Days: MaxDays, Load: MaxLoad}, ""}, {Extent{Jobs: math.MaxInt64, Load: 1e-300}, ""},
		{Extent{Days: -1}, "days"}, {Extent{Days: math.NaN()}, "days"}, {Extent{Days: MaxDays + 1}, "days"},
		{Extent{Jobs: -1}, "jobs"}, {Extent{Days: 1, Jobs: 1}, "days"},
		{Extent{Load: -.5}, "load"}, {Extent{Load: math.NaN()}, "load"}, {Extent{Load: math.Inf(1)}, "load"},
	} {
		var fault *workload.OptionError
		err := c.e.Validate()
		if (err == nil) != (c.option == "") || err != nil && (!errors.As(err, &fault) || fault.Option != c.option) {
			t.Errorf("%+v: %v, want a fault of %q", c.e, err, c.option)
		}
	}
}
