package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/model/population"
)

// -o alone writes a model of users; flags about laws, and --form lublin2003, that of
// Lublin and Feitelson.
func TestFormByDefault(t *testing.T) {
	log, dir := writeLog(t, usersLog()), t.TempDir()
	for args, schema := range map[string]string{
		"":                          population.Schema,
		"--procs 8":                 population.Schema,
		"--form users":              population.Schema,
		"--form lublin2003":         model.Schema,
		"--family gamma":            model.Schema,
		"--by user --least-jobs 20": model.Schema,
	} {
		file := filepath.Join(dir, "model.json")
		got := loadstone(t, "", slices.Concat([]string{"-q", "fit", log, "-o", file}, strings.Fields(args))...)
		if got.code != exitDone || !strings.Contains(mustRead(t, file), strconv.Quote(schema)) {
			t.Errorf("%q: %d %s: the model is not of %s", args, got.code, got.err, schema)
		}
		if got.out == "" != (schema == population.Schema) {
			t.Errorf("%q prints %.80q", args, got.out)
		}
	}
	// Commands that want laws say which model they were given.
	users := filepath.Join(dir, "users.json")
	if got := loadstone(t, "", "fit", log, "-o", users); got.code != exitDone {
		t.Fatal(got.err)
	}
	for args, want := range map[string]string{
		"fit " + users + " " + users + " --form lublin2003 -o x.json": "a model of users, want one of distributions: 'loadstone fit LOG --form lublin2003",
	} {
		if got := loadstone(t, "", strings.Fields(args)...); got.code == exitDone || !strings.Contains(got.err, want) || !strings.Contains(got.err, "saw a model of users, want one of distributions") {
			t.Errorf("%s: %d %s, want %q", args, got.code, got.err, want)
		}
	}
	got := loadstone(t, mustRead(t, users), "generate", "--model", "-", "--days", "1", "-o", filepath.Join(dir, "in.swf"))
	if want := loadstone(t, "", "generate", "--model", users, "--days", "1", "-o", filepath.Join(dir, "file.swf")); got.code != exitDone || want.code != exitDone || mustRead(t, filepath.Join(dir, "in.swf")) != mustRead(t, filepath.Join(dir, "file.swf")) {
		t.Errorf("a model of users from standard input: %d %s", got.code, got.err)
	}
}

// A model may be a pipe, which can be read once.
func TestModelFromPipe(t *testing.T) {
	log, dir := writeLog(t, usersLog()), t.TempDir()
	users := filepath.Join(dir, "users.json")
	loadstone(t, "", "fit", log, "-o", users)
	laws := filepath.Join(dir, "laws.json")
	loadstone(t, "", "models", "show", "lublin1999", "-o", laws)
	for i, c := range []struct{ model, args string }{
		{laws, "generate --jobs 3 --model"}, {users, "generate --days 1 --model"},
	} {
		pipe := filepath.Join(dir, fmt.Sprintf("pipe%d.json", i))
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Skip(err)
		}
		text := []byte(mustRead(t, c.model))
		go os.WriteFile(pipe, text, 0o600)
		done := make(chan outcome, 1)
		go func() { done <- loadstone(t, "", append(append([]string{"-q"}, strings.Fields(c.args)...), pipe)...) }()
		select {
		case got := <-done:
			if got.code != exitDone && got.code != exitThreshold {
				t.Errorf("%s: %d %s", c.args, got.code, got.err)
			}
		case <-time.After(time.Minute):
			t.Fatalf("%s: the pipe is read a second time", c.args)
		}
	}
}

func TestFormUsersFaults(t *testing.T) {
	log, dir := writeLog(t, usersLog()), t.TempDir()
	site := filepath.Join(dir, "site.json")
	if got := loadstone(t, "", "fit", log, "--form", "users", "-o", site); got.code != exitDone {
		t.Fatal(got.err)
	}
	edited := writeFile(t, "edited.json", strings.Replace(mustRead(t, site), `"bag_gap": 60`, `"bag_gap": -60`, 1))
	for _, c := range []struct{ args, want string }{
		{"fit " + log + " --form users", "want -o"},
		{"fit " + log + " --form users --by kind -o x.json", "--by does not go with --form users"},
		{"fit " + log + " --form other", "lublin2003"},
		{"generate --model " + site + " --days 3 --jobs 2 -o x.swf", "either --jobs or --days"},
		{"generate --model " + site + " --jobs 0 -o x.swf", "--jobs 0"},
		{"generate --model " + edited + " -o x.swf", "sessions.bag_gap: -60"},
	} {
		if got := loadstone(t, "", strings.Fields(c.args)...); got.code == exitDone || !strings.Contains(got.err, c.want) {
			t.Errorf("%s: %d %q, want %q", c.args, got.code, got.err, c.want)
		}
	}
}

// Flags go with a model of users, or an error says what to do instead.
func TestUsersFlags(t *testing.T) {
	log, dir := writeLog(t, usersLog()), t.TempDir()
	site, out := filepath.Join(dir, "site.json"), filepath.Join(dir, "out.swf")
	if got := loadstone(t, "", "fit", log, "-o", site); got.code != exitDone {
		t.Fatal(got.err)
	}
	for args, want := range map[string]string{
		"--procs 8":                          "",
		"--start 2026-03-02":                 "",
		"--set load.cv=0.5 --set name=other": "",
		"--procs 1":                          "or more, the largest size",
		"--start 2026-03-03":                 "such as 2026-03-09",
		"--set load.cv=-1":                   "load.cv",
		"--set users.strata[9].users=3":      "users.strata",
		"--set load":                         "want PATH=VALUE",
		"--method stationary":                "lublin2003",
	} {
		got := loadstone(t, "", slices.Concat([]string{"-q", "generate", "--model", site, "-o", out}, strings.Fields(args))...)
		if (got.code == exitDone) != (want == "") || !strings.Contains(got.err, want) {
			t.Errorf("%s: %d %s, want %q", args, got.code, got.err, want)
		}
	}
	if text := mustRead(t, out); !strings.Contains(text, "Computer: other") && !strings.Contains(text, "Start") {
		t.Errorf("%.300s", text)
	}
}
