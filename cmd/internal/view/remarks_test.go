package view

import (
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

func TestWarnings(t *testing.T) {
	got := Warnings([]workload.Warning{{Rule: "header-clock", Text: "no zone", Count: 1, About: "a.swf"}, {Rule: "map", Text: "odd", Count: 1}})
	if want := []Remark{{true, "a.swf: no zone (header-clock)"}, {true, "odd (map)"}}; !slices.Equal(got, want) {
		t.Errorf("got %+v", got)
	}
}
