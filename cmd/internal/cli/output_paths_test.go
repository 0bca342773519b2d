package cli

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/spf13/cobra"
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

// TestInterruptLeavesNoFolder: the folder of --plots is there with its first
// picture.
func TestInterruptLeavesNoFolder(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a", "b")
	ctx, interrupt := context.WithCancel(context.Background())
	a := &app{Streams: Streams{Err: &bytes.Buffer{}}, ctx: ctx, cmd: &cobra.Command{}}
	err := a.drawAll(plotOptions{folder, "svg"}, []figure.Picture{{Name: "x", Draw: func(w io.Writer, _ string) error {
		interrupt()
		_, err := io.WriteString(w, "<svg/>")
		return err
	}}})
	if _, fault := os.Stat(filepath.Dir(folder)); err == nil || !os.IsNotExist(fault) {
		t.Errorf("%v, and the folder: %v", err, fault)
	}
}

// One rule for all commands: an output replaces a file of its name.
func TestOutputsReplaceFiles(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "log.swf")
	loadstone(t, "", "-q", "generate", "--model", "lublin1999", "--jobs", "300", "--set", "users.count=5", "-o", log)
	for _, c := range []struct{ args, extension string }{
		{"models show lublin1999", "json"}, {"convert " + log, "csv"}, {"describe " + log, "json"}, {"runtime " + log, "csv"},
		{"simulate " + log, "swf"}, {"generate --model lublin1999 --jobs 3", "swf"}, {"sample " + log + " --jobs 20", "swf"},
		{"scale " + log + " --load .5", "swf"}, {"anonymise " + log, "swf"}, {"lifetimes " + log, "json"},
	} {
		out := filepath.Join(dir, "out."+c.extension)
		if err := os.WriteFile(out, []byte("old"), 0o666); err != nil {
			t.Fatal(err)
		}
		got := loadstone(t, "", append(strings.Fields(c.args), "-o", out)...)
		if text := mustRead(t, out); got.code != exitDone || len(text) < 10 {
			t.Errorf("%s: exit code %d, %q: %s", c.args, got.code, text, got.err)
		}
	}
}
