package watch

import (
	"bytes"
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

	"github.com/loadstone-hpc/loadstone/workload"
)

// answers are what a machine says, by question.
type answers struct {
	queueText, endedText, nodesText, partitionsText, reservationsText string

	queueFault, endedFault error
	since                  time.Time // that ended was asked with
}

func said(text string, fault error, read func(io.Reader) error) error {
	if fault != nil {
		return fault
	}
	return read(strings.NewReader(text))
}

func (a *answers) queue(_ context.Context, read func(io.Reader) error) error {
	return said(a.queueText, a.queueFault, read)
}

func (a *answers) ended(_ context.Context, since time.Time, read func(io.Reader) error) error {
	a.since = since
	return said(a.endedText, a.endedFault, read)
}

func (a *answers) nodes(_ context.Context, read func(io.Reader) error) error {
	return said(a.nodesText, nil, read)
}

func (a *answers) partitions(_ context.Context, read func(io.Reader) error) error {
	return said(a.partitionsText, nil, read)
}

func (a *answers) reservations(_ context.Context, read func(io.Reader) error) error {
	return said(a.reservationsText, nil, read)
}

func readTestdata(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// realAnswers are those of a real Slurm 22.05, at 11:33:15 UTC on 23 November 2026.
func realAnswers(t testing.TB) *answers {
	return &answers{
		queueText: readTestdata(t, "squeue-22.05.json"), endedText: readTestdata(t, "sacct-22.05.json"),
		nodesText: readTestdata(t, "nodes-22.05.txt"), partitionsText: readTestdata(t, "partitions-22.05.txt"),
		reservationsText: "No reservations in the system\n",
	}
}

var testOrigin = time.Date(2026, 11, 23, 11, 30, 0, 0, time.UTC)

// testSource asks in vain for more than the answers.
func testSource(a *answers) *slurmSource {
	s := newSlurmSource("slurm", a, Options{Origin: testOrigin, Names: &Names{}, Since: testOrigin.Add(-time.Hour)})
	s.now = func() time.Time { return testOrigin.Add(196 * time.Second) }
	return s
}

func codes(warnings []workload.Warning) (list []string) {
	for _, w := range warnings {
		list = append(list, w.Rule)
	}
	return list
}

// What a real Slurm printed as JSON is what its squeue --start printed then: START_TIME
// of jobs 1, 2 and 3_[1-6%2] at 11:36:13, 11:38:00 and 11:55:00, and N/A of the held job 4
// and of job 5, which depended on job 1.
func TestPollOfARealSlurm(t *testing.T) {
	a := realAnswers(t)
	s := testSource(a)
	p, err := s.Poll(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	type row struct {
		Label    string
		Submit   float64
		Wait     float64
		Expected float64
		Held     bool
		Reason   string
		Priority int64
		Size     int64
		Time     float64
	}
	var got []row
	for _, x := range p.Jobs {
		got = append(got, row{x.Label, x.Submit, x.Wait, x.Expected, x.Held, x.Reason, x.Priority, x.Processors, x.Time})
	}
	want := []row{
		{"1", 193, nan, 373, false, "Resources", 10484, 60, 120},
		{"2", 193, nan, 480, false, "Priority", 10406, 40, 120},
		{"3_[1-6%2]", 193, nan, 1500, false, "Priority", 10281, 8, 180},
		{"4", 193, nan, nan, true, "JobHeldUser", 0, 8, 180},
		{"5", 193, nan, nan, true, "Dependency", 10281, 8, 180},
		{"6", 193, 0, nan, false, "", 10500, 64, 180},
	}
	if d := gocmp.Diff(want, got, gocmp.Comparer(func(a, b float64) bool { return a == b || a != a && b != b })); d != "" {
		t.Error(d)
	}
	if p.At != 196 || p.Partial {
		t.Errorf("at %v, partial %v", p.At, p.Partial)
	}
	if name, _ := s.o.Names.Text("User", p.Jobs[0].User); name != "root" {
		t.Errorf("user %q", name)
	}
	if name, _ := s.o.Names.Text("Partition", p.Jobs[5].Partition); name != "short" {
		t.Errorf("partition %q", name)
	}

	// Job 7 was requeued, job 10 cancelled before it started.
	type end struct{ ID, Submit, Start, End, Withdrawn float64 }
	var ended []end
	for _, x := range p.Ended {
		at := unix(testOrigin)
		ended = append(ended, end{float64(x.ID), x.Submit + at, x.Start() + at, x.End() + at, x.Withdrawn + at})
	}
	wantEnded := []end{
		{10, 1795411040, nan, nan, 1795411091},
		{7, 1795411040, 1795411041, 1795411061, nan},
		{7, 1795411061, 1795411182, 1795411207, nan},
		{1, 1795433593, 1795433596, 1795433611, nan},
		{9, 1795433593, 1795433617, 1795433622, nan},
	}
	if d := gocmp.Diff(wantEnded, ended, gocmp.Comparer(func(a, b float64) bool { return a == b || a != a && b != b })); d != "" {
		t.Error(d)
	}
	if want := testOrigin.Add(-time.Hour - overlap); !a.since.Equal(want) {
		t.Errorf("asked for what ended since %v, want %v", a.since, want)
	}
	wantCapacity := Capacity{Processors: 64, Total: 64, Used: 0, Free: 64, Partitions: []Partition{
		{Name: "batch", Number: 1, Processors: 64, Total: 64, MaxTime: math.Inf(1), DefaultTime: nan, Up: true, Default: true},
		{Name: "short", Number: 2, Processors: 64, Total: 64, MaxTime: 300, DefaultTime: nan, Up: true},
	}}
	if d := gocmp.Diff(wantCapacity, p.Capacity, gocmp.Comparer(func(a, b float64) bool { return a == b || a != a && b != b })); d != "" {
		t.Error(d)
	}
	if _, err := s.Poll(context.Background()); err != nil || !a.since.Equal(testOrigin.Add(196*time.Second-overlap)) {
		t.Errorf("asked for what ended since %v, %v", a.since, err)
	}
}

// The text forms say the same as the JSON.
func TestTextForms(t *testing.T) {
	a := realAnswers(t)
	a.queueText = `JobId=1 JobName=wrap UserId=root(0) GroupId=root(0) Priority=10484 Account=root QOS=normal JobState=PENDING Reason=Resources Dependency=(null) Requeue=1 Restarts=0 RunTime=00:00:00 TimeLimit=00:02:00 SubmitTime=2026-11-23T11:33:13 EligibleTime=2026-11-23T11:33:13 StartTime=2026-11-23T11:36:13 EndTime=2026-11-23T11:38:13 Partition=batch NodeList=(null) NumNodes=1-1 NumCPUs=60 TRES=cpu=60,mem=1M,node=1,billing=60
JobId=4 JobName=wrap UserId=root(0) GroupId=root(0) Priority=0 Account=root QOS=normal JobState=PENDING Reason=JobHeldUser Dependency=(null) Requeue=1 Restarts=0 RunTime=00:00:00 TimeLimit=00:03:00 SubmitTime=2026-11-23T11:33:13 EligibleTime=Unknown StartTime=Unknown EndTime=Unknown Partition=batch NodeList=(null) NumNodes=1-1 NumCPUs=8 TRES=cpu=8,mem=1M,node=1,billing=8
JobId=13 JobName=wrap UserId=root(0) GroupId=root(0) Priority=0 Account=root QOS=normal JobState=CANCELLED Reason=Resources Dependency=(null) Requeue=1 Restarts=0 RunTime=00:00:00 TimeLimit=00:03:00 SubmitTime=2026-11-23T11:33:10 EligibleTime=2026-11-23T11:33:10 StartTime=2026-11-23T11:33:12 EndTime=2026-11-23T11:33:12 Partition=batch NodeList= NumNodes=1-1 NumCPUs=8 TRES=cpu=8,mem=1M,node=1,billing=8
`
	a.endedText = `JobID|JobIDRaw|Cluster|User|Account|Partition|QOS|JobName|State|Submit|Eligible|Start|End|ElapsedRaw|Suspended|TimelimitRaw|NNodes|NCPUS|ReqCPUS|ReqTRES|AllocTRES|Priority|ExitCode|NodeList
12|12|test|root|root|batch|normal|a|b|COMPLETED|2026-11-23T11:27:00|2026-11-23T11:27:00|2026-11-23T11:27:00|2026-11-23T11:28:00|60|00:00:00|2|1|64|64|cpu=64|cpu=64|10484|0:0|n1
13|13|test|root|root|batch|normal|wrap|CANCELLED by 0|2026-11-23T11:27:00|2026-11-23T11:27:00|None|2026-11-23T11:27:02|0|00:00:00|1|1|0|64|cpu=64||10484|0:0|None assigned
`
	p, err := testSource(a).Poll(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Jobs) != 2 || p.Jobs[0].Expected != 373 || p.Jobs[0].Label != "1" || p.Jobs[0].Time != 120 || !p.Jobs[1].Held || !math.IsNaN(p.Jobs[1].Expected) {
		t.Errorf("%+v", p.Jobs)
	}
	if len(p.Ended) != 3 || p.Ended[0].End() != -120 || p.Ended[1].Withdrawn != -178 || p.Ended[2].Withdrawn != 192 {
		t.Errorf("%+v", p.Ended)
	}
}

// Of what goes wrong only the queue ends a poll.
func TestPollFaults(t *testing.T) {
	failure := errors.New("no contact")
	a := realAnswers(t)
	a.queueFault = failure
	if p, err := testSource(a).Poll(context.Background()); !errors.Is(err, failure) || p != nil {
		t.Errorf("%v, %v", p, err)
	}
	a = realAnswers(t)
	a.endedFault, a.nodesText = failure, "slurm_load_node error: no contact"
	s := testSource(a)
	p, err := s.Poll(context.Background())
	if err != nil || !p.Partial || len(p.Ended) != 0 || len(p.Jobs) != 6 {
		t.Fatalf("%+v, %v", p, err)
	}
	if d := gocmp.Diff([]string{"waiting-tasks", "no-capacity"}, codes(p.Warnings)[len(p.Warnings)-2:]); d != "" || p.Warnings[0].Rule != "no-accounting" {
		t.Errorf("%v", p.Warnings)
	}
	a.endedFault, a.nodesText = nil, realAnswers(t).nodesText
	if p, err = s.Poll(context.Background()); err != nil || p.Partial || p.Capacity.Total != 64 || !a.since.Equal(testOrigin.Add(-time.Hour-overlap)) {
		t.Errorf("%+v, %v, since %v", p, err, a.since)
	}
	a.nodesText = "" // what was known stays
	if p, err = s.Poll(context.Background()); err != nil || p.Capacity.Total != 64 {
		t.Errorf("%+v, %v", p, err)
	}
}

// Jobs that cannot be read are left out and counted; other jobs stay.
func TestUnreadableJobs(t *testing.T) {
	a := realAnswers(t)
	a.queueText = strings.Replace(a.queueText, `"job_state": "PENDING"`, `"job_state": "DREAMING"`, 1)
	a.queueText = strings.Replace(a.queueText, `"cpus": 40`, `"cpus": "<b>many<\/b>"`, 1)
	p, err := testSource(a).Poll(context.Background())
	if err != nil || len(p.Jobs) != 4 {
		t.Fatalf("%d jobs, %v", len(p.Jobs), err)
	}
	for _, w := range p.Warnings {
		if w.Rule == "unreadable-jobs" && w.Count == 2 && strings.Contains(w.Saw, "DREAMING") {
			return
		}
	}
	t.Errorf("%v", p.Warnings)
}

// Half a list is an error; names of a million characters are cut; HTML stays text.
func TestOddQueues(t *testing.T) {
	whole := realAnswers(t).queueText
	for n := 0; n < len(whole)-3; n += 997 {
		a := realAnswers(t)
		a.queueText = whole[:n]
		if p, err := testSource(a).Poll(context.Background()); err == nil {
			t.Errorf("%d bytes: %d jobs, want an error", n, len(p.Jobs))
		}
	}
	for _, text := range []string{"", "\x00", "[]", "{}", "null", "<html><body>502</body></html>", `{"jobs": 5}`, strings.Repeat("[", 1<<20)} {
		a := realAnswers(t)
		a.queueText = text
		if _, err := testSource(a).Poll(context.Background()); err == nil {
			t.Errorf("%.20q: no error", text)
		}
	}
	a := realAnswers(t)
	a.queueText = strings.Replace(whole, `"name": "wrap"`, `"name": "`+strings.Repeat("<script>", 130000)+`"`, 1)
	s := testSource(a)
	p, err := s.Poll(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if name, _ := s.o.Names.Text("Application", p.Jobs[0].Application); len(name) != LongestName || !strings.HasPrefix(name, "<script>") {
		t.Errorf("%d bytes: %.20q", len(name), name)
	}
}

// Processors in use that no job shown accounts for are hidden jobs, if two polls in a row
// show them.
func TestHiddenJobs(t *testing.T) {
	a := realAnswers(t)
	a.nodesText = strings.NewReplacer("CPUTot=64", "CPUTot=256", "CPUEfctv=64", "CPUEfctv=250", "CPUAlloc=0", "CPUAlloc=164", "State=IDLE", "State=MIXED").Replace(a.nodesText)
	s := testSource(a)
	for i, want := range []int64{0, 100} {
		p, err := s.Poll(context.Background())
		if err != nil || p.Hidden != want {
			t.Fatalf("poll %d: %d hidden, want %d: %v", i, p.Hidden, want, err)
		}
		if warned := strings.Contains(fmt.Sprint(codes(p.Warnings)), "hidden-jobs"); warned != (want > 0) {
			t.Errorf("poll %d: %v", i, p.Warnings)
		}
		if p.Capacity.Total != 250 || p.Capacity.Free != 86 {
			t.Errorf("%+v", p.Capacity)
		}
	}
}

// Capacity is what jobs can get now. The states are those that Slurm's scontrol and
// slurmrestd print: node n2 was drained, n3 does not answer, n4 belongs to a reservation of
// 16 of its 64 processors, n5 is powered down, from where jobs wake it.
func TestCapacity(t *testing.T) {
	text := answers{
		nodesText: `NodeName=n1 CPUAlloc=10 CPUTot=64 State=MIXED Partitions=batch,short
NodeName=n2 CPUAlloc=20 CPUTot=64 State=MIXED+DRAIN Partitions=batch
NodeName=n3 CPUAlloc=0 CPUTot=64 State=IDLE* Partitions=batch
NodeName=n4 CPUAlloc=8 CPUTot=64 State=MIXED+RESERVED Partitions=batch
NodeName=n5 CPUAlloc=0 CPUTot=64 State=IDLE+CLOUD+POWERED_DOWN Partitions=batch
`,
		partitionsText: `PartitionName=batch Default=YES DefaultTime=01:00:00 MaxNodes=2 MaxTime=2-00:00:00 MaxCPUsPerNode=32 State=UP TotalCPUs=320
PartitionName=short Default=NO DefaultTime=NONE MaxNodes=UNLIMITED MaxTime=00:05:00 MaxCPUsPerNode=UNLIMITED State=DOWN TotalCPUs=64
`,
		reservationsText: `ReservationName=r1 NodeCnt=1 CoreCnt=16 TRES=cpu=16 State=ACTIVE
ReservationName=r2 NodeCnt=9 CoreCnt=576 TRES=cpu=576 State=INACTIVE
`,
	}
	old := answers{ // data parser 0.0.38
		nodesText: `{"nodes": [{"name": "n1", "cpus": 64, "alloc_cpus": 10, "state": "mixed", "state_flags": [], "partitions": ["batch", "short"]},
{"name": "n2", "cpus": 64, "alloc_cpus": 20, "state": "mixed", "state_flags": ["DRAIN"], "partitions": ["batch"]},
{"name": "n3", "cpus": 64, "alloc_cpus": 0, "state": "idle", "state_flags": ["NOT_RESPONDING"], "partitions": ["batch"]},
{"name": "n4", "cpus": 64, "alloc_cpus": 8, "state": "mixed", "state_flags": ["RESERVED"], "partitions": ["batch"]},
{"name": "n5", "cpus": 64, "alloc_cpus": 0, "state": "idle", "state_flags": ["CLOUD", "POWERED_DOWN"], "partitions": ["batch"]}]}`,
		partitionsText: `{"meta": {}, "partitions": [{"name": "batch", "flags": ["default"], "default_time_limit": 60, "maximum_cpus_per_node": 32, "maximum_nodes_per_job": 2, "max_time_limit": 2880, "state": "UP", "total_cpus": 320},
{"name": "short", "flags": [], "default_time_limit": null, "maximum_cpus_per_node": -1, "maximum_nodes_per_job": -1, "max_time_limit": 5, "state": "DOWN", "total_cpus": 64}]}`,
		reservationsText: `{"reservations": [{"name": "r1", "core_count": 16, "tres": "cpu=16", "start_time": 1, "end_time": 9000000000}, {"name": "r2", "core_count": 576, "tres": "cpu=576", "start_time": 8000000000, "end_time": 9000000000}]}`,
	}
	old.reservationsText = strings.ReplaceAll(strings.ReplaceAll(old.reservationsText, "9000000000", "4100000000"), "8000000000", "4000000000")
	recent := answers{ // data parser 0.0.41
		nodesText: `{"nodes": [{"name": "n1", "cpus": 64, "effective_cpus": 64, "alloc_cpus": 10, "state": ["MIXED"], "partitions": ["batch", "short"]},
{"name": "n2", "cpus": 64, "alloc_cpus": 20, "state": ["MIXED", "DRAIN"], "partitions": ["batch"]},
{"name": "n3", "cpus": 64, "alloc_cpus": 0, "state": ["IDLE", "NOT_RESPONDING"], "partitions": ["batch"]},
{"name": "n4", "cpus": 64, "alloc_cpus": 8, "state": ["MIXED", "RESERVED"], "partitions": ["batch"]},
{"name": "n5", "cpus": 64, "alloc_cpus": 0, "state": ["IDLE", "CLOUD", "POWERED_DOWN"], "partitions": ["batch"]}], "last_update": {"set": true, "infinite": false, "number": 5}}`,
		partitionsText: `{"partitions": [{"name": "batch", "flags": ["DEFAULT"], "partition": {"state": ["UP"]}, "cpus": {"total": 320}, "defaults": {"time": {"set": true, "infinite": false, "number": 60}},
"maximums": {"cpus_per_node": {"set": true, "infinite": false, "number": 32}, "nodes": {"set": true, "infinite": false, "number": 2}, "time": {"set": true, "infinite": false, "number": 2880}}},
{"name": "short", "partition": {"state": ["DOWN"]}, "cpus": {"total": 64}, "defaults": {"time": {"set": false, "infinite": false, "number": 0}},
"maximums": {"cpus_per_node": {"set": true, "infinite": true, "number": 0}, "nodes": {"set": false, "infinite": true, "number": 0}, "time": {"set": true, "infinite": false, "number": 5}}}]}`,
		reservationsText: `{"reservations": [{"name": "r1", "core_count": 16, "tres": "cpu=16", "start_time": {"set": true, "infinite": false, "number": 1}, "end_time": {"set": true, "infinite": true, "number": 0}}]}`,
	}
	want := Capacity{Processors: 64 + 48 + 64, Total: 320, Used: 38, Free: 54 + 40 + 64, Partitions: []Partition{
		{Name: "batch", Number: 1, Processors: 64 + 48 + 64, Total: 320, MaxProcessors: 64, MaxTime: 172800, DefaultTime: 3600, Up: true, Default: true},
		{Name: "short", Number: 2, Processors: 64, Total: 64, MaxTime: 300, DefaultTime: nan},
	}}
	for name, a := range map[string]*answers{"scontrol": &text, "0.0.38": &old, "0.0.41": &recent} {
		s := testSource(a)
		if err := s.readCapacity(context.Background()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if d := gocmp.Diff(want, s.capacity, gocmp.Comparer(func(a, b float64) bool { return a == b || a != a && b != b })); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func TestMachineFaults(t *testing.T) {
	for _, text := range []string{"", "  \n", "slurm_load_node error: x", "{", "{}", `{"nodes": 5}`, `{"nodes": [5]}`, `{"nodes": [{}]}`, `{"nodes": [`, "NodeName= State=IDLE", "NodeName=" + strings.Repeat("x", maxMachineLine+1)} {
		if nodes, err := readNodes(strings.NewReader(text)); err == nil {
			t.Errorf("%.30q: %v, want an error", text, nodes)
		}
	}
	if nodes, err := readNodes(strings.NewReader(`{"nodes": null}`)); err != nil || len(nodes) != 0 {
		t.Error(nodes, err)
	}
	for text, want := range map[string]float64{"UNLIMITED": nan, "1-02:03:04": 93784, "00:05:00": 300, "x-00:05:00": nan, "": nan} {
		if got := duration(text); got != want && !(got != got && want != want) {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestOneLine(t *testing.T) {
	if got := oneLine([]byte("a\n\x1b[31mb\xff \t c")); got != "a [31mb? c" {
		t.Errorf("%q", got)
	}
	if _, err := io.ReadAll(limit(bytes.NewReader(make([]byte, 11)), 10)); err == nil {
		t.Error("no limit")
	}
	if text, err := io.ReadAll(limit(bytes.NewReader(make([]byte, 9)), 10)); err != nil || len(text) != 9 {
		t.Error(len(text), err)
	}
}
