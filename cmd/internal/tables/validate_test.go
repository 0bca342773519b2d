package tables

import (
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload/inspect"
	"github.com/loadstone-hpc/loadstone/workload/reshape"
)

// Every filter named is a valid filter.
func TestCleanFilters(t *testing.T) {
	named := 0
	for _, r := range inspect.Rules() {
		if r.Filter == "" {
			continue
		}
		named++
		if _, err := reshape.ParseFilter(strings.ReplaceAll(r.Filter, "%s", "64")); err != nil {
			t.Errorf("%s: %v", r.Rule, err)
		}
		if r.Counts != "jobs" {
			t.Errorf("%s has a filter of jobs", r.Rule)
		}
	}
	if named < 20 {
		t.Errorf("%d rules have a filter", named)
	}
}
