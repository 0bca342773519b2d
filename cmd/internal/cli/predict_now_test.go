package cli

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
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

func (n *nowJSON) row(t *testing.T, size int64, predictor string) nowRowJSON {
	t.Helper()
	for _, r := range n.Predictions {
		if r.Processors == size && r.Predictor == predictor {
			return r
		}
	}
	t.Fatalf("no prediction by %s for %d processors in %+v", predictor, size, n.Predictions)
	return nowRowJSON{}
}

// A job of 8 of 10 processors has run for 100 s of the 2000 that it asked for.
// A request of 2 starts at once, one of 4 after its end: by the estimate in
// 1900 s. The 60 past waits of jobs of up to 4 processors are 1 to 60 s: their
// bounds are the 37th, the 54th and the 60th (R: qbinom(0.95, 60, q) + 1), with
// pbinom(k-1, 60, q) for confidence.
func TestPredictNowByHand(t *testing.T) {
	state, past := writeFile(t, "state.swf", nowState1), writeFile(t, "past.swf", nowPast())
	var n nowJSON
	decode(t, &n, "predict", "--now", state, past, "--at", "200", "--size", "2,4", "--time", "500", "--speedup", "4,0", "--sequential", "8000", "--policy", "fcfs")
	if n.Schema != "loadstone.predict-now/1" || n.State.Free != 2 || n.State.Running != 1 || n.State.Queued != 0 || n.History.Ended != 60 || n.History.Waits != 61 {
		t.Errorf("state %+v, history %+v", n.State, n.History)
	}
	for _, p := range []string{"downey-a-exact", "downey-b-queue", "drawn", "simulated", "estimates"} {
		if r := n.row(t, 2, p); r.Expected != 0 {
			t.Errorf("%s: 2 free processors in %g s", p, r.Expected)
		}
	}
	if r := n.row(t, 4, "estimates"); r.Expected != 1900 || len(r.Bounds) != 3 || r.Bounds[0].Seconds != 1900 || !math.IsNaN(float64(r.Bounds[0].Achieved)) {
		t.Errorf("estimates: %+v, want 1900 s, a bound", r)
	}
	for i, want := range []nowBoundJSON{{0.5, 37, 0.9538}, {0.8, 54, 0.9692}, {0.95, 60, 0.9539}} {
		if got := n.row(t, 4, "bmbp").Bounds[i]; got.Quantile != want.Quantile || got.Seconds != want.Seconds || math.Abs(float64(got.Achieved-want.Achieved)) > 5e-5 {
			t.Errorf("bmbp: %+v, want %+v", got, want)
		}
	}
	// A exact is the law's own quantile for one running job: its remaining
	// lifetime at the age of 100 s, past t_max = 65.6 s the age over (1-q) less
	// the age: 100, 400 and 1900 s, without a mean.
	r := n.row(t, 4, "downey-a-exact")
	if !math.IsNaN(float64(r.Expected)) && r.Expected != 0 { // null decodes to 0
		t.Errorf("A exact's mean is %g", r.Expected)
	}
	for i, want := range []float64{100, 400, 1900} {
		if got := float64(r.Bounds[i].Seconds); math.Abs(got-want) > 1e-6*want {
			t.Errorf("A exact: %g s, want %g", got, want)
		}
	}
	// B: 8 t/(100+t) = 2.
	if r := n.row(t, 4, "downey-b-queue"); math.Abs(float64(r.Expected)-100./3) > 1e-6 {
		t.Errorf("B: %g s, want 33.3", r.Expected)
	}
	// Turnaround: 8000 s on one processor are 4000 on 2 and 2000 on 4, all above
	// --time: none is chosen.
	for _, c := range n.Turnarounds {
		if c.Least != nil {
			t.Errorf("%s chooses %d processors, whose run would be killed", c.Predictor, *c.Least)
		}
	}
	// Without the limit: 4000 by 2; by 4 B's 33 + 2000, the estimates' 3900.
	decode(t, &n, "predict", "--now", state, past, "--at", "200", "--size", "2-4", "--speedup", "4,0", "--sequential", "8000", "--predictors", "downey-b-queue,estimates,bmbp")
	for i, want := range []float64{100./3 + 2000, 3900} {
		c := n.Turnarounds[i]
		if c.Least == nil || *c.Least != 4 || math.Abs(float64(c.Sizes[1].Turnaround)-want) > 1e-6 || c.Sizes[0].Turnaround != 4000 {
			t.Errorf("%+v, want 4 processors in %g s", c, want)
		}
	}
	if len(n.Turnarounds) != 2 {
		t.Errorf("%d turnarounds: bmbp has no expected wait", len(n.Turnarounds))
	}
	// A table of run times that has no 2.
	out := loadstone(t, "", "predict", "--now", state, past, "--at", "200", "--size", "2,4", "--run-times", "4=10", "--predictors", "estimates")
	if !strings.Contains(out.err, "--run-times has no run time on 2 processors") || !strings.Contains(out.out, "1910 s least") {
		t.Errorf("%s%s", out.err, out.out)
	}
}

// The walk of a user: a state and a history cut from a real log say what the
// log itself says at that moment, and nothing of what came later.
func TestPredictNowOfRealLog(t *testing.T) {
	whole := trace(t, "KTH-SP2-1996-2.1-cln.swf.gz")
	const now = 5000000
	state, past, future := cutLog(t, whole, now)
	args := []string{"--size", "4,32", "--time", "7200", "--draws", "60", "--procs", "100"}
	answer := func(first ...string) string {
		got := loadstone(t, "", append(append([]string{"-q", "predict"}, first...), append(args, "--format", "csv")...)...)
		if got.code != exitDone {
			t.Fatalf("%v: %s", first, got.err)
		}
		return got.out
	}
	cut := answer("--now", state, "--at", fmt.Sprint(now), past)
	if want := answer("--now", whole, "--at", fmt.Sprint(now)); cut != want {
		t.Errorf("from the cut log\n%s\nfrom the whole one\n%s", cut, want)
	}
	if got := answer("--now", state, "--at", fmt.Sprint(now), whole); got != cut {
		t.Errorf("with a history that goes on\n%s\nwithout\n%s", got, cut)
	}
	if got := answer("--now", future, "--at", fmt.Sprint(now)); got != cut {
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
	log, err := workload.Open(name, workload.Options{})
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
		out, err := workload.Create(paths[i], log.Header, workload.WriteOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := out.WriteAll(workload.Batches(func(yield func(workload.Job, error) bool) {
			for _, j := range jobs[i] {
				if !yield(j, nil) {
					return
				}
			}
		}, nil)); err != nil {
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

// Names of a squeue listing and of a sacct log are matched by their texts, and
// their times by their dates.
func TestPredictNowOfSlurm(t *testing.T) {
	squeue := writeFile(t, "squeue.txt", `JOBID|USER|QOS|STATE|SUBMIT_TIME|START_TIME|TIME|TIME_LIMIT|CPUS|REASON
7|bob|long|RUNNING|2024-05-31T10:00:00|2024-05-31T10:00:30|1:00:00|2:00:00|64|None
8|alice|short|PENDING|2024-05-31T10:30:00|N/A|0:00|1:00:00|100|Resources
`)
	var b strings.Builder
	b.WriteString("JobID|User|QOS|State|Submit|Start|End|ElapsedRaw|TimelimitRaw|NCPUS\n")
	for i := range 80 {
		queue, wait := "short", 5
		if i%2 == 1 {
			queue, wait = "long", 50
		}
		fmt.Fprintf(&b, "%d|alice|%s|COMPLETED|2024-05-30T10:%02d:00|2024-05-30T10:%02d:%02d|2024-05-30T12:00:00|%d|120|4\n", 100+i, queue, i%60, i%60, wait, 600+i)
	}
	sacct := writeFile(t, "sacct.txt", b.String())
	var n nowJSON
	args := []string{"predict", "--now", squeue, sacct, "--timezone", "Europe/Zurich", "--procs", "100", "--size", "4", "--groups", "queue_id"}
	for queue, want := range map[string]stats.Number{"short": 5, "long": 50} {
		decode(t, &n, append(args, "--queue", queue)...)
		if got := n.row(t, 4, "bmbp").Bounds[0].Seconds; got != want {
			t.Errorf("queue %s: %g s, want %g", queue, got, want)
		}
	}
	if n.State.Time != "2024-05-31T11:00:30+02:00" || n.State.Running != 1 || n.State.Queued != 1 || n.History.Ended != 80 {
		t.Errorf("state %+v, history %+v", n.State, n.History)
	}
	// Job 7 ends by its limit at 12:00:30, in an hour; job 8 then holds all for
	// an hour. 4 processors beside job 7 are to be had for an hour, by backfilling.
	decode(t, &n, append(args, "--policy", "fcfs")...)
	if got := n.row(t, 4, "estimates"); got.Expected != 7200 {
		t.Errorf("estimates: %+v, want 7200 s", got)
	}
	decode(t, &n, append(args, "--time", "3600")...)
	if got := n.row(t, 4, "estimates"); got.Expected != 0 {
		t.Errorf("an hour: %+v, want a start at once", got)
	}
	got := loadstone(t, "", append(args, "--queue", "medium")...)
	if got.code != exitUsage || !strings.Contains(got.err, `--queue: queue "medium" is in no log: want a number or one of long, short`) {
		t.Errorf("exit code %d, %s", got.code, got.err)
	}
	bad := writeFile(t, "bad.txt", strings.Replace(mustRead(t, squeue), "|0:00|", "|5:00|", 1))
	got = loadstone(t, "", "predict", "--now", bad, "--procs", "100", "--size", "4")
	if want := bad + `:3: TIME: saw "5:00", want 0:00, of a job that is PENDING`; got.code != exitFailed || !strings.Contains(got.err, want) {
		t.Errorf("a queued job that has run: %q, want %q", got.err, want)
	}
}

// Confidence is only of bounds from past waits. Those of drawn schedules and of
// the estimates hold as far as the law, the estimates and the policy are the
// machine's: a percentage beside them would promise what nobody has measured.
func TestPredictNowPromisesNothing(t *testing.T) {
	args := []string{"predict", "--now", writeFile(t, "state.swf", nowState1), writeFile(t, "past.swf", nowPast()), "--at", "200", "--size", "4", "--policy", "fcfs", "--time", "500"}
	var n nowJSON
	decode(t, &n, args...)
	for predictor, promised := range map[string]bool{"drawn": false, "estimates": false, "bmbp": true} {
		for _, b := range n.row(t, 4, predictor).Bounds {
			if math.IsNaN(float64(b.Seconds)) || math.IsNaN(float64(b.Achieved)) == promised {
				t.Errorf("%s: %+v, want a bound, with a confidence: %v", predictor, b, promised)
			}
		}
	}
	for _, line := range strings.Split(loadstone(t, "", args...).out, "\n") {
		if has := strings.Contains(line, "%)"); strings.Contains(line, "drawn") && has || strings.Contains(line, "estimates") && has || strings.Contains(line, " bmbp ") && !has {
			t.Error(line)
		}
	}
}

func TestPredictNowContradictions(t *testing.T) {
	past := writeFile(t, "past.swf", nowPast())
	for _, c := range []struct{ name, text, want string }{
		{"more than the machine", nowState1 + "12 0 100 -1 3 -1 -1 3 20 -1 -1 1 1 1 1 1 -1 -1\n", ":3: allocated_processors: saw 3 more of running job 12, 11 with those before it, want no more than the machine's 10 processors"},
		{"twice", nowState1 + "11 0 -1 -1 3 -1 -1 3 20 -1 -1 1 1 1 1 1 -1 -1\n", ":3: job_id: saw 11, which is in line 2 too, want each job that runs or waits once"},
		{"before its submission", nowState1 + "12 50 -20 -1 1 -1 -1 1 20 -1 -1 1 1 1 1 1 -1 -1\n", ":3: wait_time_s: saw -20 s, want a running job to have started after its submission"},
		{"without size", nowState1 + "12 50 20 -1 -1 -1 -1 -1 20 -1 -1 1 1 1 1 1 -1 -1\n", ":3: allocated_processors: saw none of a running job, want its processors"},
		{"no machine", strings.TrimPrefix(nowState1, "; MaxProcs: 10\n"), "say --procs"},
	} {
		state := writeFile(t, "state.swf", c.text)
		args := []string{"predict", "--now", state, "--at", "200", "--size", "2"}
		if c.name != "no machine" {
			args = append(args, past)
		}
		got := loadstone(t, "", args...)
		if got.code != exitFailed || got.out != "" || !strings.Contains(got.err, state) || !strings.Contains(got.err, c.want) {
			t.Errorf("%s: exit code %d, output %q, error %q, want %q", c.name, got.code, got.out, got.err, c.want)
		}
	}
	state := writeFile(t, "state.swf", nowState1+"12 0 -1 -1 11 -1 -1 11 20 -1 -1 1 1 1 1 1 -1 -1\n13 0 -1 -1 -1 -1 -1 -1 20 -1 -1 1 1 1 1 1 -1 -1\n14 900 -1 -1 1 -1 -1 1 20 -1 -1 1 1 1 1 1 -1 -1\n")
	got := loadstone(t, "", "predict", "--now", state, past, "--at", "200", "--size", "2")
	for _, want := range []string{"(larger-than-machine): 1, first in line 3: job 12 of 11 processors, machine of 10", "(no-size): 1, first in line 4", "1 job is submitted after the moment"} {
		if got.code != exitDone || !strings.Contains(got.err, want) {
			t.Errorf("exit code %d, error %q, want %q", got.code, got.err, want)
		}
	}
	if got := loadstone(t, "", "predict", "--now", state, past, "--at", "200", "--size", "11"); got.code != exitFailed || !strings.Contains(got.err, "--size 11: the machine has 10 processors") {
		t.Errorf("a request above the machine: exit code %d, %q", got.code, got.err)
	}
	// Without history there is still the schedule by estimates.
	got = loadstone(t, "", "predict", "--now", writeFile(t, "s.swf", nowState1), "--size", "4", "--time", "60")
	if got.code != exitDone || !strings.Contains(got.out, "2000 s") || !strings.Contains(got.out, "no drawn: no law of run times") || !strings.Contains(got.out, "no bmbp") {
		t.Errorf("without history: exit code %d, %s%s", got.code, got.out, got.err)
	}
}

func TestPredictNowUsage(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--now", "s"}, "--size is missing"},
		{[]string{"--now", "s", "--size", "0"}, `--size: saw "0"`},
		{[]string{"--now", "s", "--size", "8-4"}, `--size: saw "8-4"`},
		{[]string{"--now", "s", "--size", "1,x"}, `--size: saw "x"`},
		{[]string{"--now", "s", "--size", "1", "--time", "0"}, "--time 0"},
		{[]string{"--now", "s", "--size", "1", "--time", "NaN"}, "--time NaN"},
		{[]string{"--now", "s", "--size", "1", "--draws", "0"}, "--draws 0"},
		{[]string{"--now", "s", "--size", "1", "--quantile", "0.9"}, "--quantile is for scores"},
		{[]string{"--now", "s", "--size", "1", "--predictors", "downey-a"}, "downey-a is not for --now"},
		{[]string{"--now", "s", "--size", "1", "--policy", "priority"}, "want --queues"},
		{[]string{"--now", "s", "--size", "1", "--queues", "1"}, "--queues is for --policy priority"},
		{[]string{"--now", "s", "--size", "1", "--speedup", "4,1"}, "--speedup and --sequential together"},
		{[]string{"--now", "s", "--size", "1", "--sequential", "4"}, "--speedup and --sequential together"},
		{[]string{"--now", "s", "--size", "1", "--speedup", "4", "--sequential", "4"}, `--speedup: saw "4"`},
		{[]string{"--now", "s", "--size", "1", "--speedup", "0.5,1", "--sequential", "4"}, "--speedup 0.5,1 with --sequential 4: saw an average parallelism of 0.5"},
		{[]string{"--now", "s", "--size", "1", "--speedup", "4,1", "--sequential", "-4"}, "--sequential -4: saw a sequential lifetime of -4 s"},
		{[]string{"--now", "s", "--size", "1", "--run-times", "1=2,4=0"}, `--run-times: saw "4=0"`},
		{[]string{"--now", "s", "--size", "1", "--draws", "9223372036854775807"}, "--draws 9223372036854775807: want 1 to 1000000"},
		{[]string{"--now", "s", "--size", "1", "--run-times", "1=NaN"}, `--run-times: saw "1=NaN"`},
		{[]string{"--now", "s", "--size", "1", "--run-times", "1=2,0=2"}, `--run-times: saw "0=2"`},
		{[]string{"--now", "s", "--size", "1", "--speedup", "4,1", "--sequential", "4", "--run-times", "1=2"}, "leave one away"},
		{[]string{"--now", "s", "--size", "1", "--run-times", "1=2,1=3"}, `saw "1=3"`},
		{[]string{"--now", "s", "--size", "1", "--run-times", "1=-2"}, `--run-times: saw "1=-2"`},
		{[]string{"--now", "-", "-", "--size", "1"}, "read only once"},
		{[]string{"log", "--size", "1"}, "--size is for --now"},
		{[]string{"log", "--predictors", "drawn"}, "drawn is for --now"},
		{[]string{"log", "other"}, "want one log"},
	} {
		got := loadstone(t, "", append([]string{"predict"}, c.args...)...)
		if got.code != exitUsage || got.out != "" || !strings.Contains(got.err, c.want) {
			t.Errorf("%q: exit code %d, output %q, error %q; want %d, none and %q", c.args, got.code, got.out, got.err, exitUsage, c.want)
		}
	}
	state := writeFile(t, "state.swf", nowState1)
	for at, want := range map[string]string{"noon": `--at: saw "noon"`, "2024-05-31T10:00:00": "the state has no date", "Inf": `--at: saw "Inf"`} {
		if got := loadstone(t, "", "predict", "--now", state, "--size", "1", "--at", at); got.code != exitUsage || !strings.Contains(got.err, want) {
			t.Errorf("--at %s: exit code %d, %q, want %q", at, got.code, got.err, want)
		}
	}
}

// What the user says and the state or its history does not bear out is remarked
// on, or refused where nothing is left of it.
func TestPredictNowRemarks(t *testing.T) {
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
		{[]string{state, past, "--at", "200", "--size", "2", "--policy", "priority", "--queues", "1,97"}, "has queue 97", 0},
		{[]string{state, past, "--at", "200", "--size", "2", "--run-times", "4=10"}, "--run-times 4=10: has none of the sizes of --size 2", 2},
		{[]string{state, past, "--at", "200", "--size", "2,4", "--time", "500", "--speedup", "4,0", "--sequential", "8000"}, "longer than --time 500 s on every size: none is chosen", 0},
		{[]string{waits, past, "--at", "200", "--size", "2"}, "downey-b-queue is first come, first served: under easy jobs go ahead", 0},
		{[]string{squeue, past, "--at", "2024-05-01T12:00:00", "--size", "2", "--procs", "10"}, "say that it was taken at 2024-05-01 11:00:00 UTC, not at --at 2024-05-01 12:00:00 UTC", 0},
	} {
		out := loadstone(t, "", append([]string{"predict", "--predictors", "downey-b-queue,bmbp", "--now"}, c.args...)...)
		if out.code != c.code || !strings.Contains(out.err, c.want) {
			t.Errorf("%q: exit %d, %s\nwant %d, %q", c.args, out.code, out.err, c.code, c.want)
		}
	}
	if out := loadstone(t, "", "predict", "--predictors", "downey-b-queue", "--now", waits, past, "--at", "200", "--size", "2", "--policy", "fcfs"); out.code != 0 || strings.Contains(out.err, "first come") {
		t.Errorf("fcfs: exit %d, %s", out.code, out.err)
	}
	// What they do bear out is not.
	out := loadstone(t, "", "predict", "--predictors", "downey-b-queue,bmbp", "--now", squeue, past, "--at", "2024-05-01T11:00:30", "--size", "2", "--procs", "10", "--user", "ann", "--queue", "1")
	if out.code != 0 || strings.Contains(out.err, "taken at") || strings.Contains(out.err, "no job of") {
		t.Errorf("exit %d: %s", out.code, out.err)
	}
}

// A job of 8 of 10 processors has run for 100 s, longer than any before, of the
// 300 that it asked for: it runs 200 s more with probability 100/(100+200), and
// is killed then. So with --limits the bound of half of the waits is below 200 s,
// near the median of 100 s, and the others are 200 s.
func TestPredictNowKillsAtLimits(t *testing.T) {
	state := writeFile(t, "state.swf", strings.Replace(nowState1, "2000", "300", 1))
	args := []string{"predict", "--predictors", "drawn", "--limits", "--now", state, writeFile(t, "past.swf", nowPast()), "--at", "200", "--size", "4"}
	var n nowJSON
	decode(t, &n, args...)
	b := n.row(t, 4, "drawn").Bounds
	if half := float64(b[0].Seconds); !(half > 90 && half < 150) {
		t.Errorf("half of the waits are at most %g s, want about 100", half)
	}
	for _, x := range b[1:] {
		if math.Abs(float64(x.Seconds)-200) > 1e-6 {
			t.Errorf("%g of the waits are at most %g s, want 200", float64(x.Quantile), float64(x.Seconds))
		}
	}
	const short = "drawn waits come out too short; --classes requested_time_s has a law for each"
	if got := loadstone(t, "", args...); got.code != exitDone || !strings.Contains(got.err, short) {
		t.Errorf("exit %d: %s\nwant %q", got.code, got.err, short)
	}
	if got := loadstone(t, "", append(args, "--classes", "requested_time_s")...); got.code != exitDone || strings.Contains(got.err, "too short") {
		t.Errorf("a law for each estimate: exit %d: %s", got.code, got.err)
	}
}
