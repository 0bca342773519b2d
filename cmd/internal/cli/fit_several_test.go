package cli

import (
	"path/filepath"
	"strings"
	"testing"
)

// Published models are averaged by their names, as 'compare' and 'generate' take
// them.
func TestFitPublishedModels(t *testing.T) {
	out := filepath.Join(t.TempDir(), "both.json")
	got := loadstone(t, "", "fit", "lublin1999-batch", "lublin1999-untyped", "--form", "lublin2003", "-o", out)
	if got.code != exitDone || !strings.Contains(got.out, "model of 2 sites by average") {
		t.Errorf("exit code %d, %s%s", got.code, got.out, got.err)
	}
	got = loadstone(t, "", "fit", "lublin1999-batch", "nowhere.json", "--form", "lublin2003")
	if got.code != exitFailed || !strings.Contains(got.err, "nowhere.json: no such model file, and none of the published models lublin1999,") {
		t.Errorf("exit code %d, %s", got.code, got.err)
	}
}

func TestLogInPlaceOfModel(t *testing.T) {
	log := writeLog(t, tiny)
	got := loadstone(t, "", "generate", "--model", log, "--jobs", "3")
	if want := log + ": want a model file, as 'loadstone fit LOG -o model.json' writes it: "; got.code != exitFailed || !strings.Contains(got.err, want) {
		t.Errorf("exit code %d, %s, want %q", got.code, got.err, want)
	}
}
