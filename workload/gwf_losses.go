package workload

import (
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
)

// GWFLosses says what the grid workload format leaves out of a record: the
// known values of columns that it has not, and values of -1, which it takes
// for unknown. It has columns of its own for sites only.
func GWFLosses(rec arrow.Record) []Loss {
	v := NewView(rec)
	var losses []Loss
	for col := range NumColumns {
		why, n := "-1 means unknown in the format", int64(0)
		if col <= gwfPartition {
			n = minusOnes(v, col)
		} else {
			why, n = "the format has no such field", int64(v.Len()-v.Nulls(col))
		}
		if n > 0 {
			losses = append(losses, Loss{ColumnAt(col).Name, why, n})
		}
	}
	return losses
}

// gwfHeaderLosses says what of a header goes into the fields incompletely.
func gwfHeaderLosses(h Header) []Loss {
	var cut, blank int64
	for _, f := range h.Fields() {
		if _, ok := nameColumn(f.Key); !ok {
			continue
		}
		switch _, name, whole, ok := gwfName(f.Value); {
		case !ok:
		case !whole:
			cut++
		case !strings.HasSuffix(f.Value, name):
			blank++
		}
	}
	var losses []Loss
	if cut > 0 {
		losses = append(losses, Loss{"header", "names are written in the jobs' fields, without what is said beside them", cut})
	}
	if blank > 0 {
		losses = append(losses, Loss{"header", "names are written with _ for blanks", blank})
	}
	return losses
}
