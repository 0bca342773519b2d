package sweep

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/generate/population"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	model "github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// writeLog writes a synthetic log of users with several sessions each.
func writeLog(t *testing.T, path string, jobs int64, seed uint64) {
	t.Helper()
	site := jobtest.Must(model.Demo())
	w := jobtest.Must(population.New(site, population.Options{Jobs: jobs, Seed: seed}))
	out := jobtest.Must(logfile.Create(path, w.Header(new(population.Made), "test"), workload.WriteOptions{Columns: w.Optional()}))
	defer out.Abort()
	jobtest.NoError(t, out.WriteAll(workload.Batches(w.Jobs(t.Context()))))
	jobtest.NoError(t, out.Commit())
}

// planAt prepares a study in a directory that contains log.swf.
func planAt(t *testing.T, dir, text string) *Plan {
	t.Helper()
	if _, err := os.Stat(filepath.Join(dir, "log.swf")); err != nil {
		writeLog(t, filepath.Join(dir, "log.swf"), 300, 1)
	}
	return jobtest.Must(Prepare(t.Context(), filepath.Join(dir, "study.yaml"), []byte(text)))
}

// storeAt runs those parts of a plan that have no results in the store yet.
func storeAt(t *testing.T, folder string, p *Plan, workers int) *Store {
	t.Helper()
	s, err := OpenStore(folder, p)
	if err == nil {
		err = do(t.Context(), s, workers, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func do(ctx context.Context, s *Store, workers int, done func()) error {
	missing, err := s.Missing(ctx, 1, s.plan.Runs())
	if err != nil {
		return err
	}
	return s.Do(ctx, missing, workers, done)
}

// rows returns all rows of a store, as text.
func rows(t *testing.T, p *Plan, s *Store) string {
	t.Helper()
	table := jobtest.Must(p.Tabulate(t.Context(), s))
	var b strings.Builder
	jobtest.NoError(t, table.Rows(func(r Row) error { fmt.Fprintf(&b, "%+v\n", r); return nil }))
	return b.String()
}

// measured returns the measures of one run of a plan.
func measured(t *testing.T, p *Plan, number int) map[string]float64 {
	t.Helper()
	r := jobtest.Must(p.Run(t.Context(), number))
	all := map[string]float64{}
	for _, v := range r.Measures {
		all[v.Measure] = float64(v.Value)
	}
	return all
}

const smallStudy = "logs: [log.swf]\nmodels: [lublin1999]\njobs: 200\nloads: [.5, .9]\nseeds: 3\npolicies: [fcfs, easy]\nestimates: [perfect, last2]\nfeedback: [false, true]\n"

// The results do not depend on the order of runs or the number of cores. The script
// sweep-killed.txtar interrupts a study.
func TestSameResultsInAnyOrder(t *testing.T) {
	dir := t.TempDir()
	p := planAt(t, dir, smallStudy)
	want := rows(t, p, storeAt(t, filepath.Join(dir, "1"), p, 1))
	for _, workers := range []int{2, 7} {
		if rows(t, p, storeAt(t, filepath.Join(dir, fmt.Sprint(workers)), p, workers)) != want {
			t.Errorf("%d workers: other rows", workers)
		}
	}
	one := jobtest.Must(OpenStore(filepath.Join(dir, "one"), p))
	for _, k := range rand.New(rand.NewPCG(1, 1)).Perm(p.Runs()) {
		jobtest.NoError(t, one.Do(t.Context(), []int{k + 1}, 1, nil))
	}
	if rows(t, p, one) != want {
		t.Error("one by one: other rows")
	}
}

// All policies with the same log, load and seed simulate the same jobs; another seed gives other
// jobs.
func TestSameJobsForAllPolicies(t *testing.T) {
	dir := t.TempDir()
	p := planAt(t, dir, "logs: [log.swf]\nloads: [.7]\nseeds: 2\npolicies: [fcfs, easy]\n")
	var all [4]*jobs
	for k := range all {
		all[k] = jobtest.Must(p.read(t.Context(), k))
		if math.Abs(all[k].load-.7) > .05 {
			t.Errorf("run %d: load %g", k, all[k].load)
		}
	}
	same := func(a, b *jobs) bool { return cmp.Equal(a.all, b.all, cmpopts.EquateNaNs()) }
	if !same(all[0], all[1]) || !same(all[2], all[3]) || same(all[0], all[2]) {
		t.Error("want the same jobs for each policy, others for each seed")
	}
}

// The unchanged log has the schedule of evaluate.Schedule.
func TestLogAsItIs(t *testing.T) {
	dir := t.TempDir()
	p := planAt(t, dir, "logs: [log.swf]\nworkloads: log\npolicies: [easy]\nestimates: [last2]\n")
	got := measured(t, p, 1)
	log := jobtest.Must(logfile.Open(filepath.Join(dir, "log.swf"), workload.Options{}))
	defer log.Close()
	s := jobtest.Must(evaluate.Schedule(t.Context(), log, evaluate.ScheduleOptions{Policy: "easy", Estimates: "last2"}))
	for name, want := range map[string]float64{"jobs": 300, "wait_mean_s": float64(s.Whole.Wait.Mean), "bounded_slowdown_q95": float64(s.Whole.BoundedSlowdown.Q95), "utilisation": float64(s.Whole.Utilisation)} {
		if got[name] != want {
			t.Errorf("%s is %v, want %v", name, got[name], want)
		}
	}
	if r := p.at(0); r.Seed.Known() || !math.IsNaN(float64(r.Load)) {
		t.Errorf("%+v", r)
	}
}

// The same jobs are half the load for a machine of twice the size.
func TestLargerMachine(t *testing.T) {
	p := planAt(t, t.TempDir(), "logs: [log.swf]\nloads: [.9]\nprocessors: [128, 256]\npolicies: [fcfs]\n")
	small, large := measured(t, p, 1), measured(t, p, 2)
	if small["jobs"] != large["jobs"] || math.Abs(small["offered_load"]/large["offered_load"]-2) > 1e-12 || large["wait_mean_s"] >= small["wait_mean_s"] {
		t.Errorf("on 128 processors %v, on 256 %v", small, large)
	}
}

// Results and files that do not belong to the study cause an error with the file's name.
func TestStoreFaults(t *testing.T) {
	const study = "logs: [log.swf]\nloads: [.5]\npolicies: [fcfs, easy]\n"
	harmed := t.TempDir()
	whole := filepath.Join(harmed, "whole")
	jobtest.NoError(t, os.Mkdir(whole, 0o777))
	storeAt(t, filepath.Join(whole, "r"), planAt(t, whole, study), 0)
	for _, c := range []struct {
		name string
		harm func(t *testing.T, dir string)
		text string // of the study afterwards
		want string
	}{
		{"changed log", func(t *testing.T, dir string) { writeLog(t, filepath.Join(dir, "log.swf"), 301, 2) }, study, "log.swf: changed since the study began: its SHA-256 is "},
		{"other study", nil, study + "seeds: 2\n", `manifest.json: saw results of another study, "study" with 2 runs by version `},
		{"other file", func(t *testing.T, dir string) { replace(t, filepath.Join(dir, "r", "manifest.json"), "{", "") }, study, "manifest.json: saw no manifest of a study"},
		{"damaged", func(t *testing.T, dir string) {
			replace(t, filepath.Join(dir, "r", Path(2)), `"value":0.`, `"value":0..`)
		}, study, "0000002.json: saw a damaged result, want that of run 2 of study study; remove the file to run it again"},
		{"empty", func(t *testing.T, dir string) { os.Truncate(filepath.Join(dir, "r", Path(1)), 0) }, study, "0000001.json: saw a damaged result"},
		{"renamed", func(t *testing.T, dir string) {
			os.Rename(filepath.Join(dir, "r", Path(1)), filepath.Join(dir, "r", Path(2)))
		}, study, "0000002.json: saw the result of another run, want that of run 2"},
		{"missing", func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, "r", Path(2))) }, study, "1 of 2 runs are not done, the first of them run 2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(harmed, c.name)
			jobtest.NoError(t, os.CopyFS(dir, os.DirFS(whole)))
			if c.harm != nil {
				c.harm(t, dir)
			}
			p := planAt(t, dir, c.text)
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

// A study that cannot be run causes an error with the reason and the line of the input in the
// study, and without flags of another command.
func TestRunFaults(t *testing.T) {
	dir := t.TempDir()
	writeLog(t, filepath.Join(dir, "log.swf"), 300, 1)
	os.WriteFile(filepath.Join(dir, "bad.json"), []byte(`{"schema": "x"}`), 0o666)
	os.WriteFile(filepath.Join(dir, "people.json"), []byte(`{"schema": "loadstone.population/1"`), 0o666)
	path := filepath.Join(dir, "study.yaml")
	for _, c := range []struct{ study, want string }{
		{"policies: [fcfs]\nlogs: [log.swf, none.swf]\n", path + ":2: logs[1]: " + dir + "/none.swf: cannot be read: no such file"},
		{"policies: [fcfs]\njobs: 3\nmodels:\n- none.json\n", path + ":4: models[0]: " + dir + "/none.json: no such model file, and none of the published models "},
		{"policies: [fcfs]\njobs: 3\nmodels:\n- bad.json\n", path + ":4: models[0]: " + dir + `/bad.json:1: schema: saw "x", want one of loadstone.model/1`},
		{"policies: [fcfs]\njobs: 3\nlogs: [log.swf]\nmodels: [lublin1999, {file: log.swf, name: m}]\n", path + ":4: models[1]: " + dir + "/log.swf:2: "},
		{"policies: [fcfs]\njobs: 3\nmodels: [people.json]\n", path + ":3: models[0]: " + dir + "/people.json:1: "},
		{"logs: [.]\npolicies: [fcfs]\n", "not a regular file"},
		{"logs: [/proc/self/mem]\npolicies: [fcfs]\n", path + ":1: logs[0]: /proc/self/mem: "},
		{"logs: [study.yaml]\npolicies: [fcfs]\n", path + ":1: saw \"logs: [study.yaml]\", want a job log"},
		{"models: [lublin1999]\njobs: 30\npolicies: [easy]\n", "run 1 of study study, lublin1999, seed 1: no job has an estimate of its run time, which policy easy needs: estimates: [perfect], or a predictor"},
		{"logs: [{file: log.swf, processors: 1}]\nloads: [0.000000001]\nworkloads: scaled\npolicies: [fcfs]\n", "log at load 1e-09, seed 1: "},
	} {
		jobtest.NoError(t, os.WriteFile(path, []byte(c.study), 0o666))
		p, err := ReadPlan(t.Context(), path)
		if err == nil {
			_, err = p.Run(t.Context(), 1)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || errors.As(err, new(*workload.OptionError)) || strings.Contains(err.Error(), "`") {
			t.Errorf("%s\n got %v\nwant %s", c.study, err, c.want)
		}
	}
}

// A change of a log during the study is detected when the next workload is read.
func TestLogChangesWhileRunning(t *testing.T) {
	dir := t.TempDir()
	s := jobtest.Must(OpenStore(filepath.Join(dir, "r"), planAt(t, dir, "logs: [log.swf]\nloads: [.5, .6, .7, .8, .9]\npolicies: [fcfs, easy]\n")))
	changed := sync.OnceFunc(func() { writeLog(t, filepath.Join(dir, "log.swf"), 301, 2) })
	if err := do(t.Context(), s, 1, changed); err == nil || !strings.Contains(err.Error(), "log.swf: changed since the study began") {
		t.Errorf("got %v", err)
	}
}

func replace(t *testing.T, path, old, new string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(text), old) {
		t.Fatalf("%s: no %s, %v", path, old, err)
	}
	jobtest.NoError(t, os.WriteFile(path, []byte(strings.Replace(string(text), old, new, 1)), 0o666))
}
