package cli

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/fit/lifetimes"
)

// paperLogs are the names of logs in docs/findings/papers.md, and their files.
var paperLogs = map[string]string{
	"SDSC-Par-1996": "SDSC-Par-1996-3.1-cln.swf.gz",
	"CTC-SP2-1996":  "CTC-SP2-1996.simulated-waits.swf.gz",
	"KTH-SP2-1996":  "KTH-SP2-1996-2.1-cln.swf.gz",
}

// The commands of docs/findings/papers.md, each by words that no other has. The tests below
// run all of them.
var (
	table1Command       = []string{"lifetimes", "SDSC-Par-1996", "partition,class --least-jobs"}
	table4Command       = []string{"lifetimes", "CTC-SP2-1996"}
	table5Command       = []string{"lifetimes", "SDSC-Par-1996", "--months"}
	figure3Command      = []string{"fit", "SDSC-Par-1996"}
	figure6Command      = []string{"fit", "CTC-SP2-1996"}
	paragonWaitsCommand = []string{"predict", "SDSC-Par-1996"}
	ctcWaitsCommand     = []string{"predict", "CTC-SP2-1996"}
	kthWaitsCommand     = []string{"predict", "KTH-SP2-1996"}

	paperCommands = [][]string{table1Command, table4Command, table5Command, figure3Command, figure6Command, paragonWaitsCommand, ctcWaitsCommand, kthWaitsCommand}
)

// commandsOfPapers are the commands on real logs that docs/findings/papers.md shows: lines that
// begin with "    loadstone", with the log's name in place of its path.
func commandsOfPapers(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("../../../docs/findings/papers.md")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, line := range strings.Split(strings.ReplaceAll(string(text), "\\\n", ""), "\n") {
		if command, ok := strings.CutPrefix(line, "    loadstone "); ok {
			all = append(all, strings.Join(strings.Fields(command), " "))
		}
	}
	return all
}

// isPaperCommand says whether a command has all of the words.
func isPaperCommand(command string, has []string) bool {
	return strings.HasPrefix(command, has[0]+" ") &&
		!slices.ContainsFunc(has, func(w string) bool { return !strings.Contains(command, w) })
}

// paperCommand is the one command of docs/findings/papers.md that has all of the words, with
// the paths of its logs.
func paperCommand(t *testing.T, has []string) []string {
	t.Helper()
	for _, command := range commandsOfPapers(t) {
		if !isPaperCommand(command, has) {
			continue
		}
		args := shellWords(command)
		for i, a := range args {
			if file := paperLogs[a]; file != "" {
				args[i] = trace(t, file)
			}
		}
		return args
	}
	t.Fatalf("docs/findings/papers.md has no command loadstone %s", strings.Join(has, " "))
	return nil
}

// No command stands in docs/findings/papers.md that no test runs.
func TestEveryCommandOfThePapersIsRun(t *testing.T) {
	commands := commandsOfPapers(t)
	for _, command := range commands {
		n := 0
		for _, has := range paperCommands {
			if isPaperCommand(command, has) {
				n++
			}
		}
		if n != 1 {
			t.Errorf("loadstone %s: %d tests run it, want 1", command, n)
		}
	}
	if len(commands) != len(paperCommands) {
		t.Errorf("%d commands, and tests of %d", len(commands), len(paperCommands))
	}
}

// Tables 1 and 4 come from the commands that docs/findings/papers.md gives: jobs, lines and
// overlaps are those of an independent program (fit/lifetimes/testdata/classes.py).
func TestDowneyTables1And4ByCommand(t *testing.T) {
	var want struct {
		Rows []struct {
			Log       string             `json:"log"`
			Class     string             `json:"class"`
			Jobs      int64              `json:"jobs"`
			Intercept float64            `json:"intercept"`
			Slope     float64            `json:"slope"`
			RSquared  float64            `json:"r_squared"`
			Outlast   map[string]float64 `json:"outlast"`
		} `json:"rows"`
	}
	data, err := os.ReadFile("../../../fit/lifetimes/testdata/classes.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		log     string
		command []string
		labels  map[string]string
	}{
		{"SDSC-Par-1996", table1Command, map[string]string{"sequential": "partition_id=2, sequential", "short": "partition_id=2, short", "medium": "partition_id=2, medium", "long": "partition_id=2, long"}},
		{"CTC-SP2-1996", table4Command, map[string]string{"short": "requested_time_s<=3600", "medium": "requested_time_s=3600..21600", "long": "requested_time_s>21600"}},
	} {
		var r struct {
			Classes []struct {
				Class string `json:"class"`
				Jobs  int64  `json:"jobs"`
				Fit   struct {
					Parameters map[string]float64 `json:"parameters"`
				} `json:"fit"`
			} `json:"classes"`
			Overlap lifetimes.Overlap `json:"overlap"`
		}
		got := loadstone(t, "", append(paperCommand(t, c.command), "--format", "json")...)
		if err := json.Unmarshal([]byte(got.out), &r); err != nil {
			t.Fatal(err, got.err)
		}
		found := 0
		for _, w := range want.Rows {
			if w.Log != c.log {
				continue
			}
			row := slices.Index(r.Overlap.Labels, c.labels[w.Class])
			if row < 0 {
				t.Errorf("%s: no class %q", c.log, c.labels[w.Class])
				continue
			}
			found++
			k := r.Classes[row]
			if k.Class != c.labels[w.Class] || k.Jobs != w.Jobs {
				t.Errorf("%s %s: %d jobs of %s, want %d", c.log, w.Class, k.Jobs, k.Class, w.Jobs)
			}
			for name, x := range map[string]float64{"intercept": w.Intercept, "slope": w.Slope, "r_squared": w.RSquared} {
				if got := k.Fit.Parameters[name]; !near(got/x, 1) {
					t.Errorf("%s %s: %s %g, want %g", c.log, w.Class, name, got, x)
				}
			}
			for other, share := range w.Outlast {
				column := slices.Index(r.Overlap.Labels, c.labels[other])
				if got := float64(r.Overlap.Longer[row][column]); !near(got, share) {
					t.Errorf("%s: %g of %s outlast the median of %s, want %g", c.log, got, w.Class, other, share)
				}
			}
		}
		if found != len(c.labels) {
			t.Errorf("%s: %d classes, want %d", c.log, found, len(c.labels))
		}
	}
}

// Figures 3 and 6 are drawn by the commands that docs/findings/papers.md gives, with all jobs
// of their classes: as many as the independent program of tables 1 and 4 counts.
func TestDowneyFigures3And6ByCommand(t *testing.T) {
	for _, c := range []struct {
		command []string
		file    string
		want    []string
	}{
		{figure3Command, "figure3/run-times-by-partition_id-class.svg", []string{"partition 2, sequential", "partition 2, short", "partition 2, medium", "partition 2, long"}},
		// 29799 + 19650 + 27750 jobs.
		{figure6Command, "figure6/run-times-by-requested_time_s-1h-6h.svg", []string{"requested_time_s&lt;=3600", "requested_time_s=3600..21600", "requested_time_s&gt;21600", "77199 jobs of 3 classes"}},
	} {
		t.Run(c.file, func(t *testing.T) {
			args := paperCommand(t, c.command)
			t.Chdir(t.TempDir())
			got := loadstone(t, "", args...)
			svg, err := os.ReadFile(c.file)
			if got.code != exitDone || err != nil {
				t.Fatal(got.code, got.err, err)
			}
			for _, want := range append(c.want, "fitted") {
				if !strings.Contains(string(svg), want) {
					t.Errorf("%q is not in the picture", want)
				}
			}
		})
	}
}

// The classes of Downey's table 5 come from the command that docs/findings/papers.md gives, with
// as many jobs as an independent program counts (fit/lifetimes/testdata/drift.py). The medians
// and distances are tested there.
func TestDowneyTable5ByCommand(t *testing.T) {
	got := loadstone(t, "", append(paperCommand(t, table5Command), "--format", "json")...)
	var r struct {
		Drift []struct {
			Class string
			Steps []struct {
				Period string
				Jobs   int64
			}
		}
	}
	if err := json.Unmarshal([]byte(got.out), &r); err != nil {
		t.Fatal(err, got.err)
	}
	jobs := map[string]int64{}
	for _, d := range r.Drift {
		for _, s := range d.Steps {
			if s.Period == "1996-01 to 1996-04" {
				jobs[strings.TrimPrefix(d.Class, "partition_id=2, ")] = s.Jobs
			}
		}
	}
	for class, want := range map[string]int64{"sequential": 47, "q1ll": 192, "short": 841, "medium": 268, "long": 1347} { // q1l alone is sequential
		if jobs[class] != want {
			t.Errorf("%s: %d jobs, want %d", class, jobs[class], want)
		}
	}
}

// The correlations by classes are the independent program's of the same classes:
// shared/reference/independent-values.json, "with_classes", three digits.
func TestDowneyClassesOfWaitsByCommand(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		command []string
		want    map[string]float64
	}{
		{paragonWaitsCommand, map[string]float64{"downey-a": 0.726, "downey-b": 0.708, "downey-n32": 0.726}},
		{ctcWaitsCommand, map[string]float64{"downey-a": 0.666, "downey-b": 0.708, "downey-n32": 0.703}},
		{kthWaitsCommand, map[string]float64{"downey-a": 0.641, "downey-b": 0.692, "downey-n32": 0.692}},
	} {
		got := loadstone(t, "", append(paperCommand(t, c.command), "--format", "csv")...)
		rows, err := csv.NewReader(strings.NewReader(got.out)).ReadAll()
		if err != nil || len(rows) < 2 {
			t.Fatal(err, got.err)
		}
		at, found := slices.Index(rows[0], "correlation_log"), 0
		for _, row := range rows[1:] {
			want, ok := c.want[row[0]]
			if !ok {
				continue
			}
			found++
			cc, err := strconv.ParseFloat(row[at], 64)
			if err != nil || cc < want-0.005 || cc > want+0.005 {
				t.Errorf("%s %s: %s, want %g", c.command, row[0], row[at], want)
			}
		}
		if found != len(c.want) {
			t.Errorf("%s: %d predictors, want %d", c.command, found, len(c.want))
		}
	}
}
