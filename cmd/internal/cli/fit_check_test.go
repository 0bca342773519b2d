package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// fit compares the waits of jobs drawn from its model with the log's, in a line and one on
// how, which the model file has too; generate repeats it where it is beyond a factor of 2.
func TestFitChecksWaits(t *testing.T) {
	t.Parallel()
	log, dir := writeLog(t, usersLog()), t.TempDir()
	line := regexp.MustCompile(`(jobs drawn from this model wait .* as the log's.*)\nnote: (.*both simulated under EASY with users' estimates.*)\n`)
	saidIn := func(text string) string {
		if m := line.FindStringSubmatch(text); m != nil {
			return m[1] + " (" + m[2] + ")"
		}
		return ""
	}
	for _, form := range []string{formUsers, formPaper} {
		file := filepath.Join(dir, form+".json")
		got := loadstone(t, "", "fit", log, "--form", form, "-o", file)
		said := saidIn(got.err)
		if got.code != exitDone || said == "" {
			t.Fatalf("%s: exit code %d, said %q", form, got.code, got.err)
		}
		var m struct{ Check map[string]any }
		text, _ := os.ReadFile(file)
		if err := json.Unmarshal(text, &m); err != nil || m.Check["about"] != said || m.Check["policy"] != "easy" {
			t.Errorf("%s: the file has %v, error %v, want %q", form, m.Check, err, said)
		}
		for wait, warned := range map[string]bool{"130": true, "100": false} { // 120 is twice the least that counts
			edits := []string{"--set", "check.log_wait_s=0"}
			for _, field := range []string{"wait_median_s", "wait_max_s"} {
				edits = append(edits, "--set", "check."+field+"="+wait)
			}
			edits = append(edits, "--set", "check.wait_min_s=0")
			got := loadstone(t, "", append([]string{"generate", "--model", file, "--days", "7", "-o", filepath.Join(dir, "new.swf")}, edits...)...)
			if got.code != exitDone || strings.Contains(got.err, "warning: "+file+": jobs drawn from this model wait 2.2 times") != warned || strings.Contains(got.err, "drawn") != warned {
				t.Errorf("%s, wait %s s: exit code %d, said %q", form, wait, got.code, got.err)
			}
		}
		got = loadstone(t, "", "fit", log, "--form", form, "-o", file, "--no-check")
		text, _ = os.ReadFile(file)
		if got.code != exitDone || strings.Contains(got.err, "drawn") || strings.Contains(string(text), `"check"`) {
			t.Errorf("%s --no-check: exit code %d, said %q", form, got.code, got.err)
		}
	}
	var r struct{ Check map[string]any }
	got := loadstone(t, "", "fit", log, "--family", "gamma", "--format", "json")
	if err := json.Unmarshal([]byte(got.out), &r); err != nil || r.Check["about"] == nil || r.Check["about"] != saidIn(got.err) {
		t.Errorf("JSON has %v, error %v; said %q", r.Check, err, got.err)
	}
}
