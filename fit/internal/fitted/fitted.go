// Package fitted collects and fits for the tests of the packages on top of fit.
package fitted

import (
	"testing"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/internal/fittest"
)

// CollectLog gathers the jobs of a real log with one of the status codes.
func CollectLog(t testing.TB, name string, status ...int64) fit.Class {
	t.Helper()
	log := fittest.OpenLog(t, name)
	clock, _ := log.Header.Clock()
	return fittest.Only[fit.Class](t)(fit.Collect(log.Jobs(), clock, fit.CollectOptions{Status: status}, nil))
}

// MustFit fits a law, or ends the test.
func MustFit(t testing.TB, family string, a fit.Attribute, s fit.Sample, o fit.Options) fit.Report {
	t.Helper()
	return fittest.Must[fit.Report](t)(fit.Fit(family, a, s, o))
}
