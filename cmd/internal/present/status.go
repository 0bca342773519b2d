package present

import (
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

// Statuses counts jobs by status, the most frequent first.
func Statuses(d *inspect.Description, text func(int64) string) []string {
	var parts []string
	for _, c := range d.ByStatus() {
		parts = append(parts, text(c.Jobs)+" "+c.Status.String())
	}
	return parts
}
