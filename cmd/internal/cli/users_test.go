package cli

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
)

// A log's users are fitted, and jobs drawn from them have the log's load, or the one
// asked for; the same seed gives the same bytes.
func TestFormUsers(t *testing.T) {
	log, dir := writeLog(t, usersLog()), t.TempDir()
	model := filepath.Join(dir, "site.json")
	if got := loadstone(t, "", "fit", log, "--form", "users", "-o", model); got.code != exitDone || !strings.Contains(got.err, "6 users in") {
		t.Fatalf("%d: %s", got.code, got.err)
	}
	for name, x := range map[string]struct {
		args []string
		load float64
	}{
		// 100 jobs a week of 4 processors; mean run time 60 + 2500 s or so.
		"same.swf": {nil, 0},
		"long.swf": {[]string{"--days", "200", "--load", "0.3", "--seed", "5"}, .3},
		"jobs.swf": {[]string{"--jobs", "900", "--load", "0.01"}, .01},
	} {
		first, again := filepath.Join(dir, name), filepath.Join(dir, "again-"+name)
		for _, out := range []string{first, again} {
			got := loadstone(t, "", append([]string{"generate", "--model", model, "-o", out}, x.args...)...)
			if got.code != exitDone {
				t.Fatalf("%s: %s", name, got.err)
			}
			_, told, _ := strings.Cut(got.err, "offered load: ")
			var load, of float64
			fmt.Sscan(told, &load)
			_, told, _ = strings.Cut(got.err, "the log's is ")
			fmt.Sscan(told, &of)
			if x.load == 0 {
				x.load = of
			}
			if !(math.Abs(load/x.load-1) <= .01) {
				t.Errorf("%s: load %g, want %g", name, load, x.load)
			}
		}
		if mustRead(t, first) != mustRead(t, again) {
			t.Errorf("%s: the same seed makes other jobs", name)
		}
	}
}

func TestFormUsersFaults(t *testing.T) {
	log, dir := writeLog(t, usersLog()), t.TempDir()
	model := filepath.Join(dir, "site.json")
	if got := loadstone(t, "", "fit", log, "--form", "users", "-o", model); got.code != exitDone {
		t.Fatal(got.err)
	}
	edited := writeFile(t, "edited.json", strings.Replace(mustRead(t, model), `"bag_gap": 60`, `"bag_gap": -60`, 1))
	for _, c := range []struct{ args, want string }{
		{"fit " + log + " --form users", "want -o"},
		{"fit " + log + " --form users --by kind -o x.json", "--by does not go with --form users"},
		{"fit " + log + " --form other", "lublin2003"},
		{"generate --model " + model + " --check", "--check does not go with"},
		{"generate --model " + model + " --days 3 --jobs 2 -o x.swf", "either --days or --jobs"},
		{"generate --model " + model + " --jobs 0 -o x.swf", "--jobs 0"},
		{"generate --model " + edited + " -o x.swf", "sessions.bag_gap: -60"},
	} {
		if got := loadstone(t, "", strings.Fields(c.args)...); got.code == exitDone || !strings.Contains(got.err, c.want) {
			t.Errorf("%s: %d %q, want %q", c.args, got.code, got.err, c.want)
		}
	}
}
