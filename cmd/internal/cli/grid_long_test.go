//go:build long

package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/papers"
	"github.com/loadstone-hpc/loadstone/internal/reallogs"
	"github.com/loadstone-hpc/loadstone/study/grid"
)

// The rows of table 6 in docs/findings/papers.md, by the commands given there.
func TestFindingTable6(t *testing.T) {
	for _, c := range []struct {
		model, jobs, load, grid, row string
		slowdownDigits               int
	}{
		{"das3-like", "220000", "0.3", "das3", "DAS3, here, assumed speeds", 1},
		{"auvergrid-like", "90000", "0.7", "auvergrid", "AuverGrid, here", 2},
	} {
		log := filepath.Join(t.TempDir(), "log.swf")
		got := loadstone(t, "", "generate", "-q", "--seed", "1", "--model", "../../../study/grid/testdata/"+c.model+".json", "--jobs", c.jobs, "--load", c.load, "-o", log)
		if got.code != exitDone {
			t.Fatalf("%s: exit code %d: %s", c.model, got.code, got.err)
		}
		var s gridScores
		decode(t, &s, "grid", log, "-q", "--grid", c.grid, "--days", "0")
		response, wait, slowdown := "", "", ""
		for _, p := range s.Scores {
			response += fmt.Sprintf(" %.0f |", float64(p.Response.Mean))
			wait += fmt.Sprintf(" %.0f |", float64(p.Wait.Mean))
			slowdown += fmt.Sprintf(" %.*f |", c.slowdownDigits, float64(p.BoundedSlowdown.Mean))
		}
		papers.Has(t, strings.Join([]string{
			"| " + c.row + " | mean response |" + response,
			"| | mean wait |" + wait,
			"| | mean bounded slowdown |" + slowdown,
		}, "\n"))
	}
}

// The mean responses in docs/findings/papers.md for LCG-2005 on synthetic clusters.
func TestFindingGridOfLCG(t *testing.T) {
	clusters := filepath.Join(t.TempDir(), "made-up.json")
	if err := os.WriteFile(clusters, []byte(`{"schema": "loadstone.grid/1", "name": "made up", "clusters": [
		{"name": "A", "processors": 700}, {"name": "B", "processors": 500, "speed": 0.7}, {"name": "C", "processors": 400, "speed": 1.5},
		{"name": "D", "processors": 300}, {"name": "E", "processors": 200, "speed": 2}]}`), 0o666); err != nil {
		t.Fatal(err)
	}
	var s gridScores
	decode(t, &s, "grid", reallogs.Path(t, "swf/"+"LCG-2005-1.swf.gz"), "-q", "--grid", clusters, "--days", "0")
	var got []string
	for _, p := range s.Scores {
		got = append(got, fmt.Sprintf("%s %.0f", p.Policy, float64(p.Response.Mean)))
	}
	if got, want := strings.Join(got, ", "), "ect-perfect 8178, ect-last2 9273, lb 9206, fpf 8325"; got != want {
		t.Errorf("mean responses %s; the document has %s", got, want)
	}
	if load := float64(s.Window.Load); load < 0.665 || load >= 0.675 {
		t.Errorf("offered load %.3f, the document has 0.67", load)
	}
}

// gridScores is the part of a grid.Result that documents quote.
type gridScores struct {
	Window grid.Studied `json:"window"`
	Scores []grid.Score `json:"scores"`
}

// decode runs a command with --format json and decodes its output.
func decode(t *testing.T, v any, args ...string) {
	t.Helper()
	got := loadstone(t, "", append(args, "--format", "json")...)
	if got.code != exitDone {
		t.Fatalf("%q: exit code %d: %s", args, got.code, got.err)
	}
	if err := json.Unmarshal([]byte(got.out), v); err != nil {
		t.Fatalf("%q: %v\n%s", args, err, got.out)
	}
}
