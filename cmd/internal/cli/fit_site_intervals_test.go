package cli

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// Intervals are of the model's classes and of all jobs as one (fit/site has the intervals).
func TestSiteReplicatesByKind(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kinds.swf")
	if got := loadstone(t, "", "-q", "generate", "--model", "lublin1999", "--days", "64", "--procs", "64", "--load", "0.1", "--seed", "5", "-o", path); got.code != exitDone {
		t.Fatal(got.err)
	}
	type drawn struct {
		Intervals struct{ Classes []any }
	}
	var js struct {
		Site drawn
		All  drawn `json:"site_of_all_jobs"`
	}
	got := loadstone(t, "", "fit", path, "-q", "--family", "gamma", "--by", "kind", "--site-replicates", "39", "--format", "json")
	if err := json.Unmarshal([]byte(got.out), &js); err != nil || len(js.Site.Intervals.Classes) != 2 || len(js.All.Intervals.Classes) != 1 {
		t.Errorf("%v: intervals of the kinds are %+v, of all %+v", err, js.Site.Intervals, js.All.Intervals)
	}
}

// A log of too few weeks is fitted all the same.
func TestSiteReplicatesOfAShortLog(t *testing.T) {
	log := made(t, "7")
	got := loadstone(t, "", "fit", log, "--family", "gamma", "--site-replicates", "39")
	if got.code != exitDone || !strings.Contains(got.err, "too few weeks for intervals of the site's parameters") || !strings.Contains(got.err, "want at least 8") {
		t.Errorf("exit code %d: %s", got.code, got.err)
	}
	if !strings.Contains(got.out, "\nmodel of made7") || strings.Contains(got.out, "95% intervals") {
		t.Errorf("printed %s", got.out)
	}
}

func TestSiteReplicatesUsage(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"--site-replicates", "38"}, "--site-replicates 38: want 0, or 39 to 100000"},
		{[]string{"--site-replicates", "-1"}, "want 0, or 39 to 100000"},
		{[]string{"--site-replicates", "99", "--site", "none"}, "--site-replicates does not go with --site none"},
		{[]string{"--site-replicates", "99", "--form", "lublin2003", "other.swf"}, "--site-replicates does not go with several logs"},
	} {
		got := loadstone(t, "", append([]string{"fit", "log.swf"}, tt.args...)...)
		if got.code != exitUsage || !strings.Contains(got.err, tt.want) {
			t.Errorf("%v: exit code %d, %q; want %q", tt.args, got.code, got.err, tt.want)
		}
	}
}
