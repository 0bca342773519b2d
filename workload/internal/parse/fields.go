package parse

import (
	"github.com/loadstone-hpc/loadstone/workload"
)

// Fields is the number of fields of a line; field f, counted from 0, is
// column f of the schema.
const Fields = 18

// Floats has a bit for each field that is a float64; the others are int64.
var Floats = func() (bits uint32) {
	for f, c := range workload.Columns()[:Fields] {
		if c.Float() {
			bits |= 1 << f
		}
	}
	return bits
}()

// NoZero has a bit for each field in which 0 is odd: sizes, the estimate,
// and the run time, where it stands for less than half a second.
const NoZero uint32 = 1<<workload.ColRunTime | 1<<workload.ColAllocatedProcessors | 1<<workload.ColRequestedProcessors | 1<<workload.ColRequestedTime

// ShortNumber is the most digits that are read without a thought of overflow
// or, in a float64, of rounding: 10^15 < 2^53.
const ShortNumber = 15

// IsEnd says whether a field may end before c.
func IsEnd(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }
