// Package longtest sizes tests that have a small form for every run and a whole form for
// go test -tags long.
package longtest

import "testing"

// Size returns how much a test does: ordinary, or with -tags long the whole.
func Size(ordinary, whole int) int {
	if enabled {
		return whole
	}
	return ordinary
}

// Only skips a test that is run with -tags long alone.
func Only(t testing.TB) {
	t.Helper()
	if !enabled {
		t.Skip("run with -tags long")
	}
}
