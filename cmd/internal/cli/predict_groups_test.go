package cli

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Bounds by site and range of size: in each of the four groups all waits are the same,
// and so is the bound, once 59 jobs of the group have started. 0.95^59 < 5 % is what
// the default confidence wants.
func TestPredictGroupsBySiteAndSize(t *testing.T) {
	const each = 100
	groups := []struct {
		site, size, wait int
		label            string
	}{
		{1, 2, 60, "partition_id=1, size<=4"}, {1, 8, 600, "partition_id=1, size>4"},
		{2, 2, 1200, "partition_id=2, size<=4"}, {2, 8, 3000, "partition_id=2, size>4"},
	}
	var lines []string
	for i := range each {
		for g, x := range groups {
			n := len(groups)*i + g + 1 // 4000 s apart: each has started before the next comes
			lines = append(lines, fmt.Sprintf("%d %d %d 100 %d -1 -1 %d 400 -1 1 7 -1 -1 -1 %d -1 -1", n, 4000*n, x.wait, x.size, x.size, x.site))
		}
	}
	dir := t.TempDir()
	log, predictions := logOf(t, dir, "groups.swf", "; MaxProcs: 64\n", lines...), filepath.Join(dir, "bounds.csv")
	got := loadstone(t, "", "predict", log, "--predictors", "bmbp,chebyshev", "--groups", "site,size:4", "--predictions", predictions)
	if got.code != exitDone {
		t.Fatal(got.code, got.err)
	}
	text, err := os.ReadFile(predictions)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]int{}
	for i, name := range rows[0] {
		at[name] = i
	}
	bounds := map[string]int{}
	for _, row := range rows[1:] {
		for _, x := range groups {
			if row[at["group"]] != x.label {
				continue
			}
			bounds[x.label]++
			if want := fmt.Sprint(x.wait); row[at["predicted_s"]] != want || row[at["actual_s"]] != want {
				t.Errorf("%s: bound %s, waited %s, want %s", x.label, row[at["predicted_s"]], row[at["actual_s"]], want)
			}
		}
	}
	for _, x := range groups {
		if got, want := bounds[x.label], 2*(each-59); got != want {
			t.Errorf("%s: %d bounds, want %d", x.label, got, want)
		}
	}
	if len(bounds) != len(groups) {
		t.Errorf("groups %v", bounds)
	}
}
