package watch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
)

// answers holds the output of a machine's commands.
type answers struct {
	queue, ended, nodes, partitions, reservations string

	queueFault, endedFault error
	since                  string // the argument of the query for ended jobs
}

func (a *answers) run(_ context.Context, _ time.Duration, read func(io.Reader) error, command ...string) error {
	text, fault := a.queue, a.queueFault
	switch command[0] + " " + command[len(command)-1] {
	case "sacct --json":
		text, fault = a.ended, a.endedFault
		a.since = strings.TrimPrefix(command[5], "--starttime=")
	case "scontrol nodes":
		text, fault = a.nodes, nil
	case "scontrol partition":
		text, fault = a.partitions, nil
	case "scontrol reservation":
		text, fault = a.reservations, nil
	}
	if fault != nil {
		return fault
	}
	return read(strings.NewReader(text))
}

func readTestdata(t testing.TB, name string) string {
	t.Helper()
	text := jobtest.Must(os.ReadFile("testdata/" + name))
	return string(text)
}

// realAnswers returns the answers of a real Slurm 22.05 at 11:33:15 UTC on 23 November 2026.
func realAnswers(t testing.TB) *answers {
	return &answers{
		queue: readTestdata(t, "squeue-22.05.json"), ended: readTestdata(t, "sacct-22.05.json"),
		nodes: readTestdata(t, "nodes-22.05.txt"), partitions: readTestdata(t, "partitions-22.05.txt"),
		reservations: "No reservations in the system\n",
	}
}

var testOrigin = time.Date(2026, 11, 23, 11, 30, 0, 0, time.UTC)

// testSource returns a source that gets only these answers; all other queries fail.
func testSource(a *answers) *slurmSource {
	s := Commands(Options{Origin: testOrigin, Names: &Names{}, Since: testOrigin.Add(-time.Hour)}).(*slurmSource)
	s.run, s.now = a.run, func() time.Time { return testOrigin.Add(196 * time.Second) }
	return s
}

func check[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if d := gocmp.Diff(want, got, gocmp.Comparer(func(a, b float64) bool { return a == b || a != a && b != b })); d != "" {
		t.Errorf("%s: %s", what, d)
	}
}

// The JSON of a real Slurm agrees with the output of squeue --start at the same time: START_TIME
// was 11:36:13, 11:38:00 and 11:55:00 for jobs 1, 2 and 3_[1-6%2], and N/A for the held job 4 and
// for job 5, which depended on job 1.
func TestPollOfARealSlurm(t *testing.T) {
	a := realAnswers(t)
	s := testSource(a)
	p := jobtest.Must(s.Poll(context.Background()))
	// Label, submission, wait, expected start, whether held, reason, priority, size, time.
	const queue = `
1 193 NaN 373 false Resources 10484 60 120
2 193 NaN 480 false Priority 10406 40 120
3_1 193 NaN 1500 false Priority 10281 8 180
3_2 193 NaN 1500 false Priority 10281 8 180
3_3 193 NaN 1500 true JobArrayTaskLimit 10281 8 180
3_4 193 NaN 1500 true JobArrayTaskLimit 10281 8 180
3_5 193 NaN 1500 true JobArrayTaskLimit 10281 8 180
3_6 193 NaN 1500 true JobArrayTaskLimit 10281 8 180
4 193 NaN NaN true JobHeldUser 0 8 180
5 193 NaN NaN true Dependency 10281 8 180
6 193 0 NaN false  10500 64 180
`
	got := "\n"
	for _, x := range p.Jobs {
		got += fmt.Sprintf("%s %g %g %g %t %s %d %d %g\n", x.Label, x.Submit, x.Wait, x.Expected, x.Held, x.Reason, x.Priority, x.Processors, x.Time)
	}
	check(t, "queue", got, queue)
	if p.At != 196 || p.Partial {
		t.Errorf("at %v, partial %v", p.At, p.Partial)
	}
	user, _ := s.o.Names.Text("User", p.Jobs[0].User)
	part, _ := s.o.Names.Text("Partition", p.Jobs[10].Partition)
	if user != "root" || part != "short" {
		t.Errorf("user %q, partition %q", user, part)
	}

	// Number, submission, start, end, withdrawal: job 7 was requeued, and job 10 was cancelled
	// before it started.
	const ended = `
10 1795411040 NaN NaN 1795411091
7 1795411040 1795411041 1795411061 NaN
7 1795411061 1795411182 1795411207 NaN
1 1795433593 1795433596 1795433611 NaN
9 1795433593 1795433617 1795433622 NaN
`
	got = "\n"
	for _, x := range p.Ended {
		at := unix(testOrigin)
		got += fmt.Sprintf("%d %.0f %.0f %.0f %.0f\n", x.ID, x.Submit+at, x.Start()+at, x.End()+at, x.Withdrawn+at)
	}
	check(t, "ended", got, ended)
	check(t, "capacity", p.Capacity, Capacity{Processors: 64, Total: 64, Used: 0, Free: 64, Partitions: []Partition{
		{Name: "batch", Number: 1, Processors: 64, Total: 64, MaxTime: math.Inf(1), DefaultTime: nan, State: Up, Default: true},
		{Name: "short", Number: 2, Processors: 64, Total: 64, MaxTime: 300, DefaultTime: nan, State: Up},
	}})
	check(t, "asked since", a.since, "2026-11-23T10:20:00")
	if _, err := s.Poll(context.Background()); err != nil || a.since != "2026-11-23T11:23:16" {
		t.Errorf("asked for what ended since %v, %v", a.since, err)
	}
}

// Only a failure to read the queue makes a poll fail. A database that does not answer is queried
// less and less often, and each poll reports the failure.
func TestPollFaults(t *testing.T) {
	failure := errors.New("no contact")
	a := realAnswers(t)
	a.queueFault = failure
	if p, err := testSource(a).Poll(context.Background()); !errors.Is(err, failure) || p != nil {
		t.Errorf("%v, %v", p, err)
	}
	a = realAnswers(t)
	s := testSource(a)
	a.endedFault, a.nodes = failure, "slurm_load_node error: no contact"
	var asked []int
	for n := range 60 {
		a.since = ""
		p, err := s.Poll(context.Background())
		if err != nil || !p.Partial || len(p.Ended) != 0 || len(p.Jobs) != 11 {
			t.Fatalf("%+v, %v", p, err)
		}
		check(t, "warnings", jobtest.Rules(p.Warnings), []string{"no-accounting", "no-capacity"})
		if a.since != "" {
			asked = append(asked, n)
		}
	}
	check(t, "asked", asked, []int{0, 2, 6, 14, 30, 46})
	a.endedFault, a.nodes = nil, realAnswers(t).nodes
	for range 2 { // it is not queried again at once
		if p, err := s.Poll(context.Background()); err != nil || p.Capacity.Total != 64 {
			t.Errorf("%+v, %v", p, err)
		}
	}
	a.nodes = "" // previous data are kept
	if p, err := s.Poll(context.Background()); err != nil || p.Partial || p.Capacity.Total != 64 || a.since != "2026-11-23T10:20:00" {
		t.Errorf("%+v, %v, since %v", p, err, a.since)
	}
}

// Output that is not a list of jobs, or that lacks jobs.
func TestQueueFaults(t *testing.T) {
	// If slurmctld does not answer, squeue --json of Slurm 22.05 prints this and exits with status
	// 0, after 9 s: it must not be read as an empty queue.
	const meta = `{"meta": {"plugin": {"type": "openapi\/v0.0.38", "name": "Slurm OpenAPI v0.0.38"}, "Slurm": {"release": "22.05.8"}},
"errors": [{"description": "Failed while looking for jobs", "error_number": -1, "error": "Unspecified error", "source": "slurm_load_jobs"}], "jobs": []}`
	whole := realAnswers(t).queue
	for text, want := range map[string]string{
		meta: "error of Slurm: Failed while looking for jobs: Unspecified error (slurm_load_jobs, error -1)",
		strings.ReplaceAll(whole, `"submit_time"`, `"submitted_at"`): "6 of 6 jobs cannot be read, the first: ",
		"": "", "\x00": "", "[]": "", "{}": "", "null": "", "<html><body>502</body></html>": "", `{"jobs": 5}`: "", strings.Repeat("[", 1<<20): "",
		whole[:997]: "", whole[:len(whole)/2]: "", whole[:len(whole)-4]: "",
	} {
		a := realAnswers(t)
		a.queue = text
		if p, err := testSource(a).Poll(context.Background()); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.30q: %+v, %v", text, p, err)
		}
	}
	a := realAnswers(t)
	a.ended = strings.Replace(meta, "openapi", `openapi\/db`, 1)
	if p, err := testSource(a).Poll(context.Background()); err != nil || !p.Partial || p.Warnings[0].Rule != "no-accounting" {
		t.Errorf("%+v, %v", p, err)
	}
	// This is the output of sacct --json if no job has ended.
	a.ended = strings.Replace(a.ended, `"description": "Failed while looking for jobs", "error_number": -1, "error": "Unspecified error", "source": "slurm_load_jobs"`,
		`"description": "Nothing found", "error_number": 9003, "error": "Nothing found with query", "source": "slurmdb_jobs_get"`, 1)
	// Jobs that cannot be read are skipped and counted, and long names are truncated.
	a.queue = strings.Replace(whole, `"job_state": "PENDING"`, `"job_state": "DREAMING"`, 1)
	a.queue = strings.Replace(a.queue, `"cpus": 40`, `"cpus": "<b>many<\/b>"`, 1)
	a.queue = strings.ReplaceAll(a.queue, `"name": "wrap"`, `"name": "`+strings.Repeat("<script>", 130000)+`"`)
	s := testSource(a)
	p, err := s.Poll(context.Background())
	if err != nil || p.Partial || len(p.Ended) != 0 || len(p.Jobs) != 9 || !strings.Contains(fmt.Sprint(jobtest.Rules(p.Warnings)), "unreadable-jobs") {
		t.Fatalf("%+v, %v", p, err)
	}
	if name, _ := s.o.Names.Text("Application", p.Jobs[0].Application); len(name) != LongestName || !strings.HasPrefix(name, "<script>") {
		t.Errorf("%d bytes: %.20q", len(name), name)
	}
}

// Capacity is the number of processors that jobs can get now. The states are in scontrol's format:
// node n2 is drained, n3 does not respond, n4 belongs to a reservation of 16 of its 64 processors,
// and n5 is powered down but wakes up for jobs.
func TestCapacity(t *testing.T) {
	s := testSource(&answers{
		nodes: `NodeName=n1 CPUAlloc=10 CPUTot=64 State=MIXED Partitions=batch,short,single
NodeName=n2 CPUAlloc=20 CPUTot=64 State=MIXED+DRAIN Partitions=batch
NodeName=n3 CPUAlloc=0 CPUTot=64 State=IDLE* Partitions=batch
NodeName=n4 CPUAlloc=8 CPUTot=64 State=MIXED+RESERVED Partitions=batch
NodeName=n5 CPUAlloc=0 CPUTot=66 CPUEfctv=64 State=IDLE+CLOUD+POWERED_DOWN~ Partitions=batch
NodeName=n6 CPUAlloc=0 CPUTot=4 State=IDLE+DRAIN
`,
		partitions: `PartitionName=batch Default=YES DefaultTime=01:00:00 MaxNodes=2 MaxTime=2-00:00:00 MaxCPUsPerNode=32 State=UP TotalCPUs=320
PartitionName=short Default=NO DefaultTime=NONE MaxNodes=UNLIMITED MaxTime=00:05:00 MaxCPUsPerNode=UNLIMITED State=DOWN TotalCPUs=64
PartitionName=none DefaultTime=x-00:05:00 MaxTime= State=DRAIN
PartitionName=single MaxNodes=3 MaxCPUsPerNode=1 MaxTime=00:05:00 State=UP TotalCPUs=64
`,
		reservations: `ReservationName=r1 NodeCnt=1 CoreCnt=9 TRES=cpu=16 State=ACTIVE
ReservationName=r2 NodeCnt=9 CoreCnt=576 TRES=cpu=576 State=INACTIVE
`,
	})
	jobtest.NoError(t, s.askCapacity(context.Background()))
	lost := Unavailable{Down: 64, Draining: 64, Reserved: 16}
	all := lost
	all.Drained = 4
	check(t, "capacity", s.capacity, Capacity{Processors: 64 + 48 + 64, Total: 324, Used: 38, Free: 54 + 40 + 64, Unavailable: all, Partitions: []Partition{
		{Name: "batch", Number: 1, Processors: 64 + 48 + 64, Total: 320, MaxProcessors: 64, MaxTime: 172800, DefaultTime: 3600, Unavailable: lost, State: Up, Default: true},
		{Name: "none", Number: 3, MaxTime: math.Inf(1), DefaultTime: nan, State: Drain},
		{Name: "short", Number: 2, Processors: 64, Total: 64, MaxTime: 300, DefaultTime: nan, State: Down},
		{Name: "single", Number: 4, Processors: 64, Total: 64, MaxProcessors: 3, MaxTime: 300, DefaultTime: nan, State: Up},
	}})
	for state, want := range map[PartitionState][2]bool{Up: {true, true}, Down: {false, true}, Drain: {true, false}, Inactive: {false, false}, "": {false, false}} {
		if state.Starts() != want[0] || state.Accepts() != want[1] {
			t.Errorf("state %q, starts %v, accepts %v; want %v", state, state.Starts(), state.Accepts(), want)
		}
	}
	for _, text := range []string{"", "  \n", "slurm_load_node error: x", "{}", "NodeName= State=IDLE", "NodeName=" + strings.Repeat("x", maxMachineLine+1)} {
		if nodes, err := readLines(strings.NewReader(text), "NodeName"); err == nil {
			t.Errorf("%.30q: %v, want an error", text, nodes)
		}
	}
}

// Processors in use that belong to no visible job are attributed to hidden jobs if two consecutive
// polls show them.
func TestHiddenJobs(t *testing.T) {
	a := realAnswers(t)
	a.nodes = strings.NewReplacer("CPUTot=64", "CPUTot=256", "CPUEfctv=64", "CPUEfctv=250", "CPUAlloc=0", "CPUAlloc=164", "State=IDLE", "State=MIXED").Replace(a.nodes)
	s := testSource(a)
	for i, want := range []int64{0, 100} {
		p, err := s.Poll(context.Background())
		if err != nil || p.Hidden != want {
			t.Fatalf("poll %d: %d hidden, want %d: %v", i, p.Hidden, want, err)
		}
		if warned := strings.Contains(fmt.Sprint(jobtest.Rules(p.Warnings)), "hidden-jobs"); warned != (want > 0) {
			t.Errorf("poll %d: %v", i, p.Warnings)
		}
	}
}

// FuzzPoll polls twice with arbitrary answers and checks that nothing panics and that events are in
// order.
func FuzzPoll(f *testing.F) {
	// Short inputs: the fuzzer would spend its time minimizing long ones.
	const none = "JOBID|STATE|SUBMIT_TIME|START_TIME|CPUS\n"
	f.Add(`{"meta": {"Slurm": {"release": "22.05.8"}}, "errors": [], "jobs": [{"job_id": 3, "array_job_id": 3, "array_task_string": "1-6%2", "job_state": "PENDING", "submit_time": 1795433593, "start_time": 1795434900, "cpus": 8, "time_limit": 3, "user_name": "ann", "name": "<b>", "state_reason": "Priority", "priority": 10281},
{"job_id": 6, "job_state": "RUNNING", "submit_time": 1795433593, "start_time": 1795433593, "end_time": 1795433773, "cpus": 64, "nodes": "n1", "tres_req_str": "cpu=64"}]}`, "", "")
	f.Add("JobId=9 JobName=a b UserId=u(1) JobState=PENDING Reason=Priority TimeLimit=00:10:00 SubmitTime=2026-11-23T11:33:00 StartTime=2026-11-23T11:40:00 NumCPUs=3 ArrayJobId=9 ArrayTaskId=1-4%2", "", "")
	f.Add(none, `{"meta": {"Slurm": {"release": "22.05.8"}}, "jobs": [{"job_id": 10, "array": {"job_id": 3, "task_id": 4}, "association": {"account": "a", "user": "ann"}, "state": {"current": "CANCELLED"}, "time": {"submission": 1795411040, "start": null, "end": 1795411091, "elapsed": 0, "limit": 1}, "required": {"CPUs": 3}, "nodes": "None assigned"},
{"job_id": 7, "state": {"current": ["REQUEUED"]}, "time": {"submission": 1795411040, "start": 1795411041, "end": 1795411061, "elapsed": 20}, "required": {"CPUs": 3}, "nodes": "n1"}]}`, "")
	f.Add(none, "JobIDRaw|Submit|Start|End|State|NCPUS\n7|2026-11-23T11:31:00|2026-11-23T11:31:10|2026-11-23T11:31:30|COMPLETED|4\n8|2026-11-23T11:31:00|None|2026-11-23T11:31:30|CANCELLED by 0|4\n", readTestdata(f, "nodes-22.05.txt"))
	f.Fuzz(func(t *testing.T, queue, ended, nodes string) {
		a := realAnswers(t)
		a.queue, a.ended, a.nodes = queue, ended, nodes
		s := testSource(a)
		tracker := NewTracker()
		last := math.Inf(-1)
		for range 2 {
			p, err := s.Poll(context.Background())
			if err != nil {
				return
			}
			for n, e := range tracker.Events(p) {
				if e.Time < last || e.Job == nil || e.Job.Row < 0 {
					t.Fatalf("event %d: %+v", n, e)
				}
				last = e.Time
			}
			for _, w := range p.Warnings {
				if w.Count < 1 || w.Rule == "" {
					t.Fatalf("%+v", w)
				}
			}
			if c := p.Capacity; c.Processors < 0 || c.Free < 0 || c.Used < 0 || c.Total < 0 {
				t.Fatalf("%+v", c)
			}
		}
	})
}
