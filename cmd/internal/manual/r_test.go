package manual

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
)

// TestRGuide runs the examples of docs/guides/r.md in R, with this command as loadstone, and
// compares the results with those in the guide.
func TestRGuide(t *testing.T) {
	if out, err := exec.Command("Rscript", "-e", "library(jsonlite)").CombinedOutput(); err != nil {
		t.Skipf("R with jsonlite is not installed: %v: %s", err, out)
	}
	dir := t.TempDir()
	var program strings.Builder
	var want []string
	for _, block := range regexp.MustCompile("(?s)```r\n(.*?)```").FindAllStringSubmatch(mustRead("../../../docs/guides/r.md"), -1) {
		program.WriteString(block[1])
		for _, line := range strings.Split(block[1], "\n") {
			if result, ok := strings.CutPrefix(line, "#> "); ok {
				want = append(want, result)
			}
		}
	}
	if len(want) == 0 {
		t.Fatal("the guide prints no result")
	}
	guide := filepath.Join(dir, "guide.R")
	jobtest.NoError(t, os.WriteFile(guide, []byte(program.String()), 0o666))
	run := exec.Command("Rscript", "-e", `source("guide.R", print.eval = TRUE)`)
	run.Dir = dir
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if all := strings.Join(want, "\n"); !strings.HasPrefix(string(out), all+"\n") {
		t.Errorf("R prints\n%s\nwant first\n%s", out, all)
	}
}
