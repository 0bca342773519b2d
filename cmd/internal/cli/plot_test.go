package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestPlotDrawsEveryPicture: what the list has is drawn of a generated log, and
// is the picture that the command itself draws.
func TestPlotDrawsEveryPicture(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	jobs, log := filepath.Join(t.TempDir(), "jobs.parquet"), filepath.Join(dir, "log.parquet")
	for _, args := range [][]string{
		{"generate", "--model", "lublin1999", "--jobs", "4000", "--seed", "2", "--load", "0.9", "--users", "20", "--sessions", "-o", jobs},
		{"simulate", jobs, "--policy", "fcfs", "-o", log},
	} {
		if got := loadstone(t, "", args...); got.code != exitDone {
			t.Fatal(got.err)
		}
	}
	var list picturesJSON
	if got := loadstone(t, "", "plot", "--list", "--format", "json"); json.Unmarshal([]byte(got.out), &list) != nil || len(list.Pictures) < 30 {
		t.Fatalf("%d pictures: %s", len(list.Pictures), got.err)
	}
	logs := map[string][]string{"one": {log}, "one or two": {log}, "two": {log, "lublin2003"}, "three or more": {log, "lublin2003", "lublin1999-batch"}}
	for _, p := range list.Pictures {
		file := filepath.Join(dir, p.Name+".svg")
		args := slices.Concat([]string{"plot", p.Name}, logs[p.Logs], []string{"-o", file})
		switch {
		case p.Command == "allocate": // of drawn jobs
			args = append(args, "--", "--seeds", "1", "--days", "1")
		case p.Command == "grid":
			args = append(args, "--", "--grid", "das3", "--no-sites")
		case p.Logs == "one or two":
			args = append(args, "--", "--replicas", "2")
		case p.Logs != "one":
			args = append(args, "--", "--jobs", "2000")
		case strings.HasPrefix(p.Name, "wait-sample-"): // "drawn" simulates many schedules a job
			args = append(args, "--", "--sample", "150", "--predictors", "bmbp,simulated")
		case p.Name == "lifetimes-drift": // the log is of one month
			args = append(args, "--", "--months", "0", "--periods", "3")
		case p.Command == "fit":
			args = append(args, "--", "--family", "gamma")
		}
		got := loadstone(t, "", args...)
		picture, err := os.ReadFile(file)
		if got.code != exitDone || got.out != "" || err != nil || !bytes.Contains(picture, []byte("</svg>")) || !strings.Contains(got.err, file+": written") {
			t.Errorf("%s: %d %q %s, %v", p.Name, got.code, got.out, got.err, err)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != len(list.Pictures)+1 {
		t.Errorf("%d files in the folder, want the log and %d pictures: %v", len(entries), len(list.Pictures), err)
	}
	own := filepath.Join(dir, "own")
	if got := loadstone(t, "", "describe", log, "--plots", own); got.code != exitDone {
		t.Fatal(got.err)
	}
	a, errA := os.ReadFile(filepath.Join(own, "submissions.svg"))
	b, errB := os.ReadFile(filepath.Join(dir, "submissions.svg"))
	if errA != nil || errB != nil || !bytes.Equal(a, b) {
		t.Errorf("the command draws another picture: %v, %v", errA, errB)
	}
}

func TestPlotFormats(t *testing.T) {
	dir, log := t.TempDir(), generated(t)
	for ext, starts := range map[string]string{"png": "\x89PNG", "PDF": "%PDF-", "svg": "<?xml"} {
		file := filepath.Join(dir, "a."+ext)
		got := loadstone(t, "", "-q", "plot", "run-times", log, "-o", file, "--", "--family", "gamma")
		b, err := os.ReadFile(file)
		if got.code != exitDone || got.err != "" || err != nil || !strings.HasPrefix(string(b), starts) {
			t.Errorf("%s: %d %s, %v, %.10q", ext, got.code, got.err, err, b)
		}
		if ext == "PDF" && !bytes.Contains(b, []byte("/FontFile2")) {
			t.Error("the PDF does not embed its font")
		}
	}
}

func TestPlotUsage(t *testing.T) {
	log, dir := writeLog(t, tiny), t.TempDir()
	file, bare := filepath.Join(dir, "a.svg"), filepath.Join(t.TempDir(), "bare.csv")
	if err := os.WriteFile(bare, []byte("job_id,run_time\n1,5\n2,9\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
		code int
	}{
		{nil, "want what to draw, such as run-times", exitUsage},
		{[]string{"run-times", log, "--family", "gamma", "-o", file}, "unknown flag: --family; those of the command that draws go after --", exitUsage},
		{[]string{"run-times", log, "--list=maybe"}, `--list: saw "maybe", want true or false`, exitUsage},
		{[]string{"weather", log, "-o", file}, `"weather" is not a picture: 'loadstone plot --list' lists all `, exitUsage},
		{[]string{"remaining", log, "-o", file}, `"remaining" is not a picture: want remaining-lifetimes, or another of`, exitUsage},
		{[]string{"map-of-logs", log, "-o", file}, `"map-of-logs" is not a picture: want map, or another of`, exitUsage},
		{[]string{"", log, "-o", file}, `"" is not a picture: 'loadstone plot --list' lists all `, exitUsage},
		{[]string{"run-times", "-o", file}, "run-times takes one log, saw 0", exitUsage},
		{[]string{"run-times", log, log, "-o", file}, "run-times takes one log, saw 2", exitUsage},
		{[]string{"two-sizes", log, "-o", file}, "two-sizes takes two logs, saw 1", exitUsage},
		{[]string{"map", log, log, "-o", file}, "map takes three or more logs, saw 2", exitUsage},
		{[]string{"twin-waits", "-o", file}, "twin-waits takes one or two logs, saw 0", exitUsage},
		{[]string{"twin-waits", log, log, log, "-o", file}, "twin-waits takes one or two logs, saw 3", exitUsage},
		{[]string{"malleable-work", log, log, "-o", file}, "malleable-work takes none or one log, saw 2", exitUsage},
		{[]string{"grid-wait", log, "-o", file}, "; 'plot' takes flags of 'grid' after --", exitUsage},
		{[]string{"malleable-sweep-savings", log, "-o", file, "--", "--sigma", "1"}, "is not drawn: want --sweep with a parameter", exitFailed},
		{[]string{"run-times", log}, "--output is missing", exitUsage},
		{[]string{"run-times", log, "-o", "a.gif"}, "a.gif: want a name that ends in .svg, .png, .pdf", exitUsage},
		{[]string{"run-times", log, "-o", file, "--format", "json"}, "--format is for --list", exitUsage},
		{[]string{"--list", log, log}, "--list goes alone, or with one log", exitUsage},
		{[]string{"--list", "nowhere.swf"}, "nowhere.swf: no such file", exitFailed},
		{[]string{"--list", log, "-o", file}, "--list goes alone, or with one log", exitUsage},
		{[]string{"run-times", log, "-o", filepath.Join(dir, "no", "a.svg")}, "the folder " + filepath.Join(dir, "no") + " does not exist", exitFailed},
		{[]string{"run-times", log, "-o", file, "--", "--family", "magic"}, `"magic" is none of`, exitUsage},
		{[]string{"two-sizes", bare, bare, "-o", file}, bare + ": two-sizes is not drawn: size needs values of 1 or more in both", exitFailed},
		{[]string{"run-times", "nowhere.swf", "-o", file}, "nowhere.swf: no such file", exitFailed},
	} {
		got := loadstone(t, "", append([]string{"plot"}, c.args...)...)
		if got.code != c.code || !strings.Contains(got.err, c.want) || got.out != "" {
			t.Errorf("%q: %d %q %s, want %d and %q", c.args, got.code, got.out, got.err, c.code, c.want)
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) > 0 {
		t.Errorf("a failure left %v", entries)
	}
}

// What stands behind -- may ask for help, and not for other files.
func TestPlotFlagsOfTheCommand(t *testing.T) {
	log, file := generated(t), filepath.Join(t.TempDir(), "a.svg")
	if got := loadstone(t, "", "plot", "run-times", log, "-o", file, "--", "--help"); got.code != exitDone || !strings.Contains(got.out, "loadstone fit") {
		t.Errorf("%d %s%s", got.code, got.out, got.err)
	}
	other := filepath.Join(t.TempDir(), "other")
	for _, c := range []struct{ what, flag string }{
		{"run-times", "--plots=" + other}, {"run-times", "--format=json"}, {"run-times", "-o" + other + ".json"}, {"submissions", "-qo" + other + ".json"},
		{"wait-scatter-simulated", "--predictions=" + other + ".csv"}, {"malleable-work", "--per-job=" + other + ".csv"}, {"grid-wait", "--placements=" + other + ".csv"},
	} {
		got := loadstone(t, "", "plot", c.what, log, "-o", file, "--", c.flag)
		if got.code != exitUsage || !strings.Contains(got.err, "'plot' writes only the picture\nSee 'loadstone plot --help'") {
			t.Errorf("%s: %d %s", c.flag, got.code, got.err)
		}
	}
	if left, _ := filepath.Glob(other + "*"); len(left) > 0 {
		t.Errorf("%v was written", left)
	}
	// Only what is said of the picture.
	if got := loadstone(t, "", "plot", "weekly-cycle", log, "-o", file); got.code != exitDone || got.err != file+": written\n" {
		t.Errorf("%d %q", got.code, got.err)
	}
}

// TestPlotFlagsOfBefore: --lifetimes was what --by is, as 'fit' drew the picture.
func TestPlotFlagsOfBefore(t *testing.T) {
	log, dir := generated(t), t.TempDir()
	var drawn [3]string
	for i, flags := range [][]string{{"--by", "size:4"}, {"--lifetimes", "size:4"}, {"--lifetimes=size:4"}} {
		file := filepath.Join(dir, "a.svg")
		got := loadstone(t, "", append([]string{"plot", "lifetimes-drift", log, "-o", file, "--", "--months", "0", "--periods", "2"}, flags...)...)
		b, err := os.ReadFile(file)
		if got.code != exitDone || err != nil || strings.Contains(got.err, "--lifetimes is deprecated and will be removed in 1.0: use --by") != (i > 0) {
			t.Errorf("%q: %d %s, %v", flags, got.code, got.err, err)
		}
		drawn[i] = string(b)
	}
	if drawn[1] != drawn[0] || drawn[2] != drawn[0] {
		t.Error("the flag of before draws another picture")
	}
}

// TestPlotOfLittle: of logs that lack what pictures are of, each is drawn, or one
// line says why not.
func TestPlotOfLittle(t *testing.T) {
	header := []string{"; MaxProcs: 16", "; UnixStartTime: 820454400"}
	rows := []string{
		"1 0 10 5 1 -1 -1 1 10 -1 1 1 1 1 1 -1 -1 -1", "2 60 20 90 2 -1 -1 2 100 -1 1 1 1 1 1 -1 -1 -1",
		"3 400 0 3600 4 -1 -1 4 4000 -1 1 2 1 1 1 -1 -1 -1", "4 4000 300 70 8 -1 -1 8 80 -1 1 2 1 1 2 -1 -1 -1",
		"5 9000 5 1000 1 -1 -1 1 1000 -1 1 3 1 1 2 -1 -1 -1",
	}
	without := func(fields ...int) string {
		var b strings.Builder
		b.WriteString(strings.Join(header, "\n") + "\n")
		for _, row := range rows {
			values := strings.Fields(row)
			for _, i := range fields {
				values[i-1] = "-1"
			}
			b.WriteString(strings.Join(values, " ") + "\n")
		}
		return b.String()
	}
	const few = "5 jobs, want at least 100 (--least-jobs is how many); 'plot' takes flags of 'fit' after --"
	for _, c := range []struct {
		name, log string
		left      map[string]string // pictures that cannot be drawn, and why
		drawn     []string
	}{
		{"five", without(), map[string]string{
			"daily-cycle": few, "weekly-cycle": few, "share-by-size": few, "run-times-by-size": few,
			"remaining-lifetimes": "no age has 10 jobs that run longer",
			"lifetimes-drift":     "there are not two stretches of time (--months) with jobs; 'plot' takes flags of 'lifetimes' after --",
			"run-times-by-kind":   "want column=value,... of the interactive jobs; 'plot' takes flags of 'fit' after --",
			"run-time-best":       "want predictions with and without the classes user-app-size-site",
		}, []string{"sizes", "sizes-qq", "interarrivals-density", "run-times-by-queue", "two-daily-cycles"}},
		{"one", strings.Join(append(header, strings.Replace(rows[0], " 1 10 -1 ", " 1 -1 -1 ", 1)), "\n") + "\n", map[string]string{
			"interarrivals": "no job has an interarrival time", "run-time-accuracy": "nothing was predicted", "wait-burst": "have 10 that waited",
		}, []string{"submissions", "run-times", "sizes-density"}},
		{"no sizes", without(5, 8), map[string]string{
			"sizes": "no job has a size", "work-qq": "no job has a size and a run time", "wait-scatter-simulated": "no job has a time of submission and a size and a run time",
		}, []string{"run-times"}},
		{"no queues", without(15), map[string]string{"run-times-by-queue": "no job has a queue_id and a run time"}, []string{"run-times"}},
		{"no clock", strings.Replace(without(), header[1]+"\n", "", 1), map[string]string{
			"daily-cycle": "the header does not say when the log began", "weekly-cycle": "the header does not say when the log began",
		}, []string{"sizes"}},
		{"no waits", without(3), map[string]string{"wait-coverage": "no job has a known wait"}, []string{"work-pp"}},
		{"no users", without(12), map[string]string{
			"wait-burst": "no job has a known wait and a user", "run-time-best": "no job has a time of submission and a run time and a user",
		}, []string{"run-time-accuracy"}},
	} {
		dir, log := t.TempDir(), writeLog(t, c.log)
		listed := lacksOf(t, log)
		for _, k := range kindsOfPictures() {
			why, left := c.left[k.name]
			if flag := doWithout[k.command]; flag != "" && k.inputs() != "none" && !strings.HasSuffix(listed[k.name], flag) {
				t.Errorf("%s: %s: the list says %q, want %s", c.name, k.name, listed[k.name], flag)
			}
			if doWithout[k.command] != "" || c.name != "five" && !left && !slices.Contains(c.drawn, k.name) {
				continue
			}
			file := filepath.Join(dir, k.name+".svg")
			args := slices.Concat([]string{"plot", k.name}, slices.Repeat([]string{log}, max(1, k.logs)), []string{"-o", file})
			got := loadstone(t, "", args...)
			_, err := os.Stat(file)
			said := strings.TrimSuffix(got.err, "See 'loadstone plot --help'.\n")
			if (got.code == exitDone) != (err == nil) || got.code == exitUsage && k.name != byKindPlot || strings.Count(said, "\n") != 1 {
				t.Errorf("%s: %s: %d, %v: %s", c.name, k.name, got.code, err, got.err)
			}
			// The list says no less, and never of what can be drawn.
			if got.code == exitDone && listed[k.name] != "" || listed[k.name] != "" && k.name != byKindPlot && !strings.Contains(got.err, listed[k.name]) {
				t.Errorf("%s: %s: the list says %q; drawn: %s", c.name, k.name, listed[k.name], got.err)
			}
			if left && (got.code == exitDone || !strings.Contains(got.err, why)) || slices.Contains(c.drawn, k.name) && got.code != exitDone {
				t.Errorf("%s: %s: %d %s, want %q", c.name, k.name, got.code, got.err, why)
			}
		}
	}
}

// lacksOf is what the list says that a log lacks.
func lacksOf(t *testing.T, log string) map[string]string {
	t.Helper()
	var list picturesJSON
	if got := loadstone(t, "", "plot", "--list", log, "--format", "json"); got.code != exitDone || json.Unmarshal([]byte(got.out), &list) != nil {
		t.Fatalf("%d %s", got.code, got.err)
	}
	lacks := map[string]string{}
	for _, p := range list.Pictures {
		if p.Lacks == nil {
			t.Fatalf("%s: the list says nothing of the log", p.Name)
		}
		lacks[p.Name] = *p.Lacks
	}
	return lacks
}

// picturesJSON is the list of 'plot --list'.
type picturesJSON struct {
	Schema   string
	Pictures []struct {
		Name, What, Logs, Command, Figure string
		Lacks                             *string
	}
}
