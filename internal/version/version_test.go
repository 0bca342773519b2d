package version

import (
	"os"
	"runtime/debug"
	"strings"
	"testing"
)

func TestDescribe(t *testing.T) {
	commit := debug.BuildSetting{Key: "vcs.revision", Value: "73afcd1d3a4b5c6d7e8f90123456789abcdef012"}
	modified := debug.BuildSetting{Key: "vcs.modified", Value: "true"}
	for want, settings := range map[string][]debug.BuildSetting{
		Number:                            nil, // go run, or -buildvcs=false
		Number + " (commit 73afcd1d3a4b)": {commit},
		Number + " (commit 73afcd1d3a4b with changes)": {commit, modified},
	} {
		if got := describe(settings); got != want {
			t.Errorf("%v: got %q, want %q", settings, got, want)
		}
	}
}

// The version in the citation is this version.
func TestCitationNamesTheVersion(t *testing.T) {
	text, err := os.ReadFile("../../CITATION.cff")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "\nversion: "+Number+"\n") {
		t.Errorf("CITATION.cff has no line %q", "version: "+Number)
	}
}
