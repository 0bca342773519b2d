package version

import (
	"os"
	"runtime/debug"
	"strings"
	"testing"
)

func TestDescribe(t *testing.T) {
	setting := func(key, value string) debug.BuildSetting { return debug.BuildSetting{Key: key, Value: value} }
	commit := setting("vcs.revision", "73afcd1d3a4b5c6d7e8f90123456789abcdef012")
	ours := debug.Module{Path: Module, Version: "(devel)"}
	for _, c := range []struct {
		info debug.BuildInfo
		want string
	}{
		{debug.BuildInfo{}, Number},
		{debug.BuildInfo{Main: ours}, Number}, // go run, or -buildvcs=false
		{debug.BuildInfo{Main: ours, Settings: []debug.BuildSetting{commit, setting("vcs.modified", "false")}}, Number + " (commit 73afcd1d3a4b)"},
		{debug.BuildInfo{Main: ours, Settings: []debug.BuildSetting{commit, setting("vcs.modified", "true")}}, Number + " (commit 73afcd1d3a4b with changes)"},
		{debug.BuildInfo{Main: debug.Module{Path: Module, Version: "v" + Number}, Settings: []debug.BuildSetting{commit}}, Number + " (commit 73afcd1d3a4b)"},
		{debug.BuildInfo{Main: debug.Module{Path: Module, Version: "v0.2.0"}}, Number + " (module v0.2.0)"},
		// Another program's commit is not ours.
		{debug.BuildInfo{Main: debug.Module{Path: "example.com/x", Version: "v9.0.0"}, Settings: []debug.BuildSetting{commit},
			Deps: []*debug.Module{{Path: "example.com/y", Version: "v1.0.0"}, {Path: Module, Version: "v0.1.1"}}}, Number + " (module v0.1.1)"},
	} {
		if got := describe(&c.info); got != c.want {
			t.Errorf("%+v: got %q, want %q", c.info, got, c.want)
		}
	}
}

// What is cited is this version.
func TestCitationNamesTheVersion(t *testing.T) {
	text, err := os.ReadFile("../../CITATION.cff")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "\nversion: "+Number+"\n") {
		t.Errorf("CITATION.cff has no line %q", "version: "+Number)
	}
}
