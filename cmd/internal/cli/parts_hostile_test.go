package cli

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/part"
	"github.com/loadstone-hpc/loadstone/workload"
)

// TestMergeOfMadeParts holds that merge refuses parts that --part never writes, with
// checksums that are right, and that it writes nothing for them.
func TestMergeOfMadeParts(t *testing.T) {
	log := short(t, divided(t, true), 300)
	for _, c := range []struct {
		command []string
		change  func(p *part.Part, evil string)
		want    string
	}{
		{[]string{"describe"}, func(p *part.Part, _ string) { p.Share.Parts = math.MaxInt32 }, "damaged: part 1/2147483647"},
		{[]string{"describe"}, func(p *part.Part, _ string) { p.Flags = []string{"--help"} }, "damaged: a part with --help"},
		{[]string{"describe"}, func(p *part.Part, _ string) { p.Flags = []string{"--help-all=true"} }, "damaged: a part with --help-all=true"},
		{[]string{"describe"}, func(p *part.Part, _ string) { p.Flags = []string{"other\x1b.swf"} }, `damaged: a part with other\x1b.swf`},
		{[]string{"describe"}, func(p *part.Part, evil string) { p.Flags = []string{"-o=" + evil + ".json"} }, "damaged: a part with -o="},
		{[]string{"describe"}, func(p *part.Part, evil string) { p.Flags = []string{"--plots=" + evil} }, "damaged: a part with --plots="},
		{[]string{"runtime", "--predictors", "last", "--classes", "user"}, func(p *part.Part, evil string) { p.Flags = append(p.Flags, "--predictions="+evil+".csv") }, "damaged: a part with --predictions="},
		{[]string{"validate"}, func(p *part.Part, _ string) { p.Reading = workload.LogState{} }, "damaged statistics"},
	} {
		dir := t.TempDir()
		path, evil := filepath.Join(dir, "x.part"), filepath.Join(dir, "evil")
		if got := loadstone(t, "", append([]string{c.command[0], log, "--part", "1/1", "-o", path}, c.command[1:]...)...); got.code != 0 {
			t.Fatal(got.err)
		}
		p, err := part.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		c.change(p, evil)
		var b bytes.Buffer
		if err := p.Write(&b); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		got := loadstone(t, "", "merge", path)
		if got.code != exitFailed || got.out != "" || !strings.Contains(got.err, path+": "+c.want) {
			t.Errorf("%q: %+v, want %q", c.command, got, c.want)
		}
		if made, _ := filepath.Glob(evil + "*"); made != nil {
			t.Errorf("%q: a made part wrote %q", c.command, made)
		}
	}
}

// TestPartsOfOddNames holds that a log with the name of a flag is divided and merged, and
// that results name the log as its first part does, in whatever order the parts come.
func TestPartsOfOddNames(t *testing.T) {
	log := short(t, divided(t, true), 300)
	t.Chdir(filepath.Dir(log))
	for _, name := range []string{"--help", "-x.swf"} {
		if err := os.Link(log, name); err != nil {
			t.Fatal(err)
		}
		for _, command := range []string{"describe", "runtime"} {
			want := loadstone(t, "", command, "--", name)
			if got := loadstone(t, "", command, "--part", "1/1", "-o", "x.part", "--", name); got.code != 0 {
				t.Fatal(got.err)
			}
			if got := loadstone(t, "", "merge", "x.part"); got != want || want.code != 0 {
				t.Errorf("%s of %s: %+v, want %+v", command, name, got, want)
			}
		}
	}
	for i, name := range []string{"short.swf", "./-x.swf"} {
		if got := loadstone(t, "", "validate", name, "--part", []string{"1/2", "2/2"}[i], "-o", []string{"1.part", "2.part"}[i]); got.code != 0 {
			t.Fatal(got.err)
		}
	}
	want := loadstone(t, "", "validate", "short.swf")
	for _, files := range [][]string{{"1.part", "2.part"}, {"2.part", "1.part"}} {
		if got := loadstone(t, "", append([]string{"merge"}, files...)...); got != want {
			t.Errorf("%q: %+v, want %+v", files, got, want)
		}
	}
}

// TestPartsOfLogsThatAreNotThere checks the messages about a log that is no file, was
// removed, or changes.
func TestPartsOfLogsThatAreNotThere(t *testing.T) {
	log := short(t, divided(t, true), 300)
	t.Chdir(filepath.Dir(log))
	if err := syscall.Mkfifo("pipe", 0o666); err != nil {
		t.Skip(err)
	}
	if err := os.WriteFile("blank.swf", []byte("\n\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	last := []string{"--predictors", "last", "--classes", "user"}
	if got := loadstone(t, "", append([]string{"runtime", log, "--part", "1/1", "-o", "x.part"}, last...)...); got.code != 0 {
		t.Fatal(got.err)
	}
	appends := "grows: echo '; later' >>'" + log + `'; sed -u -n 's/^{"submit":{"row":\([0-9]*\),.*/{"row":\1,"predicted_s":100,"history_n":7}/p'`
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"describe", "-", "--part", "1/2", "-o", "y.part"}, exitUsage, "--part: standard input cannot be divided: save the log to a file"},
		{[]string{"describe", "pipe", "--part", "1/2", "-o", "y.part"}, exitFailed, "pipe: want a file"},
		{[]string{"describe", "blank.swf", "--part", "2/2", "-o", "y.part"}, exitFailed, "blank.swf: no jobs in 2 lines"},
		{[]string{"describe", "x.part"}, exitFailed, `x.part: saw a part file, which 'loadstone merge' reads, want a log`},
		{append([]string{"runtime", log, "--part", "2/2", "-o", "y.part", "--exec", appends}, last...), exitFailed, log + ": the log changed while it was read"},
		{[]string{"merge", "x.part"}, exitFailed, log + ": saw "},
		{[]string{"merge", "x.part"}, exitFailed, "compute the parts again"},
	} {
		got := loadstone(t, "", c.args...)
		if got.code != c.code || got.out != "" || !strings.Contains(got.err, c.want) {
			t.Errorf("%q: %+v, want %q", c.args, got, c.want)
		}
		if _, err := os.Stat("y.part"); err == nil {
			t.Errorf("%q: wrote y.part", c.args)
		}
	}
	os.Remove(log)
	if got := loadstone(t, "", "merge", "x.part"); got.code != exitFailed || !strings.Contains(got.err, log+": no such file: merge reads the log of parts of 'runtime' again") {
		t.Errorf("a log that has gone: %+v", got)
	}
}
