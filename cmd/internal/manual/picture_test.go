package manual

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/reallogs"
)

// TestReadmePicture checks that the first picture of the README is what the command below it draws.
func TestReadmePicture(t *testing.T) {
	const log = "KTH-SP2-1996-2.1-cln.swf.gz"
	path := reallogs.Path(t, "swf/"+log)
	readme := mustRead("../../../README.md")
	shown := regexp.MustCompile(`\]\(docs/pictures/run-times\.svg\)\n\n\*` + "`loadstone (.*)`").FindStringSubmatch(readme)
	if shown == nil {
		t.Fatal("the README has no command below its picture")
	}
	dir := t.TempDir()
	args := strings.Fields(shown[1])
	for i, a := range args {
		switch a {
		case log:
			args[i] = path
		case "pictures":
			args[i] = dir
		}
	}
	if out, err := exec.Command("loadstone", args...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	picture := jobtest.Must(os.ReadFile(filepath.Join(dir, "run-times.svg")))
	isPicture(t, "run-times.svg", picture)
}

// isPicture compares a drawing with a picture of the manual; -update rewrites the picture, which
// should then be viewed.
func isPicture(t *testing.T, name string, drawn []byte) {
	t.Helper()
	path := filepath.Join("..", "..", "..", "docs", "pictures", name)
	if *update {
		jobtest.NoError(t, os.WriteFile(path, drawn, 0o666))
	} else if old, err := os.ReadFile(path); err != nil || !bytes.Equal(old, drawn) {
		t.Errorf("%s is not what is drawn now (%v): -update draws it anew, look at it", path, err)
	}
}
