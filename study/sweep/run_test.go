package sweep

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/generate/population"
	model "github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// writeLog writes a made log of users who come again.
func writeLog(t *testing.T, path string, jobs int64, seed uint64) {
	t.Helper()
	site, err := model.Demo()
	if err != nil {
		t.Fatal(err)
	}
	w, err := population.New(site, population.Options{Jobs: jobs, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	out, err := logfile.Create(path, w.Header(new(population.Made), "test"), workload.WriteOptions{Columns: w.Optional()})
	if err != nil {
		t.Fatal(err)
	}
	defer out.Abort()
	if err := out.WriteAll(workload.Batches(w.Jobs(t.Context()), nil)); err != nil {
		t.Fatal(err)
	}
	if err := out.Commit(); err != nil {
		t.Fatal(err)
	}
}

// planAt prepares a study in a folder that has log.swf.
func planAt(t *testing.T, dir, text string) *Plan {
	t.Helper()
	if _, err := os.Stat(filepath.Join(dir, "log.swf")); err != nil {
		writeLog(t, filepath.Join(dir, "log.swf"), 300, 1)
	}
	s, err := Decode(filepath.Join(dir, "study.yaml"), []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	p, err := Prepare(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func storeAt(t *testing.T, folder string, p *Plan) *Store {
	t.Helper()
	s, err := OpenStore(folder, p)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// rows are all rows of a store, as text.
func rows(t *testing.T, p *Plan, s *Store) string {
	t.Helper()
	table, err := p.Tabulate(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := table.Rows(func(r Row) error { fmt.Fprintf(&b, "%+v\n", r); return nil }); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const smallStudy = "logs: [log.swf]\nmodels: [lublin1999]\njobs: 200\nloads: [.5, .9]\nseeds: 3\npolicies: [fcfs, easy]\nestimates: [perfect, last2]\nfeedback: [false, true]\n"

// Whatever the order, the number of cores and the interruptions, the results are the same.
func TestSameResultsInAnyOrder(t *testing.T) {
	dir := t.TempDir()
	p := planAt(t, dir, smallStudy)
	var want string
	for i, workers := range []int{1, 2, 7} {
		s := storeAt(t, filepath.Join(dir, fmt.Sprint("all", workers)), p)
		if err := p.All(t.Context(), s, AllOptions{Workers: workers}); err != nil {
			t.Fatal(err)
		}
		if got := rows(t, p, s); i == 0 {
			want = got
		} else if got != want {
			t.Errorf("%d workers: other rows", workers)
		}
	}
	one := storeAt(t, filepath.Join(dir, "one"), p)
	for _, k := range rand.New(rand.NewPCG(1, 1)).Perm(p.Runs()) {
		if err := p.All(t.Context(), one, AllOptions{From: k + 1, To: k + 1}); err != nil {
			t.Fatal(err)
		}
	}
	if rows(t, p, one) != want {
		t.Error("one by one: other rows")
	}
	cut := storeAt(t, filepath.Join(dir, "cut"), p)
	for n := int64(1); ; n += 3 {
		ctx, stop := context.WithCancel(t.Context())
		var done atomic.Int64
		err := p.All(ctx, cut, AllOptions{Workers: 2, Done: func() {
			if done.Add(1) == n {
				stop()
			}
		}})
		stop()
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	if rows(t, p, cut) != want {
		t.Error("interrupted and resumed: other rows")
	}
}

// All policies of a log, load and seed have the same jobs; another seed has others.
func TestSameJobsForAllPolicies(t *testing.T) {
	dir := t.TempDir()
	p := planAt(t, dir, "logs: [log.swf]\nloads: [.7]\nseeds: 2\npolicies: [fcfs, easy]\n")
	var all [4]*jobs
	for k := range all {
		var err error
		if all[k], err = p.read(t.Context(), k); err != nil {
			t.Fatal(err)
		}
		if math.Abs(all[k].load-.7) > .05 {
			t.Errorf("run %d: load %g", k, all[k].load)
		}
	}
	same := func(a, b *jobs) bool { return cmp.Equal(a.all, b.all, cmpopts.EquateNaNs()) }
	if !same(all[0], all[1]) || !same(all[2], all[3]) || same(all[0], all[2]) {
		t.Error("want the same jobs for each policy, others for each seed")
	}
}

// The log as it is has the schedule of evaluate.Schedule.
func TestLogAsItIs(t *testing.T) {
	dir := t.TempDir()
	p := planAt(t, dir, "logs: [log.swf]\nworkloads: log\npolicies: [easy]\nestimates: [last2]\n")
	r, err := p.Run(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	log, err := logfile.Open(filepath.Join(dir, "log.swf"), workload.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	s, err := evaluate.Schedule(t.Context(), log, evaluate.ScheduleOptions{Policy: "easy", Estimates: "last2"})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, v := range r.Measures {
		got[v.Measure] = float64(v.Value)
	}
	for name, want := range map[string]float64{"jobs": 300, "wait_mean_s": float64(s.Whole.Wait.Mean), "bounded_slowdown_q95": float64(s.Whole.BoundedSlowdown.Q95), "utilisation": float64(s.Whole.Utilisation)} {
		if got[name] != want {
			t.Errorf("%s is %v, want %v", name, got[name], want)
		}
	}
	if r.Seed.Known() || !math.IsNaN(float64(r.Load)) {
		t.Errorf("%+v", r.Run)
	}
}

// The same jobs offer half the load to a machine of twice the size.
func TestLargerMachine(t *testing.T) {
	p := planAt(t, t.TempDir(), "logs: [log.swf]\nloads: [.9]\nprocessors: [128, 256]\npolicies: [fcfs]\n")
	got := make([]map[string]float64, p.Runs())
	for k := range got {
		r, err := p.Run(t.Context(), k+1)
		if err != nil {
			t.Fatal(err)
		}
		got[k] = map[string]float64{}
		for _, v := range r.Measures {
			got[k][v.Measure] = float64(v.Value)
		}
	}
	small, large := got[0], got[1]
	if small["jobs"] != large["jobs"] || math.Abs(small["offered_load"]/large["offered_load"]-2) > 1e-12 || large["wait_mean_s"] >= small["wait_mean_s"] {
		t.Errorf("on 128 processors %v, on 256 %v", small, large)
	}
}

func TestPredictors(t *testing.T) {
	dir := t.TempDir()
	p := planAt(t, dir, "logs: [log.swf]\nruntime: [last2, kernel]\nclasses: [user, site]\nwait: [simulated]\n")
	if p.Runs() != 5 {
		t.Fatalf("%d runs", p.Runs())
	}
	s := storeAt(t, filepath.Join(dir, "r"), p)
	if err := p.All(t.Context(), s, AllOptions{}); err != nil {
		t.Fatal(err)
	}
	log, err := logfile.Open(filepath.Join(dir, "log.swf"), workload.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	want, err := evaluate.RunTimes(t.Context(), log, evaluate.RunTimesOptions{Predictors: []string{"last2"}, Classes: []string{"user"}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Load(1)
	if err != nil || r.Measures[1] != (Value{"accuracy_mean", want.Scores[0].AccuracyMean}) {
		t.Errorf("%+v, %v, want %v", r, err, want.Scores[0].AccuracyMean)
	}
	if text := rows(t, p, s); strings.Count(text, "\n") != 4*4+5 {
		t.Errorf("%d rows", strings.Count(text, "\n"))
	}
}

// What does not belong to the study is an error that names its file.
func TestStoreFaults(t *testing.T) {
	const study = "logs: [log.swf]\nloads: [.5]\npolicies: [fcfs, easy]\n"
	for _, c := range []struct {
		name string
		harm func(t *testing.T, dir string)
		text string // of the study afterwards; "" for the same
		want string
	}{
		{"changed log", func(t *testing.T, dir string) { writeLog(t, filepath.Join(dir, "log.swf"), 301, 2) }, "", "log.swf: changed since the study began: its SHA-256 is "},
		{"other study", nil, study + "seeds: 2\n", `manifest.json: saw results of another study, with no seeds, want seeds: 2: give another folder`},
		{"other load", nil, strings.Replace(study, "[.5]", "[.5, .6]", 1), `saw results of another study, with no loads[1], want loads[1]: 0.6: give`},
		{"other policy", nil, strings.Replace(study, "easy", "sjf", 1), `with policies[1]: "easy", want policies[1]: "sjf": give`},
		{"other days", nil, study + "days: 30\n", `with no days, want days: 30: give`},
		{"other zone", nil, strings.Replace(study, "log.swf", "{file: log.swf, timezone: Europe/Zurich}", 1), `with logs[0]: "log", want logs[0]: "log, timezone Europe/Zurich": give`},
		{"a manifest that does not say", func(t *testing.T, dir string) {
			replace(t, filepath.Join(dir, "r", "manifest.json"), `"keys"`, `"other"`)
		}, study + "seeds: 2\n", `manifest.json: saw results of another study, "study" with 2 runs, want those of study "study" with 4 runs`},
		{"other version", func(t *testing.T, dir string) {
			replace(t, filepath.Join(dir, "r", "manifest.json"), `"version": "`, `"version": "9`)
		}, "", "manifest.json: saw results of version 9"},
		{"no manifest", func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, "r", "manifest.json")) }, "", "manifest.json: missing, although there are results such as "},
		{"damaged", func(t *testing.T, dir string) {
			replace(t, filepath.Join(dir, "r", Path(2)), `"value":0.`, `"value":0.1`)
		}, "",
			"0000002.json: saw a damaged file, whose checksum does not match, want the result of run 2; remove the file to run it again"},
		{"cut", func(t *testing.T, dir string) { os.Truncate(filepath.Join(dir, "r", Path(2)), 100) }, "", "0000002.json: saw a damaged file, want the result of run 2"},
		{"empty", func(t *testing.T, dir string) { os.Truncate(filepath.Join(dir, "r", Path(1)), 0) }, "", "0000001.json: saw a damaged file, want the result of run 1"},
		{"renamed", func(t *testing.T, dir string) {
			os.Rename(filepath.Join(dir, "r", Path(1)), filepath.Join(dir, "r", Path(2)))
		}, "", "0000002.json: saw the result of another study, want that of run 2 of study study"},
		{"missing", func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, "r", Path(2))) }, "", "1 of 2 runs are not done, the first of them run 2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			p := planAt(t, dir, study)
			s := storeAt(t, filepath.Join(dir, "r"), p)
			if err := p.All(t.Context(), s, AllOptions{}); err != nil {
				t.Fatal(err)
			}
			if c.harm != nil {
				c.harm(t, dir)
			}
			if c.text == "" {
				c.text = study
			}
			p = planAt(t, dir, c.text)
			s, err := OpenStore(filepath.Join(dir, "r"), p)
			if err == nil {
				_, err = p.Tabulate(t.Context(), s)
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

// Of two studies that begin in one folder at once, one gets it. Of one study, all do.
func TestStoresBegunAtOnce(t *testing.T) {
	dir := t.TempDir()
	plans := []*Plan{planAt(t, dir, "logs: [log.swf]\nloads: [.5]\npolicies: [fcfs]\n"), planAt(t, dir, "logs: [log.swf]\nloads: [.6]\npolicies: [fcfs]\n")}
	for i := range 200 {
		folder := filepath.Join(dir, fmt.Sprint("r", i))
		errs := make([]error, 6)
		var all sync.WaitGroup
		for k := range errs {
			all.Go(func() { _, errs[k] = OpenStore(folder, plans[k%2]) })
		}
		all.Wait()
		failed := [2]int{}
		for k, err := range errs {
			if err != nil {
				failed[k%2]++
				if !strings.Contains(err.Error(), "manifest.json: saw ") {
					t.Fatal(err)
				}
			}
		}
		if failed != [2]int{0, 3} && failed != [2]int{3, 0} {
			t.Fatalf("folder %d: %v, want one study to begin", i, errs)
		}
		if left, _ := filepath.Glob(filepath.Join(folder, ".*.tmp")); len(left) > 0 {
			t.Fatalf("left: %v", left)
		}
	}
}

// What cannot be run is an error that says why, not one of another command's flags.
func TestRunFaults(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ study, want string }{
		{"logs: [none.swf]\npolicies: [fcfs]\n", "none.swf: cannot be read: no such file"},
		{"logs: [.]\npolicies: [fcfs]\n", "not a regular file"},
		{"logs: [study.yaml]\npolicies: [fcfs]\n", filepath.Join(dir, "study.yaml") + ":1: saw \"logs: [study.yaml]\", want a job log"},
		{"models: [lublin1998]\njobs: 3\npolicies: [fcfs]\n", "lublin1998: no such model file, and none of the published models "},
		{"models: [lublin1999]\njobs: 30\npolicies: [easy]\n", "run 1 of study study, lublin1999, seed 1: no job has an estimate of its run time, which policy easy needs: estimates: [perfect], or a predictor"},
		{"logs: [{file: log.swf, processors: 1}]\nloads: [0.000000001]\nworkloads: scaled\npolicies: [fcfs]\n", "log at load 1e-09, seed 1: "},
	} {
		if err := os.WriteFile(filepath.Join(dir, "study.yaml"), []byte(c.study), 0o666); err != nil {
			t.Fatal(err)
		}
		writeLog(t, filepath.Join(dir, "log.swf"), 300, 1)
		p, err := ReadPlan(t.Context(), filepath.Join(dir, "study.yaml"))
		if err == nil {
			_, err = p.Run(t.Context(), 1)
		}
		var option *workload.OptionError
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(c.want, ":1: ") && !strings.HasPrefix(err.Error(), c.want) || errors.As(err, &option) || strings.Contains(err.Error(), "`") {
			t.Errorf("%s\n got %v\nwant %s", c.study, err, c.want)
		}
	}
}

// What is wrong with an input's file is an error with its place in the study.
func TestReadPlanFaults(t *testing.T) {
	dir := t.TempDir()
	writeLog(t, filepath.Join(dir, "log.swf"), 30, 1)
	os.WriteFile(filepath.Join(dir, "bad.json"), []byte(`{"schema": "x"}`), 0o666)
	os.WriteFile(filepath.Join(dir, "people.json"), []byte(`{"schema": "loadstone.population/1"`), 0o666)
	path := filepath.Join(dir, "study.yaml")
	for _, c := range []struct{ study, want string }{
		{"policies: [fcfs]\nlogs: [log.swf, none.swf]\n", ":2: column 17: logs[1]: " + dir + "/none.swf: cannot be read: no such file"},
		{"policies: [fcfs]\njobs: 3\nmodels:\n- none.json\n", ":4: column 3: models[0]: " + dir + "/none.json: no such model file, and none of the published models "},
		{"policies: [fcfs]\njobs: 3\nmodels:\n- bad.json\n", ":4: column 3: models[0]: " + dir + `/bad.json: model: schema: "x", want "loadstone.model/1"`},
		{"policies: [fcfs]\njobs: 3\nlogs: [log.swf]\nmodels: [lublin1999, {model: log.swf, name: m}]\n", ":4: column 22: models[1]: " + dir + "/log.swf: model: line 1 is not JSON"},
		{"policies: [fcfs]\njobs: 3\nmodels: [people.json]\n", ":3: column 10: models[0]: " + dir + "/people.json: "},
	} {
		if err := os.WriteFile(path, []byte(c.study), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := ReadPlan(t.Context(), path)
		var input *workload.InputError
		if err == nil || !strings.HasPrefix(err.Error(), path+c.want) || !errors.As(err, &input) {
			t.Errorf("%s\n got %v\nwant %s", c.study, err, c.want)
		}
	}
}

// A log that changes while the study runs is found when the next workload is read.
func TestLogChangesWhileRunning(t *testing.T) {
	dir := t.TempDir()
	p := planAt(t, dir, "logs: [log.swf]\nloads: [.5, .6, .7, .8, .9]\npolicies: [fcfs, easy]\n")
	s := storeAt(t, filepath.Join(dir, "r"), p)
	done := 0
	err := p.All(t.Context(), s, AllOptions{Workers: 1, Done: func() {
		if done++; done == 1 {
			writeLog(t, filepath.Join(dir, "log.swf"), 301, 2)
		}
	}})
	if err == nil || !strings.Contains(err.Error(), "log.swf: changed since the study began") {
		t.Errorf("got %v", err)
	}
}

// What a killed process has left is removed, whatever the folder is called, and what
// another process may be writing is not.
func TestTidy(t *testing.T) {
	dir := filepath.Join(t.TempDir(), `[a]*\?`)
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	p := planAt(t, dir, "logs: [log.swf]\npolicies: [fcfs]\n")
	s := storeAt(t, filepath.Join(dir, "r"), p)
	if err := p.All(t.Context(), s, AllOptions{}); err != nil {
		t.Fatal(err)
	}
	left := []string{"runs/0000/.0000001.json.1x.tmp", ".manifest.json.zz.tmp", ".table.csv.0.tmp"}
	written := []string{"runs/0000/.0000001.json.2x.tmp", ".table.csv.1.tmp"}
	for _, name := range slices.Concat(left, written, []string{"runs/0000/.mine"}) {
		path := filepath.Join(s.Folder, name)
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		if old := time.Now().Add(-2 * time.Hour); !slices.Contains(written, name) {
			if err := os.Chtimes(path, old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := s.Tidy(); err != nil {
		t.Fatal(err)
	}
	for _, name := range left {
		if _, err := os.Stat(filepath.Join(s.Folder, name)); err == nil {
			t.Errorf("%s is left", name)
		}
	}
	for _, name := range append(written, "runs/0000/.mine", Path(1), "manifest.json") {
		if _, err := os.Stat(filepath.Join(s.Folder, name)); err != nil {
			t.Error(err)
		}
	}
	os.Remove(filepath.Join(s.Folder, "manifest.json"))
	if _, err := OpenStore(s.Folder, p); err == nil || !strings.Contains(err.Error(), "missing, although there are results") {
		t.Errorf("got %v", err)
	}
}

func replace(t *testing.T, path, old, new string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(text), old) {
		t.Fatalf("%s: no %s, %v", path, old, err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(text), old, new, 1)), 0o666); err != nil {
		t.Fatal(err)
	}
}
