package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestPlotDrawsEveryPicture: what the list has is drawn of a generated log, and
// is the picture that the command itself draws.
func TestPlotDrawsEveryPicture(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "log.parquet")
	for _, args := range [][]string{
		{"generate", "--model", "lublin1999", "--jobs", "4000", "--seed", "2", "--load", "0.9", "--users", "20", "--sessions", "-o", log},
		{"simulate", log, "--policy", "fcfs", "-o", log},
	} {
		if got := loadstone(t, "", args...); got.code != exitDone {
			t.Fatal(got.err)
		}
	}
	var list picturesJSON
	if got := loadstone(t, "", "plot", "--list", "--format", "json"); json.Unmarshal([]byte(got.out), &list) != nil || len(list.Pictures) < 30 {
		t.Fatalf("%d pictures: %s", len(list.Pictures), got.err)
	}
	logs := map[string][]string{"one": {log}, "two": {log, "lublin2003"}, "three or more": {log, "lublin2003", "lublin1999-batch"}}
	for _, p := range list.Pictures {
		file := filepath.Join(dir, p.Name+".svg")
		args := slices.Concat([]string{"plot", p.Name}, logs[p.Logs], []string{"-o", file})
		switch {
		case p.Logs != "one":
			args = append(args, "--", "--jobs", "2000")
		case p.Name == "lifetimes-drift": // the log is of one month
			args = append(args, "--", "--months", "0", "--periods", "3")
		case p.Command == "fit":
			args = append(args, "--", "--family", "gamma")
		}
		got := loadstone(t, "", args...)
		picture, err := os.ReadFile(file)
		if got.code != exitDone || got.out != "" || err != nil || !bytes.Contains(picture, []byte("</svg>")) || !strings.Contains(got.err, file+": drawn") {
			t.Errorf("%s: %d %q %s, %v", p.Name, got.code, got.out, got.err, err)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != len(list.Pictures)+1 {
		t.Errorf("%d files in the folder, want the log and %d pictures: %v", len(entries), len(list.Pictures), err)
	}
	own := filepath.Join(dir, "own")
	if got := loadstone(t, "", "describe", log, "--plots", own); got.code != exitDone {
		t.Fatal(got.err)
	}
	a, errA := os.ReadFile(filepath.Join(own, "submissions.svg"))
	b, errB := os.ReadFile(filepath.Join(dir, "submissions.svg"))
	if errA != nil || errB != nil || !bytes.Equal(a, b) {
		t.Errorf("the command draws another picture: %v, %v", errA, errB)
	}
}

func TestPlotFormats(t *testing.T) {
	dir, log := t.TempDir(), generated(t)
	for ext, starts := range map[string]string{"png": "\x89PNG", "PDF": "%PDF-", "svg": "<?xml"} {
		file := filepath.Join(dir, "a."+ext)
		got := loadstone(t, "", "-q", "plot", "run-times", log, "-o", file, "--", "--family", "gamma")
		b, err := os.ReadFile(file)
		if got.code != exitDone || got.err != "" || err != nil || !strings.HasPrefix(string(b), starts) {
			t.Errorf("%s: %d %s, %v, %.10q", ext, got.code, got.err, err, b)
		}
	}
}

func TestPlotUsage(t *testing.T) {
	log, dir := writeLog(t, tiny), t.TempDir()
	file, bare := filepath.Join(dir, "a.svg"), filepath.Join(t.TempDir(), "bare.csv")
	if err := os.WriteFile(bare, []byte("job_id,run_time\n1,5\n2,9\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
		code int
	}{
		{nil, "want what to draw, one of submissions, run-times", exitUsage},
		{[]string{"weather", log, "-o", file}, `"weather" is none of submissions`, exitUsage},
		{[]string{"run-times", "-o", file}, "run-times takes one log, saw 0", exitUsage},
		{[]string{"run-times", log, log, "-o", file}, "run-times takes one log, saw 2", exitUsage},
		{[]string{"two-sizes", log, "-o", file}, "two-sizes takes two logs, saw 1", exitUsage},
		{[]string{"map", log, log, "-o", file}, "map takes three or more logs, saw 2", exitUsage},
		{[]string{"run-times", log}, "--output is missing", exitUsage},
		{[]string{"run-times", log, "-o", "a.gif"}, "a.gif: want a name that ends in .svg, .png, .pdf", exitUsage},
		{[]string{"run-times", log, "-o", file, "--format", "json"}, "--format is for --list", exitUsage},
		{[]string{"--list", log}, "--list goes alone", exitUsage},
		{[]string{"run-times", log, "-o", filepath.Join(dir, "no", "a.svg")}, "no such file or directory", exitFailed},
		{[]string{"run-times", log, "-o", file, "--", "--family", "magic"}, `"magic" is none of`, exitUsage},
		{[]string{"two-sizes", bare, bare, "-o", file}, bare + ": two-sizes is not drawn: size needs values of 1 or more in both", exitFailed},
		{[]string{"run-times", "nowhere.swf", "-o", file}, "nowhere.swf: no such file", exitFailed},
	} {
		got := loadstone(t, "", append([]string{"plot"}, c.args...)...)
		if got.code != c.code || !strings.Contains(got.err, c.want) || got.out != "" {
			t.Errorf("%q: %d %q %s, want %d and %q", c.args, got.code, got.out, got.err, c.code, c.want)
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) > 0 {
		t.Errorf("a failure left %v", entries)
	}
}

// What stands behind -- may ask for help, and not for other files.
func TestPlotFlagsOfTheCommand(t *testing.T) {
	log, file := generated(t), filepath.Join(t.TempDir(), "a.svg")
	if got := loadstone(t, "", "plot", "run-times", log, "-o", file, "--", "--help"); got.code != exitDone || !strings.Contains(got.out, "loadstone fit") {
		t.Errorf("%d %s%s", got.code, got.out, got.err)
	}
	for _, flag := range []string{"--plots", "--format=json", "-o"} {
		if got := loadstone(t, "", "plot", "run-times", log, "-o", file, "--", flag, "x"); got.code != exitUsage || !strings.Contains(got.err, "writes the picture and nothing else") {
			t.Errorf("%s: %d %s", flag, got.code, got.err)
		}
	}
	// Only what is said of the picture.
	if got := loadstone(t, "", "plot", "weekly-cycle", log, "-o", file); got.code != exitDone || got.err != file+": drawn\n" {
		t.Errorf("%d %q", got.code, got.err)
	}
}
