package cli

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
)

// nineWeeks is a log of nine weeks and more that a published model makes.
func nineWeeks(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "weeks.swf")
	if got := loadstone(t, "", "-q", "generate", "--model", "lublin1999-batch", "--days", "64", "--procs", "64", "--load", "0.1", "--seed", "5", "-o", path); got.code != exitDone {
		t.Fatal(got.err)
	}
	return path
}

type drawnSite struct {
	Intervals *struct {
		Level      float64
		Method     string
		Blocks     int
		BlockWeeks int64 `json:"block_weeks"`
		Replicates int
		Seed       uint64
		Classes    []struct {
			Name, Label string
			Parameters  []struct {
				Part, Parameter string
				Value           float64
				Low, High       *float64
				Replicates      int
				WhyNot          string `json:"why_not"`
			}
		}
	}
	Warnings []string
}

type drawnJSON struct {
	Site drawnSite
	All  drawnSite `json:"site_of_all_jobs"`
}

// drawnOf runs a command with its stable form.
func drawnOf(t *testing.T, args ...string) (js drawnJSON) {
	t.Helper()
	got := loadstone(t, "", append(args, "--format", "json")...)
	if err := json.Unmarshal([]byte(got.out), &js); err != nil {
		t.Fatalf("%v: %s", err, got.err)
	}
	return js
}

// The table for people has the numbers of the JSON, and one seed gives one
// result.
func TestSiteReplicates(t *testing.T) {
	log := nineWeeks(t)
	args := []string{"fit", log, "-q", "--family", "gamma", "--site-replicates", "39", "--seed", "3"}
	js := drawnOf(t, args...)
	i := js.Site.Intervals
	if i == nil || i.Level != 0.95 || i.Method != "percentile" || i.Replicates != 39 || i.Seed != 3 || i.BlockWeeks != 1 || i.Blocks < 9 || i.Blocks > 10 || len(i.Classes) != 1 {
		t.Fatalf("intervals are %+v", i)
	}
	table := loadstone(t, "", args...)
	if again := loadstone(t, "", args...); again.out != table.out {
		t.Error("the same seed gives another table")
	}
	rows := map[string][]string{}
	for line := range strings.Lines(table.out) {
		if f := strings.Fields(line); len(f) > 5 {
			rows[f[0]+" "+f[1]] = f
		}
	}
	bounded := 0
	for _, p := range i.Classes[0].Parameters {
		row := rows[p.Part+" "+p.Parameter]
		if row == nil {
			t.Errorf("no row of %s, %s", p.Part, p.Parameter)
			continue
		}
		low, high := "-", "-"
		if p.Low != nil {
			low, high = present.Sig(*p.Low), present.Sig(*p.High)
			bounded++
			if !(*p.Low < *p.High) {
				t.Errorf("%s, %s is within %g and %g", p.Part, p.Parameter, *p.Low, *p.High)
			}
		} else if p.WhyNot == "" {
			t.Errorf("%s, %s has no interval, and nobody says why", p.Part, p.Parameter)
		}
		if row[2] != present.Sig(p.Value) || row[3] != low || row[4] != high {
			t.Errorf("%s, %s is %v in the table, want %s, %s, %s", p.Part, p.Parameter, row, present.Sig(p.Value), low, high)
		}
	}
	if bounded < 25 {
		t.Errorf("%d parameters with intervals", bounded)
	}
}

func TestSiteReplicatesByKind(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kinds.swf")
	if got := loadstone(t, "", "-q", "generate", "--model", "lublin1999", "--days", "64", "--procs", "64", "--load", "0.1", "--seed", "5", "-o", path); got.code != exitDone {
		t.Fatal(got.err)
	}
	js := drawnOf(t, "fit", path, "-q", "--family", "gamma", "--by", "kind", "--site-replicates", "39")
	if js.Site.Intervals == nil || len(js.Site.Intervals.Classes) != 2 || js.All.Intervals == nil || len(js.All.Intervals.Classes) != 1 {
		t.Errorf("intervals of the kinds are %+v, of all %+v", js.Site.Intervals, js.All.Intervals)
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
