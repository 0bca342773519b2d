package cli

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// paperCommands are the commands of docs/papers.md on real logs: lines that begin
// with "    loadstone", with the log's name in place of its path.
func paperCommands(t *testing.T, of string) []string {
	t.Helper()
	text, err := os.ReadFile("../../../docs/papers.md")
	if err != nil {
		t.Fatal(err)
	}
	joined := strings.ReplaceAll(string(text), "\\\n", "")
	for _, line := range strings.Split(joined, "\n") {
		if command, ok := strings.CutPrefix(line, "    loadstone "); ok && strings.HasPrefix(command, of+" ") {
			args := words(command)
			for i, a := range args {
				if a == "SDSC-Par-1996" {
					args[i] = trace(t, "SDSC-Par-1996-3.1-cln.swf.gz")
				}
			}
			return args
		}
	}
	t.Fatalf("docs/papers.md has no command loadstone %s", of)
	return nil
}

// The classes of Downey's table 5, short, medium, long and sequential, come from
// the command that docs/papers.md gives: jobs and medians are those of an
// independent program (fit/lifetimes/testdata/drift.py) on the same jobs.
func TestDowneyTable5ByCommand(t *testing.T) {
	var want struct {
		Rows []struct {
			Class  string  `json:"class"`
			Status int64   `json:"status"`
			Trim   float64 `json:"trim"`
			Jobs   int64   `json:"jobs"`
			Median float64 `json:"median"`
		} `json:"rows"`
	}
	data, err := os.ReadFile("../../../fit/lifetimes/testdata/drift.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	got := loadstone(t, "", append(paperCommands(t, "lifetimes"), "--format", "json")...)
	var r struct {
		Drift []struct {
			Class string `json:"class"`
			Steps []struct {
				Period string  `json:"period"`
				Jobs   int64   `json:"jobs"`
				Median float64 `json:"median_s"`
			} `json:"steps"`
		} `json:"drift"`
	}
	if err := json.Unmarshal([]byte(got.out), &r); err != nil {
		t.Fatal(err, got.err)
	}
	found := 0
	for _, row := range want.Rows {
		class := map[string]string{"q1l": "sequential", "q1ll": "q1ll", "short": "short", "medium": "medium", "long": "long"}[row.Class]
		if class == "" || row.Status != 0 || row.Trim != 0.1 {
			continue
		}
		for _, d := range r.Drift {
			if d.Class != "partition_id=2, "+class {
				continue
			}
			for _, s := range d.Steps {
				if s.Period != "1996-01 to 1996-04" {
					continue
				}
				found++
				if s.Jobs != row.Jobs || !near(s.Median/row.Median, 1) {
					t.Errorf("%s: %d jobs, median %g s, want %d and %g", class, s.Jobs, s.Median, row.Jobs, row.Median)
				}
			}
		}
	}
	if found != 5 {
		t.Errorf("%d of 5 classes: %+v", found, r.Drift)
	}
}

// The correlations by the paper's classes are the independent program's of the
// same classes: shared/reference/independent-values.json, "with_classes".
func TestDowneyClassesOfWaitsByCommand(t *testing.T) {
	got := loadstone(t, "", append(paperCommands(t, "predict"), "--format", "csv")...)
	rows, err := csv.NewReader(strings.NewReader(got.out)).ReadAll()
	if err != nil || len(rows) < 2 {
		t.Fatal(err, got.err)
	}
	at := slices.Index(rows[0], "correlation_log")
	for _, row := range rows[1:] {
		want, ok := map[string]float64{"downey-a": 0.726, "downey-b": 0.708, "downey-n32": 0.726}[row[0]]
		if !ok {
			continue
		}
		cc, err := strconv.ParseFloat(row[at], 64)
		if err != nil || cc < want-0.005 || cc > want+0.005 {
			t.Errorf("%s: %s, want %g", row[0], row[at], want)
		}
	}
}
