package watch

import (
	"context"
	"errors"
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
		{"3_1", 193, nan, 1500, false, "Priority", 10281, 8, 180},
		{"3_2", 193, nan, 1500, false, "Priority", 10281, 8, 180},
		{"3_3", 193, nan, 1500, true, "JobArrayTaskLimit", 10281, 8, 180},
		{"3_4", 193, nan, 1500, true, "JobArrayTaskLimit", 10281, 8, 180},
		{"3_5", 193, nan, 1500, true, "JobArrayTaskLimit", 10281, 8, 180},
		{"3_6", 193, nan, 1500, true, "JobArrayTaskLimit", 10281, 8, 180},
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
	if name, _ := s.o.Names.Text("Partition", p.Jobs[10].Partition); name != "short" {
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
		{Name: "batch", Number: 1, Processors: 64, Total: 64, MaxTime: math.Inf(1), DefaultTime: nan, State: Up, Default: true},
		{Name: "short", Number: 2, Processors: 64, Total: 64, MaxTime: 300, DefaultTime: nan, State: Up},
	}}
	if d := gocmp.Diff(wantCapacity, p.Capacity, gocmp.Comparer(func(a, b float64) bool { return a == b || a != a && b != b })); d != "" {
		t.Error(d)
	}
	if _, err := s.Poll(context.Background()); err != nil || !a.since.Equal(testOrigin.Add(196*time.Second-overlap)) {
		t.Errorf("asked for what ended since %v, %v", a.since, err)
	}
}

// A database that does not answer is asked less and less often, and each poll says so.
func TestAccountingIsLeftInPeace(t *testing.T) {
	a := realAnswers(t)
	a.endedFault = errors.New("no contact")
	s := testSource(a)
	var asked []int
	for n := range 60 {
		a.since = time.Time{}
		p, err := s.Poll(context.Background())
		if err != nil || !p.Partial || p.Warnings[0].Rule != "no-accounting" {
			t.Fatalf("%+v, %v", p, err)
		}
		if !a.since.IsZero() {
			asked = append(asked, n)
		}
	}
	if d := gocmp.Diff([]int{0, 2, 6, 14, 30, 46}, asked); d != "" {
		t.Error(d)
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
	if err != nil || !p.Partial || len(p.Ended) != 0 || len(p.Jobs) != 11 {
		t.Fatalf("%+v, %v", p, err)
	}
	if d := gocmp.Diff([]string{"no-accounting", "no-capacity"}, codes(p.Warnings)); d != "" {
		t.Errorf("%v", p.Warnings)
	}
	a.endedFault, a.nodesText = nil, realAnswers(t).nodesText
	if p, err = s.Poll(context.Background()); err != nil || !p.Partial { // it is not asked at once
		t.Errorf("%+v, %v", p, err)
	}
	if p, err = s.Poll(context.Background()); err != nil || p.Partial || p.Capacity.Total != 64 || !a.since.Equal(testOrigin.Add(-time.Hour-overlap)) {
		t.Errorf("%+v, %v, since %v", p, err, a.since)
	}
	a.nodesText = "" // what was known stays
	if p, err = s.Poll(context.Background()); err != nil || p.Capacity.Total != 64 {
		t.Errorf("%+v, %v", p, err)
	}
}

// Where slurmctld does not answer, squeue --json of Slurm 22.05 prints this and exits with
// 0, after 9 s: it is no queue without jobs.
func TestErrorsInsteadOfJobs(t *testing.T) {
	a := realAnswers(t)
	const meta = `{"meta": {"plugin": {"type": "openapi\/v0.0.38", "name": "Slurm OpenAPI v0.0.38"}, "Slurm": {"release": "22.05.8"}},
"errors": [{"description": "Failed while looking for jobs", "error_number": -1, "error": "Unspecified error", "source": "slurm_load_jobs"}], "jobs": []}`
	a.queueText = meta
	if p, err := testSource(a).Poll(context.Background()); err == nil || err.Error() != "error of Slurm: Failed while looking for jobs: Unspecified error (slurm_load_jobs, error -1)" {
		t.Errorf("%+v, %v", p, err)
	}
	a = realAnswers(t)
	a.endedText = strings.Replace(meta, "openapi", `openapi\/db`, 1)
	if p, err := testSource(a).Poll(context.Background()); err != nil || !p.Partial || p.Warnings[0].Rule != "no-accounting" {
		t.Errorf("%+v, %v", p, err)
	}
	// This is what sacct --json prints where no job has ended.
	a.endedText = strings.Replace(a.endedText, `"description": "Failed while looking for jobs", "error_number": -1, "error": "Unspecified error", "source": "slurm_load_jobs"`,
		`"description": "Nothing found", "error_number": 9003, "error": "Nothing found with query", "source": "slurmdb_jobs_get"`, 1)
	if p, err := testSource(a).Poll(context.Background()); err != nil || p.Partial || len(p.Ended) != 0 {
		t.Errorf("%+v, %v", p, err)
	}
}

// Jobs that cannot be read are left out and counted; other jobs stay.
func TestUnreadableJobs(t *testing.T) {
	a := realAnswers(t)
	a.queueText = strings.Replace(a.queueText, `"job_state": "PENDING"`, `"job_state": "DREAMING"`, 1)
	a.queueText = strings.Replace(a.queueText, `"cpus": 40`, `"cpus": "<b>many<\/b>"`, 1)
	p, err := testSource(a).Poll(context.Background())
	if err != nil || len(p.Jobs) != 9 {
		t.Fatalf("%d jobs, %v", len(p.Jobs), err)
	}
	for _, w := range p.Warnings {
		if w.Rule == "unreadable-jobs" && w.Count == 2 && strings.Contains(w.Saw, "DREAMING") {
			return
		}
	}
	t.Errorf("%v", p.Warnings)
}

// A list of which most jobs cannot be read is no empty queue.
func TestMostUnreadableJobs(t *testing.T) {
	a := realAnswers(t)
	a.queueText = strings.ReplaceAll(a.queueText, `"submit_time"`, `"submitted_at"`)
	p, err := testSource(a).Poll(context.Background())
	if err == nil || !strings.HasPrefix(err.Error(), "6 of 6 jobs cannot be read, the first: ") {
		t.Errorf("%+v, %v", p, err)
	}
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
