package workload

import (
	"fmt"
	"math"
)

// WantFinite is what messages ask for in place of an infinite value.
const WantFinite = "a finite number"

// CheckFinite returns an error that names the column, and the number of the job if it has
// one, if a value of a batch is infinite. Readers and writers of every format refuse
// infinite values; arithmetic between the two may overflow.
func CheckFinite(rec Batch) error {
	v := NewView(rec)
	for c := range columns {
		if v.nulls[c] && v.Nulls(c) == v.rows {
			continue
		}
		for i, x := range v.floats[c] {
			if !math.IsInf(x, 0) || v.nulls[c] && v.cols[c].IsNull(i) {
				continue
			}
			job := ""
			if id := v.Int(ColJobID, i); id != Unknown {
				job = fmt.Sprintf("job %d: ", id)
			}
			return fmt.Errorf("%s%s: saw %g, want %s", job, columns[c].Name, x, WantFinite)
		}
	}
	return nil
}
