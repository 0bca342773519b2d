package batsim_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	goruntime "runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/batsim"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// batsimFile is a workload file as defined in Batsim's documentation.
type batsimFile struct {
	NbRes       int    `json:"nb_res"`
	Description string `json:"description"`
	Jobs        []struct {
		ID       string   `json:"id"`
		Subtime  *float64 `json:"subtime"`
		Res      int      `json:"res"`
		Walltime *float64 `json:"walltime"`
		Profile  string   `json:"profile"`
	} `json:"jobs"`
	Profiles map[string]struct {
		Type  string  `json:"type"`
		Delay float64 `json:"delay"`
	} `json:"profiles"`
}

// checkBatsim decodes a file and checks it against the assertions that Batsim makes when it loads
// one (its src/jobs.cpp, src/profiles.cpp and src/workload.cpp, 2023), and against the condition
// under which it does not kill a delay: delay < walltime (do_delay_task in its
// src/jobs_execution.cpp).
func checkBatsim(text string) (f batsimFile, err error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return f, err
	}
	if _, err := d.Token(); err != io.EOF {
		return f, fmt.Errorf("more than one value: %v", err)
	}
	if f.NbRes <= 0 || f.NbRes > math.MaxInt32 || f.Jobs == nil || f.Profiles == nil {
		return f, fmt.Errorf("nb_res %d, jobs %v, profiles %v", f.NbRes, f.Jobs == nil, f.Profiles == nil)
	}
	for name, p := range f.Profiles {
		if p.Type != "delay" || !(p.Delay > 0) {
			return f, fmt.Errorf("profile %s: %+v", name, p)
		}
	}
	ids, used := map[string]bool{}, map[string]bool{}
	for _, j := range f.Jobs {
		p, ok := f.Profiles[j.Profile]
		if j.Walltime != nil && !(p.Delay < *j.Walltime) {
			return f, fmt.Errorf("job %s is killed: walltime %g, delay %g", j.ID, *j.Walltime, p.Delay)
		}
		if j.ID == "" || ids[j.ID] || strings.Contains(j.ID, "!") || j.Subtime == nil || j.Res < 1 || j.Res > math.MaxInt32 || !ok || j.Walltime != nil && !(*j.Walltime > 0) {
			return f, fmt.Errorf("job %+v", j)
		}
		ids[j.ID], used[j.Profile] = true, true
	}
	if len(used) != len(f.Profiles) {
		return f, fmt.Errorf("%d profiles, %d used", len(f.Profiles), len(used))
	}
	// A decoder accepts a name that occurs twice.
	if n := strings.Count(text, `"type": `); n != len(f.Profiles) {
		return f, fmt.Errorf("%d profiles, %d with different names", n, len(f.Profiles))
	}
	return f, nil
}

func batsimJob(id int64, submit float64, size int64, run float64) workload.Job {
	j := workload.UnknownJob()
	j.ID, j.Submit, j.Processors, j.Run = id, submit, size, run
	return j
}

func batchOf(jobs []workload.Job) *workload.Batch {
	b := &workload.Batch{}
	for i := range jobs {
		b.Append(&jobs[i])
	}
	return b
}

// batsimText writes jobs, most of which have a run time whose profile is shared.
func batsimText(t *testing.T, h workload.Header, most int, batches ...[]workload.Job) string {
	t.Helper()
	var out strings.Builder
	w := batsim.NewWriter(&out, h, "delay")
	w.Most = most
	for _, jobs := range batches {
		jobtest.NoError(t, w.Write(batchOf(jobs)))
	}
	jobtest.NoError(t, w.Close())
	return out.String()
}

// checkedFile returns the file that batsimText writes, decoded and checked by checkBatsim.
func checkedFile(t *testing.T, h workload.Header, most int, batches ...[]workload.Job) batsimFile {
	t.Helper()
	f, err := checkBatsim(batsimText(t, h, most, batches...))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestBatsim(t *testing.T) {
	one, two := batsimJob(1, 0, 4, 10), batsimJob(2, 2.5, 8, 0.25)
	one.Time, two.Allocated = 60, 16
	got := batsimText(t, workload.Header{Lines: []string{" MaxProcs: 64", ` Note: "q"`}}, 10, []workload.Job{one, two}, nil, []workload.Job{batsimJob(3, 7, 1, 10)})
	want := `{
"jobs": [
{"id": "1", "subtime": 0, "res": 4, "walltime": 60, "profile": "delay10"},
{"id": "2", "subtime": 2.5, "res": 16, "profile": "delay0.25"},
{"id": "3", "subtime": 7, "res": 1, "profile": "delay10"}
],
"profiles": {
"delay10": {"type": "delay", "delay": 10},
"delay0.25": {"type": "delay", "delay": 0.25}
},
"nb_res": 64,
"description": " MaxProcs: 64\n Note: \"q\""
}
`
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if _, err := checkBatsim(got); err != nil {
		t.Error(err)
	}
	if f := checkedFile(t, workload.Header{}, 10); f.NbRes != 1 {
		t.Errorf("no jobs: %+v", f)
	}
}

// The machine has the header's number of processors, or as many as the largest job if that is more.
func TestBatsimMachine(t *testing.T) {
	for _, c := range []struct {
		header string
		want   int
	}{{"", 8}, {" MaxProcs: 64", 64}, {" MaxProcs: 4", 8}, {" MaxProcs: 99999999999", 8}, {" MaxNodes: 16", 16}} {
		f := checkedFile(t, workload.Header{Lines: []string{c.header}}, 10, []workload.Job{batsimJob(1, 0, 8, 1), batsimJob(2, 0, 3, 1)})
		if f.NbRes != c.want {
			t.Errorf("%s: nb_res %d, want %d", c.header, f.NbRes, c.want)
		}
	}
}

// Jobs that Batsim would not accept are omitted, and all losses are reported.
func TestBatsimLosses(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	rich := batsimJob(1, 0, 4, 10)
	rich.Allocated, rich.Time, rich.Wait, rich.User, rich.Status = 8, 0, 3, 7, 1
	asked := batsimJob(2, 0, 4, 10)
	asked.Allocated, asked.Wait = 0, 5
	jobs := []workload.Job{
		rich, asked,
		batsimJob(3, nan, 4, 10), batsimJob(4, inf, 4, 10),
		batsimJob(5, 0, workload.Unknown, 10), batsimJob(6, 0, 0, 10), batsimJob(7, 0, -4, 10), batsimJob(8, 0, 1<<31, 10),
		batsimJob(9, 0, 4, nan), batsimJob(10, 0, 4, 0), batsimJob(11, 0, 4, -3), batsimJob(12, 0, 4, inf),
	}
	f := checkedFile(t, workload.Header{}, 10, jobs)
	if len(f.Jobs) != 2 || f.Jobs[0].Res != 8 || f.Jobs[1].Res != 4 || f.Jobs[0].Walltime != nil {
		t.Errorf("%+v", f.Jobs)
	}
	want := `submit_time_s 2: jobs are left out whose submission is not known
wait_time_s 2: the format has no such field
run_time_s 4: jobs are left out whose run time is not known, or not above 0
allocated_processors 1: the format has one size: what was asked for, where nothing was allocated
requested_processors 4: jobs are left out whose size is not known, or not from 1 to 2147483647
requested_processors 1: the format has one size: the processors that the job got
requested_time_s 1: a walltime has to be above 0
status 1: the format has no such field
user_id 1: the format has no such field
`
	if d := cmp.Diff(want, lossText(jobs)); d != "" {
		t.Error(d)
	}
}

// lossText returns a line for each loss in writing the jobs.
func lossText(jobs []workload.Job) (text string) {
	for _, l := range batsim.Losses(batchOf(jobs)) {
		text += fmt.Sprintf("%s %d: %s\n", l.Column, l.Values, l.Why)
	}
	return text
}

// Batsim kills a job whose delay is not below its walltime, whereas the job in the log ran on.
// checkBatsim checks the condition for every job.
func TestBatsimKillsNoJob(t *testing.T) {
	jobs := []workload.Job{batsimJob(1, 0, 1, 3600), batsimJob(2, 0, 1, 3605), batsimJob(3, 0, 1, 3599.5), batsimJob(4, 0, 1, 1<<60)}
	for i := range jobs {
		jobs[i].Time = 3600
	}
	f := checkedFile(t, workload.Header{}, 10, jobs)
	var got []float64
	for _, j := range f.Jobs {
		got = append(got, *j.Walltime)
	}
	// Between 2^60 and 2^61 there are 2^52 numbers: the next one is 2^8 above.
	if d := cmp.Diff([]float64{3601, 3606, 3600, 1<<60 + 1<<8}, got); d != "" {
		t.Error(d)
	}
	want := "requested_time_s 3: not above the run time, where Batsim kills the job: written as 1 s above it\n"
	if d := cmp.Diff(want, lossText(jobs)); d != "" {
		t.Error(d)
	}
}

// Batsim 5 renamed the profile types.
func TestBatsimVersions(t *testing.T) {
	for version, want := range map[int]string{0: `{"type": "delay", "delay": 10}`, 4: `{"type": "delay", "delay": 10}`, 5: `{"type": "DelayProfile", "delay": 10}`, 3: "", 6: ""} {
		for _, late := range []bool{false, true} {
			var text strings.Builder
			o, err := logfile.NewOutput("batsim", &text, workload.Header{}, workload.WriteOptions{Batsim: version, HeaderLast: late})
			if err == nil {
				err = errors.Join(o.Write(batchOf([]workload.Job{batsimJob(1, 0, 1, 10)})), o.Commit())
			}
			fault := new(workload.OptionError)
			if (err == nil) != (want != "") || !strings.Contains(text.String(), want) || err != nil && !errors.As(err, &fault) {
				t.Errorf("version %d, header last %v: %v\n%s", version, late, err, text.String())
			}
		}
	}
}

// Identifiers are the log's if possible, and unique.
func TestBatsimIDs(t *testing.T) {
	var jobs []workload.Job
	for _, id := range []int64{5, 3, 5, workload.Unknown, math.MaxInt64, -7, 3, workload.Unknown, math.MaxInt64} {
		jobs = append(jobs, batsimJob(id, 0, 1, 1))
	}
	f := checkedFile(t, workload.Header{}, 10, jobs[:4], jobs[4:])
	var got []string
	for _, j := range f.Jobs {
		got = append(got, j.ID)
	}
	if d := cmp.Diff(strings.Fields("5 3 5-3 row-4 9223372036854775807 -7 3-7 row-8 9223372036854775807-9"), got); d != "" {
		t.Error(d)
	}
}

// A full set of identifiers cannot record every number: a job whose number may have occurred before
// gets its row as part of its identifier.
func TestBatsimIDsOfFullSet(t *testing.T) {
	var jobs []workload.Job
	for _, id := range []int64{1, 1000, 3000, 5000, 3000, 1000, 2000, 6000} {
		jobs = append(jobs, batsimJob(id, 0, 1, 1))
	}
	var out strings.Builder
	w := batsim.NewWriter(&out, workload.Header{}, "delay")
	w.LimitIDs(2) // 1 and 1000 fill it
	jobtest.NoError(t, errors.Join(w.Write(batchOf(jobs)), w.Close()))
	f, err := checkBatsim(out.String())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, j := range f.Jobs {
		got = append(got, j.ID)
	}
	if d := cmp.Diff(strings.Fields("1 1000 3000 5000 3000-5 1000-6 2000-7 6000"), got); d != "" {
		t.Error(d)
	}
}

// If there are too many run times, jobs get separate profiles.
func TestBatsimProfilesOfOneJob(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 0))
	var jobs []workload.Job
	for id := range int64(5000) {
		jobs = append(jobs, batsimJob(id, 0, 1, float64(1+rng.IntN(300))/4))
	}
	for _, most := range []int{1, 50, 300} {
		f := checkedFile(t, workload.Header{}, most, jobs[:2000], jobs[2000:])
		for i, j := range f.Jobs {
			if got := f.Profiles[j.Profile].Delay; got != jobs[i].Run {
				t.Fatalf("%d shared: job %d lasts %g, want %g", most, i, got, jobs[i].Run)
			}
		}
	}
}

// TestBatsimMemoryIsBounded writes jobs whose run times all differ.
func TestBatsimMemoryIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 650,000 jobs")
	}
	const batches, bound = 20, 60 << 20
	goruntime.GC()
	before, most := logtest.HeapInUse(), int64(0)
	w := batsim.NewWriter(io.Discard, workload.Header{}, "delay")
	for n := range batches {
		jobs := make([]workload.Job, workload.DefaultBatchRows)
		for i := range jobs {
			id := int64(n*len(jobs) + i)
			jobs[i] = batsimJob(id, 0, 1, 1+float64(id)/8)
		}
		batch := batchOf(jobs)
		jobs = nil
		jobtest.NoError(t, w.Write(batch))
		goruntime.GC()
		most = max(most, logtest.HeapInUse()-before)
	}
	if err := w.Close(); err != nil || most > bound {
		t.Errorf("%d MB in use, want at most %d; %v", most>>20, bound>>20, err)
	}
}
