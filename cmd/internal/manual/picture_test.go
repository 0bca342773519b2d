package manual

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/reallogs"
)

// TestReadmePicture: the picture above the fold is what the command below it
// draws today.
func TestReadmePicture(t *testing.T) {
	const log, file = "KTH-SP2-1996-2.1-cln.swf.gz", "../../../docs/pictures/run-times.svg"
	path := reallogs.Path(t, "swf/"+log)
	readme, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile(`\]\(docs/pictures/run-times\.svg\)\n\n\*` + "`loadstone (.*)`").FindSubmatch(readme)
	if shown == nil {
		t.Fatal("the README has no command below its picture")
	}
	dir := t.TempDir()
	args := strings.Fields(string(shown[1]))
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
	picture, err := os.ReadFile(filepath.Join(dir, "run-times.svg"))
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(file, picture, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(file); err != nil || !bytes.Equal(picture, want) {
		t.Errorf("%s is not what %q draws (%v); go test -run TestReadmePicture -update draws it anew: look at it", file, shown[1], err)
	}
}
