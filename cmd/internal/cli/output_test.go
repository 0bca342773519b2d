package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// No report, side file or part takes the place of the log, nor of a secret
// key: under no name, and not where the log comes in on standard input.
func TestInputsAreNotReplaced(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	log, key := at("log.csv"), at("key.swf")
	const text = "job_id,submit_time_s,run_time_s,allocated_processors,user_id\n1,0,5,1,7\n2,3,5,1,8\n"
	secret := strings.Repeat("secret ", 9)
	for name, content := range map[string]string{log: text, key: secret} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(log, at("link.csv")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(key, at("link.json")); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(log, at("hard.csv")); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"validate", log, "-o", log},
		{"validate", log, "-o", at("link.csv")},
		{"validate", log, "-o", at("hard.csv")},
		{"validate", "-", "-o", log},
		{"describe", log, "-o", log},
		{"clean", log, "--filter", "user=7", "-o", log}, {"convert", at("link.csv"), "-o", log}, {"anonymise", log, "-o", at("hard.csv")}, {"sample", log, "--jobs", "1", "-o", log},
		{"scale", log, "--load", ".5", "-o", log}, {"simulate", log, "--procs", "8", "-o", log},
		{"generate", "--like", log, "--jobs", "2", "-o", at("link.csv")},
		{"describe", "-", "-o", at("link.csv")},
		{"fit", key, "-o", at("link.json")}, // to the key
		{"runtime", log, "--predictions", log},
		{"runtime", log, "--predictions", at("x.csv"), "-o", at("x.csv")},
		{"predict", log, "--predictions", dir + "/./log.csv"},
		{"runtime", "-", "-o", log},
		{"predict", "-", "-o", log},
		{"clean", "-", "--filter", "user=7", "--removed", log, "-o", at("x.swf")},
		{"anonymise", "-", "-o", at("x.swf"), "--mapping", log},
		{"anonymise", log, "-o", key, "--key", key},
		{"anonymise", log, "-o", at("x.swf"), "--key", key, "--mapping", key},
		{"split", "-", "-o", at("{value}g.csv"), "--by", "user_id"},
	} {
		if args[0] == "split" {
			if err := os.Rename(log, at("7g.csv")); err != nil {
				t.Fatal(err)
			}
			log = at("7g.csv")
		}
		in, err := os.Open(log)
		if err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		code := run(context.Background(), args, Streams{in, &out, &errs})
		in.Close()
		if code == exitDone || !strings.Contains(errs.String(), "want another name") && !strings.Contains(errs.String(), "is also the input") {
			t.Errorf("%q: exit code %d, %s", args, code, errs.String())
		}
		for name, content := range map[string]string{log: text, key: secret} {
			if b, err := os.ReadFile(name); err != nil || string(b) != content {
				t.Fatalf("%q replaced %s by %q: %v", args, name, b, err)
			}
		}
	}
}

// A name that is empty, as a shell's variable that is not set, is wrong usage.
func TestEmptyNames(t *testing.T) {
	log := writeLog(t, tiny)
	for _, args := range [][]string{
		{"convert", ""},
		{"split", log, "-o", "", "--parts", "2"},
	} {
		if got := loadstone(t, "", args...); got.code != exitUsage || got.out != "" {
			t.Errorf("%q: exit code %d, %q", args, got.code, got.err)
		}
	}
}
