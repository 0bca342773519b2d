package cli

import (
	"bytes"
	"encoding/base64"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// The model that a page saves is the file that 'fit -o' writes.
func TestReportSavesTheModelOfFit(t *testing.T) {
	t.Parallel()
	log, dir := writeLog(t, mustRead(t, predictLog(t))), t.TempDir()
	web, file := filepath.Join(dir, "report.html"), filepath.Join(dir, "model.json")
	for _, args := range [][]string{{"report", log, "-q", "--without", "predict,runtime,twins", "-o", web}, {"fit", log, "-q", "-o", file}} {
		if got := loadstone(t, "", args...); got.code != exitDone {
			t.Fatal(args, got.err)
		}
	}
	found := regexp.MustCompile(`href="data:application/json;base64,([^"]*)"`).FindStringSubmatch(mustRead(t, web))
	if found == nil {
		t.Fatal("the page saves no model")
	}
	saved, err := base64.StdEncoding.DecodeString(html.UnescapeString(found[1]))
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(saved, want) {
		t.Errorf("the page saves %.300s\nwant %.300s", saved, want)
	}
}
