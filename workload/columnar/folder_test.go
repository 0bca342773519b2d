package columnar_test

import (
	"testing"

	"github.com/loadstone-hpc/loadstone/workload/columnar"
)

func TestCompareNumbered(t *testing.T) {
	sorted := []string{"", "a", "a01", "a1", "a2", "a10", "a10.b2", "a10.b11", "b"}
	for i, a := range sorted {
		for k, b := range sorted {
			want := 0
			switch {
			case i < k:
				want = -1
			case i > k:
				want = 1
			}
			if got := columnar.CompareNumbered(a, b); got != want {
				t.Errorf("%q and %q: %d, want %d", a, b, got, want)
			}
		}
	}
}
