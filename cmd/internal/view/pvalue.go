package view

import (
	"math"
	"strconv"

	"github.com/loadstone-hpc/loadstone/fit"
)

// PValue writes a p-value with the digits that its replicates resolve; "" where
// there are none.
func PValue(s fit.Significance) string {
	least, reached := s.Resolution()
	if math.IsNaN(least) {
		return ""
	}
	digits := int(math.Ceil(-math.Log10(least) - 1e-9))
	if reached {
		// Rounded up: the replicates show no more than this.
		scale := math.Pow10(digits)
		return "< " + strconv.FormatFloat(math.Ceil(least*scale-1e-9)/scale, 'f', digits, 64)
	}
	return Fixed(s.PValue, digits)
}
