package cli

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
)

// Text from a log, its name or the command line is always shown as plain text, in a terminal, a
// picture or a page, and never begins a new line. The names in the logs of testdata/hostile contain
// hostile text: it clears the screen, sets a terminal's title, reverses the writing direction and,
// if the format allows it, ends with invalid UTF-8.
func TestHostileText(t *testing.T) {
	t.Parallel()
	const text = "x\x1b[2J\x1b]0;owned\a\u009b31m\u202ebob\x7f"
	const name, flag = "n\x1b[31m\u202e\nloadstone: fake\x9b", text + "\x9b1m\nloadstone: fake"
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
		t.Skip("no such file names here: ", err)
	}
	done, pages := 0, 0
	for _, log := range []string{"header.swf", "names.csv", "jobs.sacct", "bad.swf", "bad.csv", "missing.swf"} {
		path, out := filepath.Join(dir, name+log), t.TempDir()
		if log != "missing.swf" {
			hostile := text
			if filepath.Ext(log) != ".csv" {
				hostile += "\x9b1m"
			}
			jobtest.NoError(t, os.WriteFile(path, []byte(strings.ReplaceAll(mustRead("testdata/hostile/"+log), "HOSTILE", hostile)), 0o666))
		}
		for command := range strings.Lines(mustRead("testdata/hostile/commands.txt")) {
			args := strings.Fields(command)
			for i, arg := range args {
				args[i] = strings.NewReplacer("LOG", path, "OUT", out, "NAME", name, "FLAG", flag).Replace(arg)
			}
			got := loadstone(t, "", args...)
			if got.code == exitDone {
				done++
			}
			for _, printed := range []string{got.out, got.err} {
				if at := unshowable(printed); at != "" {
					t.Errorf("%q shows %q", args, at)
				}
				if strings.Contains(printed, "\nloadstone: fake") {
					t.Errorf("%q: a name begins a line: %q", args, printed)
				}
			}
		}
		drawn := jobtest.Must(filepath.Glob(filepath.Join(out, "*", "*.svg")))
		for _, picture := range append(drawn, filepath.Join(out, name+".html")) {
			shown, err := os.ReadFile(picture)
			if err != nil {
				continue // no page for a file that is not a log
			}
			pages++
			if at := unshowable(strings.ReplaceAll(string(shown), "\t", " ")); at != "" {
				t.Errorf("%q shows %q", picture, at)
			}
			for d := xml.NewDecoder(bytes.NewReader(shown)); err == nil && strings.HasSuffix(picture, ".svg"); {
				_, err = d.Token()
			}
			if err != nil && !errors.Is(err, io.EOF) {
				t.Errorf("%q: %v", picture, err)
			}
		}
	}
	if done < 60 || pages < 10 {
		t.Errorf("only %d commands succeeded, only %d pictures and pages were looked at", done, pages)
	}
}

// unshowable returns the part of a text around a character that is neither graphic nor a line end.
func unshowable(text string) string {
	for i, r := range text {
		if _, n := utf8.DecodeRuneInString(text[i:]); r != '\n' && !unicode.IsGraphic(r) || r == utf8.RuneError && n == 1 {
			return text[max(0, i-60):min(len(text), i+60)]
		}
	}
	return ""
}
