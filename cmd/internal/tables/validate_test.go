package tables

import (
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
	"github.com/loadstone-hpc/loadstone/workload/reshape"
)

// Every filter that is named is one.
func TestCleanFilters(t *testing.T) {
	v := inspect.Validation{}
	v.Log.Processors = 64
	named := 0
	for _, r := range inspect.Rules() {
		v.Findings = []inspect.Finding{{Rule: r.Name, Field: r.Field}}
		all := v.Cleanings()
		if len(all) == 0 {
			continue
		}
		named++
		if _, err := reshape.ParseFilter(all[0].Filter); err != nil {
			t.Errorf("%s: %v", r.Name, err)
		}
		if strings.HasPrefix(r.Name, "header-") {
			t.Errorf("%s has a filter of jobs", r.Name)
		}
	}
	if named < 20 {
		t.Errorf("%d rules have a filter", named)
	}
	v.Log.Processors = workload.Integer(workload.Unknown)
	v.Findings = []inspect.Finding{{Rule: "allocated-over-machine"}}
	if got := v.Cleanings(); got != nil {
		t.Errorf("a machine of unknown size: %v", got)
	}
}
