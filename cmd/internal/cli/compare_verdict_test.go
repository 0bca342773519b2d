package cli

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
)

// Ten weeks on one processor, a job of 100 s at the begin of each week and one of
// 1 s ten seconds later, which waits for 90 s. The twin has the second job after
// 50 s: it waits for 50 s (evaluate.TestCompareVerdictByHand has the numbers).
func TestCompareSchedule(t *testing.T) {
	dir := t.TempDir()
	of := func(name string, second int) string {
		var rows []string
		for week := range 10 {
			at := week * 7 * 86400
			rows = append(rows, fmt.Sprintf("%d %d -1 100 1 -1 -1 1 200 -1 1 1 1 1 1 1 -1 -1", 2*week+1, at),
				fmt.Sprintf("%d %d -1 1 1 -1 -1 1 1 -1 1 2 1 1 1 1 -1 -1", 2*week+2, at+second))
		}
		return logOf(t, dir, name, "; MaxProcs: 1\n", rows...)
	}
	a, b := of("a.swf", 10), of("b.swf", 50)
	args := []string{"compare", a, b, "--schedule", "fcfs,easy"}
	// The same bytes on any number of cores.
	one := loadstone(t, "", append(args, "--format", "json")...)
	for _, cores := range []string{"1", "3"} {
		t.Setenv("GOMAXPROCS", cores)
		if again := loadstone(t, "", append(args, "--format", "json")...); again.out != one.out {
			t.Error("another result on", cores)
		}
	}
	table := loadstone(t, "", args...)
	for _, want := range []string{"B as a twin of A; the waits of both are simulated, on 1 processor with user estimates", "wait_mean_s", "differs", "200 draws of its 9 weeks", ", of waits (B + 60 s) / (A + 60 s); "} {
		if !strings.Contains(table.out, want) {
			t.Errorf("lacks %q:\n%s", want, table.out)
		}
	}
	// It answers whether B is like A: the waits differ from those of equal weeks, the jobs do not.
	_, twin, _ := strings.Cut(table.out, "\nB as a twin of A")
	for _, line := range lines(twin) {
		want := map[string]string{"wait_mean_s": "differs", "run_time_s": "no difference", "utilisation": "no difference"}
		if name, _, _ := strings.Cut(line, " "); !strings.HasSuffix(line, want[name]) {
			t.Errorf("want %s: %s", want[name], line)
		}
	}
	if !strings.Contains(table.out, "\nB differs from A no more than A's weeks do in ") {
		t.Errorf("no answer:\n%s", table.out)
	}
	if same := loadstone(t, "", "compare", a, a, "--schedule", "fcfs"); !strings.Contains(same.out, "B differs from A no more than A's weeks do in all of ") {
		t.Errorf("of a log and itself:\n%s", same.out)
	}
	// Without it, a log of eight weeks or more points to it.
	const hint = "is B like A? jobs are not independent, so use --schedule"
	if plain := loadstone(t, "", "compare", a, b); !strings.Contains(plain.out, hint) || strings.Contains(table.out, hint) {
		t.Errorf("the plain comparison lacks %q, or the verdict has it:\n%s", hint, plain.out)
	}
	got := loadstone(t, "", append(args, "--format", "csv")...)
	rows, err := csv.NewReader(strings.NewReader(got.out)).ReadAll()
	workloads, schedules := score.VerdictNames()
	const ofGPUs = 8 // rows of GPUs, nodes and memory, which these logs do not have
	if err != nil || len(rows) != 1+len(workloads)-ofGPUs+2*len(schedules) || !slices.Contains(rows[1], "run_time_s") {
		t.Errorf("%v: %s", err, got.out)
	}
	// Conditions.
	for _, c := range []struct {
		require string
		code    int
		want    string
	}{
		{"ratio(wait_mean_s,easy)>=0.8", exitDone, ""},
		{"factor(wait_mean_s,easy)<=1.2", exitThreshold, "--require 'factor(wait_mean_s,easy)<=1.2': it is 1.23529"},
		{"factor(wait_mean_s,easy,open)<=1.3", exitDone, ""},
		{"distance(run_time_s)<=0.05", exitDone, ""},
		{"difference(same_user_as_before)<=0.1", exitDone, ""},
		{"ratio(dispersion_1_h)<=1", exitDone, ""},
		{"factor(wait_mean_s,easy,closed)<=1.3", exitUsage, "want after the policy open"},
		{"ratio(wait_mean_s,sjf)<=1", exitUsage, "want wait_mean_s and a policy of --schedule"},
		{"ratio(wait_mean_s)<=1", exitUsage, "want wait_mean_s and a policy of --schedule"},
		{"ratio(weather)<=1", exitUsage, `saw "weather", want a row: run_time_s,`},
		{"ratio(run_time_s)<=1", exitUsage, "run_time_s is compared as a distance, not as a ratio"},
		{"distance(run_time_s,easy)<=1", exitUsage, "want run_time_s alone"},
		{"rank(run_time_s)<=1", exitUsage, "want --replicas with it"},
		{"inside_pct(all)>=80", exitUsage, "want --replicas 19 or more with it"},
		{"colour(all)>=80", exitUsage, `"colour" is none of ratio, factor`},
	} {
		if got := loadstone(t, "", append(args, "--require", c.require)...); got.code != c.code || !strings.Contains(got.err, c.want) {
			t.Errorf("%s: %d %s", c.require, got.code, got.err)
		}
	}
}

func TestCompareVerdictUsage(t *testing.T) {
	a := writeLog(t, tiny)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{a, a, "--replicas", "20"}, "--replicas of a second log: want a model, or --like for twins of the log"},
		{[]string{"lublin1999", a, "--schedule", "easy"}, "--schedule with a model as the first input: want a log"},
		{[]string{a, "--replicas", "20"}, "--like compares one log with twins of it"},
		{[]string{a, a, "--like"}, "want one"},
		{[]string{a, a, "--schedule", "easy", "--procs", "-3"}, "--procs -3"},
	} {
		if got := loadstone(t, "", append([]string{"compare"}, c.args...)...); got.code != exitUsage || !strings.Contains(got.err, c.want) {
			t.Errorf("%q: %d %q, want %q", c.args, got.code, got.err, c.want)
		}
	}
	bare := logOf(t, t.TempDir(), "bare.swf", "", "1 0 -1 10 1 -1 -1 1 -1 -1 1 1 1 1 0 1 -1 -1", "2 9 -1 10 1 -1 -1 1 -1 -1 1 1 1 1 0 1 -1 -1")
	if got := loadstone(t, "", "compare", bare, bare, "--schedule", "easy"); got.code != exitFailed || !strings.Contains(got.err, "bare.swf: the header has neither MaxProcs nor MaxNodes: give --procs") {
		t.Errorf("%d %s", got.code, got.err)
	}
	gpus := filepath.Join(t.TempDir(), "gpus.csv")
	if err := os.WriteFile(gpus, []byte("job_id,submit_time_s,run_time_s,requested_gpus\n1,0,10,2\n2,5,10,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := loadstone(t, "", "compare", gpus, gpus, "--schedule", "easy"); got.code != exitFailed || !strings.Contains(got.err, "gpus.csv: no job has processors, by which the policies schedule") {
		t.Errorf("%d %s", got.code, got.err)
	}
	// As the error says: job 2 waits for the end of job 1 at 10, from 5 on.
	if got := loadstone(t, "", "compare", gpus, gpus, "--schedule", "easy", "--procs", "2", "--map", "requested_processors=requested_gpus", "--format", "csv"); got.code != exitDone || !strings.Contains(got.out, "wait_mean_s,easy,open,ratio,2.5,2.5,") {
		t.Errorf("%d %s%s", got.code, got.out, got.err)
	}
	got := loadstone(t, "", "compare", bare, bare, "--schedule", "easy", "--procs", "1", "--format", "json")
	if got.code != exitDone || !strings.Contains(got.err, "the log's own variability is unknown: it has 0 whole weeks, and at least 8") || strings.Contains(got.out, "NaN") {
		t.Errorf("%d %s", got.code, got.err)
	}
	if got := loadstone(t, "", "compare", bare, bare, "--schedule", "easy", "--procs", "1", "--estimates", "user"); got.code != exitFailed || !strings.Contains(got.err, "bare.swf: no job has an estimate") {
		t.Errorf("%d %s", got.code, got.err)
	}
}

// Ten weeks on one processor. Job 1 of user 1 runs for 100 s from the begin of the
// week, job 2 of user 2 for 50 s: it comes at 10 s and waits for 90 s. Job 3 says
// that it waits for job 2 and is thought about for 5 s. It comes at 60 s in the log:
// open it waits for 90 s, until 150 s. Closed it comes at 155 s and does not wait.
func TestCompareFeedbackByHand(t *testing.T) {
	var rows []string
	for week := range 10 {
		at, id := week*7*86400, 3*week
		rows = append(rows, fmt.Sprintf("%d %d -1 100 1 -1 -1 1 100 -1 1 1 1 1 1 1 -1 -1", id+1, at),
			fmt.Sprintf("%d %d -1 50 1 -1 -1 1 50 -1 1 2 1 1 1 1 -1 -1", id+2, at+10),
			fmt.Sprintf("%d %d -1 10 1 -1 -1 1 10 -1 1 2 1 1 1 1 %d 5", id+3, at+60, id+2))
	}
	a := logOf(t, t.TempDir(), "a.swf", "; MaxProcs: 1\n", rows...)
	var d score.Compared
	decode(t, &d, "compare", a, a, "--schedule", "fcfs,conservative", "--feedback", "--require", "ratio(wait_mean_s,fcfs,closed)<=1")
	for _, policy := range []string{"fcfs", "conservative"} {
		for loop, want := range map[string][2]float64{"open": {60, 90}, "closed": {30, 0}} {
			mean, median := d.Verdict.Row("wait_mean_s", policy, loop), d.Verdict.Row("wait_median_s", policy, loop)
			if mean == nil || !near(mean.A, want[0]) || !near(median.A, want[1]) || !near(mean.Compared, 1) || mean.NoDifference == nil || !*mean.NoDifference {
				t.Errorf("%s %s: %+v %+v", policy, loop, mean, median)
			}
		}
	}
}

// Twins of a log by resampling: what they have from it is pinned.
func TestCompareLike(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "log.swf")
	if got := loadstone(t, "", "generate", "--model", "demo", "--days", "70", "--load", "0.1", "--seed", "3", "-o", log, "-q"); got.code != exitDone {
		t.Fatal(got.err)
	}
	args := []string{"compare", log, "--like", "--replicas", "3", "--schedule", "easy", "-q", "--format", "json"}
	var d score.Compared
	decode(t, &d, args[:len(args)-2]...)
	v := d.Verdict
	for _, name := range []string{"run_time_s", "users", "work_by_user_gini"} {
		if r := v.Row(name, "", ""); !r.Pinned || r.Inside != nil || math.IsNaN(float64(r.Rank)) {
			t.Errorf("%+v", r)
		}
	}
	if r := v.Row("utilisation", "easy", ""); !r.Pinned || r.Inside != nil {
		t.Errorf("%+v", r)
	}
	if r := v.Row("wait_mean_s", "easy", ""); r.Pinned || r.RankOf != 4 || r.Inside != nil || v.Bootstraps != 200 || stats.Number(v.Replicas) != 3 {
		t.Errorf("%+v", r)
	}
	if w := d.Workloads; w[1].Name != "twin" || w[1].Kind != "twin" || w[0].Jobs != w[1].Jobs {
		t.Errorf("%+v", w)
	}
	// B is what generate --like makes.
	twin := filepath.Join(dir, "twin.swf")
	if got := loadstone(t, "", "generate", "--like", log, "--seed", "1", "-o", twin, "-q"); got.code != exitDone {
		t.Fatal(got.err)
	}
	var file score.Compared
	decode(t, &file, "compare", log, twin, "--schedule", "easy", "-q")
	for i, r := range file.Verdict.Rows {
		if x := v.Rows[i]; x.Name != r.Name || math.Abs(float64(x.Compared-r.Compared)) > 1e-9 {
			t.Errorf("by --like %+v, of the file %+v", x, r)
		}
	}
	got := loadstone(t, "", args...)
	if strings.Contains(got.out, "NaN") || got.code != exitDone {
		t.Error(got.err)
	}
	if _, err := os.Stat("twin"); err == nil {
		t.Error("a file called twin")
	}
}

// Twins are drawn from a model of users, each from a seed of its own.
func TestCompareModelOfUsers(t *testing.T) {
	dir := t.TempDir()
	log, model := filepath.Join(dir, "log.swf"), filepath.Join(dir, "users.json")
	for _, args := range [][]string{
		{"generate", "--model", "demo", "--days", "63", "--load", "0.1", "-o", log},
		{"fit", log, "--form", "users", "-o", model},
	} {
		if got := loadstone(t, "", args...); got.code != exitDone {
			t.Fatal(got.err)
		}
	}
	var d score.Compared
	decode(t, &d, "compare", log, model, "--schedule", "easy", "--replicas", "3", "--seed", "5")
	if d.Verdict == nil || d.Verdict.Seed != 5 || d.Workloads[1].Seed == nil {
		t.Fatalf("%+v", d.Verdict)
	}
	for name, within := range map[string][2]float64{"offered_load": {.98, 1.02}, "users": {1, 1}} {
		if r := d.Verdict.Row(name, "", ""); r == nil || !r.Pinned || float64(r.Compared) < within[0] || float64(r.Compared) > within[1] {
			t.Errorf("%s: %+v, want it pinned and within %v", name, r, within)
		}
	}
	// Were the three one twin, the log would be the first or last of each row.
	between := 0
	for _, r := range d.Verdict.Rows {
		if !r.Pinned && (r.Rank == 2 || r.Rank == 3) && r.RankOf == 4 {
			between++
		}
	}
	if between == 0 {
		t.Error("the log lies between the twins in no row")
	}
}

// A log that was drawn from a model is near it; from another model it is far. Two samples of
// 1000 independent values are farther apart than 0.1 once in 10,000 times.
func TestCompareRequiresOfAModel(t *testing.T) {
	log := filepath.Join(t.TempDir(), "drawn.swf")
	if got := loadstone(t, "", "-q", "generate", "--model", "lublin1999-batch", "--jobs", "1000", "--seed", "3", "-o", log); got.code != exitDone {
		t.Fatal(got.err)
	}
	args := []string{"compare", log, "lublin1999-batch"}
	for _, c := range []string{"distance(size_processors)<=0.1", "distance(run_time_s)<=0.1", "distance(run_time_s,1)<=0.2", "factor(offered_load)<=2"} {
		args = append(args, "--require", c)
	}
	if got := loadstone(t, "", args...); got.code != exitDone {
		t.Errorf("%d %s", got.code, got.err)
	}
	args[2] = "lublin1999-interactive"
	got := loadstone(t, "", args...)
	for _, want := range []string{"distance(run_time_s)<=0.1': it is ", "distance(run_time_s,1)<=0.2': it is "} {
		if got.code != exitThreshold || !strings.Contains(got.err, want) {
			t.Errorf("%d %s, want %s", got.code, got.err, want)
		}
	}
	got = loadstone(t, "", "compare", log, "lublin1999-batch", "--require", "distance(run_time_s,20000-30000)<=1", "--require", "distance(daily_cycle)<=0")
	if got.code != exitThreshold || !strings.Contains(got.err, "the ranges are 1, 2, 3-4, 5-8") || !strings.Contains(got.err, "distance(daily_cycle)<=0': it is ") {
		t.Errorf("%d %s", got.code, got.err)
	}
	got = loadstone(t, "", "compare", log, "lublin1999-interactive", "--replicas", "20", "--require", "inside_pct(all)>=80", "-q")
	if got.code != exitThreshold || !strings.Contains(got.err, "--require 'inside_pct(all)>=80': it is") {
		t.Errorf("%d %s", got.code, got.err)
	}
	for condition, want := range map[string]string{
		"ratio(daily_cycle)<=1":        "daily_cycle is compared as a distance, not as a ratio",
		"distance(run_time_s,many)<=1": "saw \"run_time_s,many\", want run_time_s alone",
	} {
		if got := loadstone(t, "", "compare", log, "lublin1999-batch", "--require", condition); got.code != exitUsage || !strings.Contains(got.err, want) {
			t.Errorf("%d %s, want %s", got.code, got.err, want)
		}
	}
}
