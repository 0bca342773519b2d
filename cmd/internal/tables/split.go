package tables

import (
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/workload/reshape"
)

var partColumns = []present.Column[reshape.Part]{
	present.Count("n", "n", func(p reshape.Part) int { return p.N }),
	present.Text("value", "value", func(p reshape.Part) string { return p.Value }),
	present.Count("jobs", "jobs", func(p reshape.Part) int64 { return p.Jobs }),
	present.Text("file", "file", func(p reshape.Part) string { return p.File }),
}

// Split is the result in its three forms.
func Split(s *reshape.Splitting) present.Result {
	return present.Listing(s, partColumns, s.Parts)
}
