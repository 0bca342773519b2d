package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestStateFaults: what is wrong with --load names the file of the state, and a run that
// fails saves none.
func TestStateFaults(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	for _, args := range [][]string{
		{"generate", "--model", "lublin1999", "--jobs", "900", "--seed", "3", "-o", in("made.swf")},
		{"simulate", in("made.swf"), "-o", in("log.swf")},
		{"predict", in("log.swf"), "--predictors", "conformal", "--confidence", "0.9", "--save", in("state"), "-o", in("out.json")},
	} {
		if got := loadstone(t, "", append(args, "-q")...); got.code != exitDone {
			t.Fatal(got.err)
		}
	}
	whole := mustRead(t, in("state"))
	for name, text := range map[string]string{"cut": whole[:len(whole)/2], "other": "something else", "empty": ""} {
		if err := os.WriteFile(in(name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{in("nothere")}, exitFailed, in("nothere") + ": no such file or directory"},
		{[]string{dir}, exitFailed, dir + ": saw a directory, want a file"},
		{[]string{in("cut")}, exitFailed, in("cut") + ": a damaged state of conformal: its checksum is wrong"},
		{[]string{in("other")}, exitFailed, in("other") + `: saw "something else", want a state of conformal, which begins with`},
		{[]string{in("empty")}, exitFailed, in("empty") + `: saw "", want a state of conformal`},
		{[]string{in("state")}, exitUsage, "--confidence 0.95: want 0.9, as the loaded state has"},
		{[]string{in("state"), "--confidence", "0.9"}, exitFailed, in("log.swf") + ": the log begins at"},
		{[]string{in("state"), "--confidence", "0.9", "--quantile", "0.9"}, exitUsage, "--quantile 0.9: want one that the loaded state has: 0.5 0.8 0.95 0.99"},
		{[]string{in("state"), "--calibration"}, exitUsage, "--calibration together with a state that is loaded"},
		{[]string{in("state"), "--predictors", "bmbp,conformal"}, exitUsage, "--load together with bmbp"},
	} {
		args := append([]string{"predict", in("log.swf"), "-q", "--predictors", "conformal", "--save", in("new"), "--load"}, c.args...)
		got := loadstone(t, "", args...)
		if got.code != c.code || !strings.Contains(got.err, "loadstone: "+c.want) && !strings.Contains(got.err, "log.swf: "+c.want) {
			t.Errorf("%q: exit code %d, %q, want %d and %q", c.args, got.code, got.err, c.code, c.want)
		}
	}
	if left := files(t, dir); len(left) != 7 {
		t.Errorf("files are left: %q", left)
	}
}
