package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFormOfFit: flags about what is shown leave -o with the model of users; one
// about laws makes it write the paper's, and says so.
func TestFormOfFit(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "log.swf")
	loadstone(t, "", "-q", "generate", "--model", "lublin1999", "--jobs", "400", "--procs", "64", "--set", "users.count=5", "-o", log)
	text := mustRead(t, log) + "401 99999999 -1 0 1 -1 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n" // a warning of the reader
	if err := os.WriteFile(log, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ flags, form, warning string }{
		{"", "users", ""},
		{"--plots " + filepath.Join(dir, "figures"), "users", ""},
		{"--attribute size", "users", ""},
		{"--format json", "users", ""},
		{"--site none", "users", ""},
		{"--family gamma", "paper", "it has the form lublin2003, because of --family;"},
		{"--family gamma --form lublin2003", "paper", ""},
	} {
		out := filepath.Join(dir, "m.json")
		got := loadstone(t, "", append([]string{"fit", log, "-o", out}, strings.Fields(c.flags)...)...)
		if got.code != exitDone {
			t.Errorf("%s: exit code %d: %s", c.flags, got.code, got.err)
			continue
		}
		form := "paper"
		if strings.Contains(string(mustRead(t, out)), `"strata"`) {
			form = "users"
		}
		if form != c.form || strings.Contains(got.err, "lublin2003") != (c.warning != "") || !strings.Contains(got.err, c.warning) {
			t.Errorf("%s: form %s, want %s: %s", c.flags, form, c.form, got.err)
		}
		if about := "note: these distributions are for comparison: " + out + " gets a model of users"; strings.Contains(got.err, about) != (form == "users" && c.flags != "") || strings.Contains(got.err, "offered load:") != (form == "paper") {
			t.Errorf("%s: which model is meant: %s", c.flags, got.err)
		}
		if n := strings.Count(got.err, "zero-run-time"); n != 1 {
			t.Errorf("%s: %d times the reader's warning, want once: %s", c.flags, n, got.err)
		}
		if shown := strings.Contains(got.out, "gamma"); shown != (c.flags != "") {
			t.Errorf("%s: distributions are shown: %t", c.flags, shown)
		}
	}
	if drawn, err := os.ReadDir(filepath.Join(dir, "figures")); err != nil || len(drawn) == 0 {
		t.Errorf("%d pictures, %v", len(drawn), err)
	}
}

// Two jobs make a model, with a warning; its numbers are in the singular where they are one.
func TestModelOfTwoJobs(t *testing.T) {
	log := filepath.Join(t.TempDir(), "two.swf")
	if err := os.WriteFile(log, []byte("; MaxProcs: 16\n1 0 0 100 4 -1 -1 4 -1 -1 1 1 1 1 1 1 -1 -1\n2 600 0 100 4 -1 -1 4 -1 -1 1 2 1 1 1 1 -1 -1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "m.json")
	got := loadstone(t, "", "fit", log, "-o", out)
	for _, want := range []string{"2 jobs of 2 users in 0.0069 days: too few to represent a site", "2 of 2 users have one job", "the period is in whole days, and the number of jobs scaled to match: 1 day, 288 jobs\n"} {
		if got.code != exitDone || !strings.Contains(got.err, want) {
			t.Errorf("want %q: %s", want, got.err)
		}
	}
}
