package gwf

import (
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// Losses returns what GWF loses of a batch: known values in columns that it does not have,
// and values of -1, which it reads as unknown.
func Losses(rec workload.Batch) []workload.Loss {
	return parse.Losses(rec, func(col int) bool { return col <= gwfPartition })
}

// headerLosses returns what the fields of GWF lose of a header.
func headerLosses(h workload.Header) []workload.Loss {
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
	var losses []workload.Loss
	if cut > 0 {
		losses = append(losses, workload.Loss{Column: "header", Why: "names are written in the jobs' fields, without their descriptions", Values: cut})
	}
	if blank > 0 {
		losses = append(losses, workload.Loss{Column: "header", Why: "names are written with _ for blanks", Values: blank})
	}
	return losses
}
