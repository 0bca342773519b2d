package cli

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/internal/reallogs"
	"github.com/loadstone-hpc/loadstone/live/forecast"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

const nowState1 = `; MaxProcs: 10
11 0 100 -1 8 -1 -1 8 2000 -1 -1 1 1 1 1 1 -1 -1
`

// nowPast are 60 ended jobs of one processor with waits of 1 to 60 s.
func nowPast() string {
	var b strings.Builder
	b.WriteString("; MaxProcs: 10\n")
	for i := 1; i <= 60; i++ {
		fmt.Fprintf(&b, "%d %d %d %d 1 -1 -1 1 100 -1 1 2 1 1 1 1 -1 -1\n", 100+i, i, i, i)
	}
	return b.String()
}

func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// The walk of a user: a state and a history cut from a real log say what the
// log itself says at that moment, and nothing of what came later.
func TestWaitOfRealLog(t *testing.T) {
	t.Parallel()
	whole := trace(t, "KTH-SP2-1996-2.1-cln.swf.gz")
	const now = 5000000
	state, past, future := cutLog(t, whole, now)
	args := []string{"--size", "4,32", "--time", "7200", "--judged", strconv.Itoa(longtest.Size(20, 400)), "--procs", "100"}
	answer := func(first ...string) string {
		got := loadstone(t, "", append(append([]string{"-q", "wait"}, first...), append(args, "--format", "csv")...)...)
		if got.code != exitDone {
			t.Fatalf("%v: %s", first, got.err)
		}
		return got.out
	}
	cut := answer(state, "--at", fmt.Sprint(now), past)
	if want := answer(whole, "--at", fmt.Sprint(now)); cut != want {
		t.Errorf("from the cut log\n%s\nfrom the whole one\n%s", cut, want)
	}
	if got := answer(state, "--at", fmt.Sprint(now), whole); got != cut {
		t.Errorf("with a history that goes on\n%s\nwithout\n%s", got, cut)
	}
	if got := answer(future, "--at", fmt.Sprint(now)); got != cut {
		t.Errorf("with other run times to come\n%s\nwant\n%s", got, cut)
	}
	if strings.Count(cut, "\n") < 20 {
		t.Errorf("only\n%s", cut)
	}
}

// cutLog writes what runs and waits at a moment, what had ended before, and
// the log up to then with run times of jobs that run twice as long.
func cutLog(t *testing.T, name string, now float64) (state, past, future string) {
	t.Helper()
	log, err := logfile.Open(name, workload.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	dir := t.TempDir()
	var jobs [3][]workload.Job
	for j, err := range log.Jobs() {
		if err != nil {
			t.Fatal(err)
		}
		standing := predict.StandingAt(&j, now)
		longer := j
		if standing == predict.Running {
			longer.Run *= 2
			j.Run, j.Status = math.NaN(), workload.Unknown
		}
		if standing == predict.Queued {
			j.Wait, j.Run, j.Status = math.NaN(), math.NaN(), workload.Unknown
		}
		switch standing {
		case predict.Running, predict.Queued:
			jobs[0] = append(jobs[0], j)
		case predict.Ended:
			jobs[1] = append(jobs[1], j)
		default:
			continue
		}
		jobs[2] = append(jobs[2], longer)
	}
	var paths [3]string
	for i, name := range []string{"state.swf", "past.swf", "future.swf"} {
		paths[i] = filepath.Join(dir, name)
		out, err := logfile.Create(paths[i], log.Header, workload.WriteOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := out.WriteAll(workload.Batches(workload.JobsOf(jobs[i]), nil)); err != nil {
			t.Fatal(err)
		}
		if err := out.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	if len(jobs[0]) < 10 {
		t.Fatalf("%d jobs run and wait: the moment tells nothing", len(jobs[0]))
	}
	return paths[0], paths[1], paths[2]
}

// --partition takes a name of the logs. Without --groups, bounds are from past waits of the
// partition.
func TestWaitOfPartition(t *testing.T) {
	squeue := writeFile(t, "squeue.txt", `JOBID|USER|PARTITION|STATE|SUBMIT_TIME|START_TIME|TIME|TIME_LIMIT|CPUS|REASON
7|bob|gpu|RUNNING|2024-05-31T10:00:00|2024-05-31T10:00:30|1:00:00|2:00:00|64|None
`)
	past := "JobID|User|Partition|State|Submit|Start|End|ElapsedRaw|TimelimitRaw|NCPUS\n"
	for i := range 80 {
		partition, wait := "cpu", 5
		if i%2 == 1 {
			partition, wait = "gpu", 50
		}
		past += fmt.Sprintf("%d|alice|%s|COMPLETED|2024-05-30T10:%02d:00|2024-05-30T10:%02d:%02d|2024-05-30T12:00:00|%d|120|4\n", 100+i, partition, i%60, i%60, wait, 600+i)
	}
	args := []string{"-q", "wait", squeue, writeFile(t, "past.txt", past), "--timezone", "UTC", "--procs", "100", "--size", "4", "--predictors", "bmbp", "--partition"}
	for partition, want := range map[string]float64{"cpu": 5, "gpu": 50} {
		var got forecast.Answer
		decode(t, &got, append(args, partition)...)
		if s := float64(got.Predictions[0].Bounds[0].Seconds); s != want || got.Request.Partition != partition {
			t.Errorf("%s: %+v, a bound of %g s, want %g", partition, got.Request, s, want)
		}
	}
	if got := loadstone(t, "", append(args, "gpu")...); !strings.Contains(got.out, "request: 4 processors, partition gpu\n") {
		t.Errorf("%s%s", got.err, got.out)
	}
	got := loadstone(t, "", append(args, "gup")...)
	if got.code != exitUsage || !strings.Contains(got.err, `--partition "gup": want a number, or a name of the logs: cpu, gpu`) {
		t.Errorf("exit code %d, %s", got.code, got.err)
	}
}

// Predictors without bounds have a table of their own instead of rows of dashes.
func TestWaitWithoutBounds(t *testing.T) {
	args := []string{"-q", "wait", writeFile(t, "state.swf", nowState1), writeFile(t, "past.swf", nowPast()), "--at", "200", "--size", "1,2", "--policy", "easy", "--time", "500", "--predictors"}
	got := loadstone(t, "", append(args, "drawn,simulated,estimates")...).out
	const want = "\nexpected wait only, without bounds:\nprocessors  predictor  expected\n         1  simulated     0 min\n         1  estimates     0 min\n"
	if !strings.Contains(got, want) || strings.Count(got, "1  simulated ") != 1 {
		t.Errorf("no %q in\n%s", want, got)
	}
	if got := loadstone(t, "", append(args, "simulated")...).out; !strings.Contains(got, "\n         1  simulated     0 min") || strings.Contains(got, "expected wait only") {
		t.Errorf("simulated alone:\n%s", got)
	}
}

// A percentage stands beside bounds from past waits alone.
func TestWaitPromisesNothing(t *testing.T) {
	out := loadstone(t, "", "wait", writeFile(t, "state.swf", nowState1), writeFile(t, "past.swf", nowPast()), "--at", "200", "--size", "4", "--policy", "fcfs", "--time", "500").out
	for _, line := range strings.Split(out, "\n") {
		if has := strings.Contains(line, "%)"); strings.Contains(line, "drawn") && has || strings.Contains(line, "estimates") && has || strings.Contains(line, " bmbp ") && !has {
			t.Error(line)
		}
	}
}

// Contradictions in a state name the line (predict has all of them); what is odd is left out.
func TestWaitContradictions(t *testing.T) {
	past := writeFile(t, "past.swf", nowPast())
	bad := writeFile(t, "bad.swf", nowState1+"12 0 100 -1 3 -1 -1 3 20 -1 -1 1 1 1 1 1 -1 -1\n")
	if got := loadstone(t, "", "wait", bad, past, "--at", "200", "--size", "2"); got.code != exitFailed || got.out != "" || !strings.Contains(got.err, bad+":3: allocated_processors: saw 3 more of running job 12") {
		t.Errorf("exit code %d, output %q, error %q", got.code, got.out, got.err)
	}
	state := writeFile(t, "state.swf", nowState1+"12 0 -1 -1 11 -1 -1 11 20 -1 -1 1 1 1 1 1 -1 -1\n13 0 -1 -1 -1 -1 -1 -1 20 -1 -1 1 1 1 1 1 -1 -1\n14 900 -1 -1 1 -1 -1 1 20 -1 -1 1 1 1 1 1 -1 -1\n")
	got := loadstone(t, "", "wait", state, past, "--at", "200", "--size", "2")
	for _, want := range []string{"once in line 3: job 12 of 11 processors, machine of 10 (larger-than-machine)", "once in line 4: job 13 (no-size)", "jobs submitted after the moment of the state: left out; once in line 5: job 14 (submitted-later)"} {
		if got.code != exitDone || !strings.Contains(got.err, want) {
			t.Errorf("exit code %d, error %q, want %q", got.code, got.err, want)
		}
	}
	if got := loadstone(t, "", "wait", state, past, "--at", "200", "--size", "11"); got.code != exitFailed || !strings.Contains(got.err, "size 11: the machine has 10 processors") {
		t.Errorf("a request above the machine: exit code %d, %q", got.code, got.err)
	}
	// The question is repeated, and one in seconds is doubted.
	for asked, want := range map[string]string{
		"4":  "request: 2 processors for 4 s (a number without a unit is in seconds; write 4h or 240min for hours and minutes)\n",
		"4h": "request: 2 processors for 4 h\n",
	} {
		if got := loadstone(t, "", "wait", state, past, "--at", "200", "--size", "2", "--time", asked); !strings.Contains(got.out, want) {
			t.Errorf("--time %s: got\n%s\nwant %q", asked, got.out, want)
		}
	}
	// Without history there is still the schedule by estimates.
	got = loadstone(t, "", "wait", writeFile(t, "s.swf", nowState1), "--size", "4", "--time", "60")
	if got.code != exitDone || !strings.Contains(got.out, "33.33 min") || !strings.Contains(got.out, "no drawn: no distribution of run times") || !strings.Contains(got.out, "no bmbp") {
		t.Errorf("without history: exit code %d, %s%s", got.code, got.out, got.err)
	}
}

func TestWaitUsage(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"s"}, "--size is missing"},
		{[]string{"s", "--size", "0"}, `--size: saw "0"`},
		{[]string{"s", "--size", "8-4"}, `--size: saw "8-4"`},
		{[]string{"s", "--size", "1,x"}, `--size: saw "x"`},
		{[]string{"s", "--size", "1", "--time", "0"}, "--time 0"},
		{[]string{"s", "--size", "1", "--time", "NaN"}, "--time NaN"},
		{[]string{"s", "--size", "1", "--policy", "priority"}, "--policy priority: want its queues"},
		{[]string{"s", "--size", "1", "--confidence", "0"}, "--confidence 0: want a number between 0 and 1"},
		{[]string{"s", "--size", "1", "--procs", "0"}, "--procs 0: want 1 or more"},
		{[]string{"s", "--size", "1", "--run-times", "1=2,4=0"}, `--run-times: saw "4=0"`},
		{[]string{"s", "--size", "1", "--run-times", "1=NaN"}, `--run-times: saw "1=NaN"`},
		{[]string{"s", "--size", "1", "--run-times", "1=2,0=2"}, `--run-times: saw "0=2"`},
		{[]string{"s", "--size", "1", "--run-times", "1=2,1=3"}, `saw "1=3"`},
		{[]string{"s", "--size", "1", "--run-times", "1=-2"}, `--run-times: saw "1=-2"`},
		{[]string{"-", "-", "--size", "1"}, "read only once"},
		{[]string{"--size", "1"}, "a state is missing"},
		{[]string{"s", "", "--size", "1"}, "the name of log 1 is empty"},
	} {
		got := loadstone(t, "", append([]string{"wait"}, c.args...)...)
		if got.code != exitUsage || got.out != "" || !strings.Contains(got.err, c.want) {
			t.Errorf("%q: exit code %d, output %q, error %q; want %d, none and %q", c.args, got.code, got.out, got.err, exitUsage, c.want)
		}
	}
	state := writeFile(t, "state.swf", nowState1)
	for at, want := range map[string]string{"noon": `--at "noon": want seconds or a time`, "2024-05-31T10:00:00": "seconds from the start of the state, which has no date", "Inf": `--at "Inf": want`} {
		if got := loadstone(t, "", "wait", state, "--size", "1", "--at", at); got.code != exitUsage || !strings.Contains(got.err, want) {
			t.Errorf("--at %s: exit code %d, %q, want %q", at, got.code, got.err, want)
		}
	}
}

// Flags of a sample are refused without one.
func TestPredictSampleUsage(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"log", "--predictors", "drawn"}, `--predictors "drawn": want it with a --sample of jobs`},
		{[]string{"log", "--sample", "0"}, "--sample 0: want 1 or more"},
		{[]string{"log", "--sample", "9", "--policy", "priority"}, "--policy priority: want its queues"},
	} {
		got := loadstone(t, "", append([]string{"predict"}, c.args...)...)
		if got.code != exitUsage || got.out != "" || !strings.Contains(got.err, c.want) {
			t.Errorf("%q: exit code %d, output %q, error %q; want %d, none and %q", c.args, got.code, got.out, got.err, exitUsage, c.want)
		}
	}
}

// What the user says and the state or its history does not bear out is remarked
// on, or refused where nothing is left of it.
func TestWaitRemarks(t *testing.T) {
	state, past := writeFile(t, "state.swf", nowState1), writeFile(t, "past.swf", nowPast())
	waits := writeFile(t, "waits.swf", nowState1+"12 150 -1 -1 4 -1 -1 4 20 -1 -1 1 1 1 1 1 -1 -1\n") // on 4 processors, of which 2 are free
	squeue := writeFile(t, "squeue.txt", "JOBID|USER|ST|SUBMIT_TIME|START_TIME|TIME|CPUS\n"+
		"1|ann|R|2024-05-01T09:00:00|2024-05-01T10:00:00|1:00:00|8\n")
	for _, c := range []struct {
		args []string
		want string
		code int
	}{
		{[]string{state, past, "--at", "200", "--size", "2", "--queue", "99"}, "no job of the state or its history has queue 99", 0},
		{[]string{state, past, "--at", "200", "--size", "2", "--user", "98"}, "no job of the state or its history has user 98", 0},
		{[]string{state, past, "--at", "200", "--size", "2", "--policy", "priority(queues=1,97)"}, "has queue 97", 0},
		{[]string{state, past, "--at", "200", "--size", "2", "--run-times", "4=10"}, "--run-times has none of the sizes 2: want the run time of at least one", 2},
		{[]string{state, past, "--at", "200", "--size", "2,4", "--time", "500", "--run-times", "2=4000,4=2000"}, "longer than the 500 s that it asks for on every size: none is chosen", 0},
		{[]string{waits, past, "--at", "200", "--size", "2"}, "downey-b-queue is first come, first served: under easy jobs go ahead", 0},
		{[]string{squeue, past, "--at", "2024-05-01T12:00:00", "--size", "2", "--procs", "10"}, "it was taken at 2024-05-01 11:00:00 UTC, not at 2024-05-01 12:00:00 UTC", 0},
	} {
		out := loadstone(t, "", append([]string{"wait", "--predictors", "downey-b-queue,bmbp"}, c.args...)...)
		if out.code != c.code || !strings.Contains(out.err, c.want) {
			t.Errorf("%q: exit %d, %s\nwant %d, %q", c.args, out.code, out.err, c.code, c.want)
		}
	}
	if out := loadstone(t, "", "wait", "--predictors", "downey-b-queue", waits, past, "--at", "200", "--size", "2", "--policy", "fcfs"); out.code != 0 || strings.Contains(out.err, "first come") {
		t.Errorf("fcfs: exit %d, %s", out.code, out.err)
	}
	// What they do bear out is not.
	out := loadstone(t, "", "wait", "--predictors", "downey-b-queue,bmbp", squeue, past, "--at", "2024-05-01T11:00:30", "--size", "2", "--procs", "10", "--user", "ann", "--queue", "1")
	if out.code != 0 || strings.Contains(out.err, "taken at") || strings.Contains(out.err, "no job of") {
		t.Errorf("exit %d: %s", out.code, out.err)
	}
}

// Many warnings of one log of the history are one line, those of the state stand alone, and
// JSON has all.
func TestWaitWarningsOfHistory(t *testing.T) {
	state, past := reallogs.Path(t, "slurm-json/squeue-22.05.json"), reallogs.Path(t, "slurm-json/sacct-22.05.json")
	args := []string{"wait", state, past, "--size", "4", "--procs", "64", "--predictors", "bmbp"}
	got := loadstone(t, "", args...)
	want := past + ": 5 warnings when read (waiting-tasks, never-started, waiting, running, submit-order); 'loadstone describe' shows each\n"
	if got.code != exitDone || !strings.Contains(got.err, want) || strings.Count(got.err, past) != 1 || !strings.Contains(got.err, state+": queued jobs left out") {
		t.Errorf("%d: %s", got.code, got.err)
	}
	var answer forecast.Answer
	decode(t, &answer, append([]string{"-q"}, args...)...)
	if len(answer.Warnings) < 6 {
		t.Errorf("%v", answer.Warnings)
	}
}
