package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNoPlaceIsSaidFirst: an output that cannot be written is said before the
// log is read, as the missing log shows, and nothing is left behind.
func TestNoPlaceIsSaidFirst(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file.csv")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	none := filepath.Join(dir, "no", "x")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"allocate", "-o", none + ".json"}, "x.json: the folder " + filepath.Dir(none) + " does not exist"},
		{[]string{"allocate", "nowhere.swf", "--per-job", none + ".csv"}, "x.csv: the folder"},
		{[]string{"allocate", "nowhere.swf", "--plots", filepath.Join(file, "x")}, "cannot be a folder: " + file + " is a file"},
		{[]string{"grid", "nowhere.swf", "--grid", "das3", "--placements", none + ".csv"}, "x.csv: the folder"},
		{[]string{"grid", "nowhere.swf", "--grid", "das3", "--plots", file}, "cannot be a folder"},
		{[]string{"predict", "nowhere.swf", "-o", filepath.Join(file, "x.json")}, "x.json: " + file + " is not a folder"},
		{[]string{"runtime", "nowhere.swf", "--plots", file}, "cannot be a folder"},
		{[]string{"report", "nowhere.swf", "-o", none + ".html"}, "x.html: the folder"},
		{[]string{"demo", "nowhere.swf", "-o", file}, "cannot be a folder"},
		{[]string{"convert", "nowhere.swf", "-o", dir}, dir + ": is a directory, want a file to write"},
	} {
		got := loadstone(t, "", c.args...)
		if got.code != exitFailed || !strings.Contains(got.err, c.want) || got.out != "" {
			t.Errorf("%q: %d %q, want %d and %q", c.args, got.code, got.err, exitFailed, c.want)
		}
	}
	if left := files(t, dir); len(left) != 1 {
		t.Errorf("left %q", left)
	}
}
