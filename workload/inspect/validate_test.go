package inspect

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

func open(t testing.TB, text string) *workload.Log {
	t.Helper()
	log := jobtest.Must(logfile.OpenReader("x.swf", strings.NewReader(text), workload.Options{}))
	t.Cleanup(func() { log.Close() })
	return log
}

// validate checks a log in the standard workload format.
func validate(t testing.TB, text string, o ValidateOptions) Validation {
	t.Helper()
	log := open(t, text)
	v, err := Validate(t.Context(), log, o)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// sound is a header and a job, in line 15, without any finding.
const sound = `; Version: 2.2
; MaxJobs: 1
; MaxRecords: 1
; Preemption: No
; UnixStartTime: 978303600
; TimeZoneString: Europe/Stockholm
; StartTime: Mon Jan 01 00:00:00 CET 2001
; EndTime: Mon Jan 01 01:00:00 CET 2001
; MaxNodes: 2
; MaxProcs: 4
; MaxRuntime: 600
; MaxMemory: 1000
; MaxQueues: 1
; MaxPartitions: 1
1 0 5 100 4 90 100 4 200 200 1 1 1 1 0 1 -1 -1
`

func TestSoundLog(t *testing.T) {
	v := validate(t, sound, ValidateOptions{First: 3})
	if len(v.Findings) > 0 || len(v.NotChecked) > 0 || v.Log.Jobs != 1 || v.Log.Processors != 4 {
		t.Errorf("got %+v", v)
	}
}

// Each rule separately: the sound log with its job replaced by one or more jobs, separated by
// slashes, or with one change in its header. The last column is the expected finding, "rule count
// line"; "!" marks a rule that is more severe than usual, "?" one that is less severe.
func TestEachRule(t *testing.T) {
	const cases = `
no submission | 1 -1 5 100 4 90 100 4 200 200 1 1 1 1 0 1 -1 -1 | | submit-unknown 1 15
before the job above | 1 0 5 100 4 90 100 4 200 200 1 1 1 1 0 1 -1 -1 / 2 -5 5 100 4 90 100 4 200 200 1 1 1 1 0 1 -1 -1 | | submit-order 1 16, negative-submit-time 1 16, machine-over-full 1 15
before the one above an unknown | 1 700 5 100 4 90 100 4 200 200 1 1 1 1 0 1 -1 -1 / 2 -1 5 100 4 90 100 4 200 200 1 1 1 1 0 1 -1 -1 / 3 10 5 100 4 90 100 4 200 200 1 1 1 1 0 1 -1 -1 | | submit-unknown 1 16, submit-order 1 17
after the job above, before others | 1 700 5 100 4 90 100 4 200 200 1 1 1 1 0 1 -1 -1 / 2 10 5 100 4 90 100 4 200 200 1 1 1 1 0 1 -1 -1 / 3 200 5 100 4 90 100 4 200 200 1 1 1 1 0 1 -1 -1 | | submit-order 1 16
no wait | 1 0 -1 100 4 90 100 4 200 200 1 1 1 1 0 1 -1 -1 | | wait-unknown 1 15
no run time | 1 0 5 -1 4 -1 100 4 200 200 0 1 1 1 0 1 -1 -1 | | run-unknown 1 15
completed without run time | 1 0 5 -1 4 -1 100 4 200 200 1 1 1 1 0 1 -1 -1 | | run-unknown 1 15, completed-without-run 1 15
as long as the estimate | 1 0 5 200 4 90 100 4 200 200 1 1 1 1 0 1 -1 -1 | |
past the estimate | 1 0 5 201 4 90 100 4 200 200 1 1 1 1 0 1 -1 -1 | | run-past-estimate 1 15
past the estimate, forbidden | 1 0 5 201 4 90 201 4 200 200 1 1 1 1 0 1 -1 -1 | ; MaxQueues: 1 => ; AllowOveruse: No | run-past-estimate! 1 15, memory-over-requested! 1 15
past the limit | 1 0 5 601 4 90 100 4 -1 200 1 1 1 1 0 1 -1 -1 | | run-past-max 1 15
CPU time rounded | 1 0 5 100 4 100.5 100 4 200 200 1 1 1 1 0 1 -1 -1 | |
CPU time over run time | 1 0 5 100 4 101 100 4 200 200 1 1 1 1 0 1 -1 -1 | | cpu-over-run 1 15
no sizes | 1 0 5 100 -1 90 100 -1 200 200 1 1 1 1 0 1 -1 -1 | | size-unknown 1 15
sizes not positive | 1 0 5 100 0 90 100 0 200 200 1 1 1 1 0 1 -1 -1 | | size-unknown 1 15, zero-allocated-processors 1 15, zero-requested-processors 1 15
too large | 1 0 5 100 5 90 100 5 200 200 1 1 1 1 0 1 -1 -1 | | allocated-over-machine 1 15, requested-over-machine 1 15, machine-over-full 1 15
more than asked for | 1 0 5 100 4 90 100 3 200 200 1 1 1 1 0 1 -1 -1 | | requested-below-allocated 1 15
more memory than asked for | 1 0 5 100 4 90 201 4 200 200 1 1 1 1 0 1 -1 -1 | | memory-over-requested 1 15
more memory than there is | 1 0 5 100 4 90 1001 4 200 -1 1 1 1 1 0 1 -1 -1 | | memory-over-max 1 15
no id | -1 0 5 100 4 90 100 4 200 200 1 1 1 1 0 1 -1 -1 | | job-unknown 1 15
an id twice | 1 0 5 100 4 90 100 4 200 200 1 1 1 1 0 1 -1 -1 / 1 200 5 100 4 90 100 4 200 200 1 1 1 1 0 1 -1 -1 | | job-duplicate 1 16
an id twice, not in a row | 1 0 5 100 4 90 100 4 200 200 1 1 1 1 0 1 -1 -1 / 2 200 5 100 4 90 100 4 200 200 1 1 1 1 0 1 -1 -1 / ; remark / 1 400 5 100 4 90 100 4 200 200 1 1 1 1 0 1 -1 -1 | | job-duplicate 1 18, reader-late-comment 1 17
a job and its parts | 1 0 5 100 4 90 100 4 200 200 1 1 1 1 0 1 -1 -1 / 1 0 5 50 4 -1 100 4 200 200 2 1 1 1 0 1 -1 -1 / 1 0 55 50 4 -1 100 4 200 200 3 1 1 1 0 1 -1 -1 | Preemption: No => Preemption: Double and MaxJobs: 3 => MaxJobs: 1 |
parts where there are none | 1 0 5 100 4 90 100 4 200 200 3 1 1 1 0 1 -1 -1 | | status-part 1 15
no status | 1 0 5 100 4 90 100 4 200 200 -1 1 1 1 0 1 -1 -1 | | status-unknown 1 15
status 6 | 1 0 5 100 4 90 100 4 200 200 6 1 1 1 0 1 -1 -1 | | status-range 1 15
status -2 | 1 0 5 100 4 90 100 4 200 200 -2 1 1 1 0 1 -1 -1 | | status-range 1 15, negative-status 1 15
cancelled but ran | 1 0 5 100 4 90 100 4 200 200 5 1 1 1 0 1 -1 -1 | | cancelled-but-ran 1 15
failed at start | 1 0 5 0 4 0 100 4 200 200 0 1 1 1 0 1 -1 -1 | | failed-at-start 1 15, zero-run-time 1 15
preceding job | 1 0 5 100 4 90 100 4 200 200 1 1 1 1 0 1 -1 -1 / 2 200 5 100 4 90 100 4 200 200 1 1 1 1 0 1 1 10 | |
preceding job below | 1 0 5 100 4 90 100 4 200 200 1 1 1 1 0 1 2 10 / 2 200 5 100 4 90 100 4 200 200 1 1 1 1 0 1 -1 -1 | | preceding-not-above 1 15
think time alone | 1 0 5 100 4 90 100 4 200 200 1 1 1 1 0 1 -1 0 | | think-without-preceding 1 15
negative times | 1 0 -5 -100 4 -90 100 4 -200 200 1 1 1 1 0 1 -1 -1 | | negative-wait-time 1 15, negative-run-time 1 15, negative-cpu-time 1 15, negative-requested-time 1 15
no estimate | 1 0 5 100 4 90 100 4 0 200 1 1 1 1 0 1 -1 -1 | | zero-requested-time 1 15
another field | 1 0 5 100 4 90 100 4 200 200 1 1 1 1 0 1 -1 -1 17 | | reader-extra-fields 1 15
more jobs | | MaxJobs: 1 => MaxJobs: 2 and MaxRecords: 1 => MaxRecords: 2 | header-jobs 1 2, header-records 1 3
no number | | MaxNodes: 2 => MaxNodes: two | header-unreadable 1 9
time sharing | 1 0 5 100 5 90 100 5 200 200 1 1 1 1 0 1 -1 -1 | Preemption: No => Preemption: TS | allocated-over-machine 1 15, requested-over-machine 1 15, machine-over-full? 1 15
`
	usual := map[string]Severity{}
	for _, r := range Rules() {
		usual[r.Rule] = r.Severity
	}
	for _, cells := range longtest.Rows(cases) {
		text := sound
		if cells[1] != "" {
			jobs := strings.Split(cells[1], " / ")
			n := len(jobs) - strings.Count(cells[1], ";")
			text = sound[:strings.LastIndex(sound[:len(sound)-1], "\n")+1] + strings.Join(jobs, "\n") + "\n"
			text = strings.NewReplacer("MaxJobs: 1", fmt.Sprint("MaxJobs: ", n), "MaxRecords: 1", fmt.Sprint("MaxRecords: ", n)).Replace(text)
		}
		for _, edit := range strings.Split(cells[2], " and ") {
			old, new, _ := strings.Cut(edit, " => ")
			text = strings.ReplaceAll(text, old, new)
		}
		var got []string
		for _, f := range validate(t, text, ValidateOptions{First: 2}).Findings {
			name := f.Rule
			switch {
			case usual[f.Rule] == Oddity && f.Severity == Fault:
				name += "!"
			case usual[f.Rule] == Fault && f.Severity == Oddity:
				name += "?"
			}
			if int64(len(f.Places)) != min(f.Count, 2) {
				t.Errorf("%s: %s: %d places of %d", cells[0], name, len(f.Places), f.Count)
			}
			got = append(got, fmt.Sprintf("%s %d %d", name, f.Count, f.Places[0].Line))
		}
		want := strings.Split(cells[3], ", ")
		slices.Sort(got)
		slices.Sort(want)
		if strings.Join(got, ", ") != strings.Join(want, ", ") {
			t.Errorf("%s: got %q, want %q", cells[0], got, want)
		}
	}
}

// found returns the finding of a single case.
func found(rule, note string, place Place) Finding {
	all := Rules()
	f := all[slices.IndexFunc(all, func(r Finding) bool { return r.Rule == rule })]
	f.Count, f.Note, f.Places = 1, note, []Place{place}
	return f
}

// A place has the text found there.
func TestPlaces(t *testing.T) {
	v := validate(t, strings.Replace(sound, "1 0 5 100 4 90", "17 0 5 100 9 -7.25", 1), ValidateOptions{First: 1, Rules: []string{"negative-*", "allocated-over-machine", "machine-over-full"}})
	want := []Finding{
		found("allocated-over-machine", "", Place{15, 1, 17, "allocated_processors", "9", "4 at most"}),
		found("machine-over-full", "100 s in total; peak of 9 processors at 5 s",
			Place{15, 1, 17, "allocated_processors", "9 busy, from 5 s for 100 s", "4 at most"}),
		found("negative-cpu-time", "", Place{15, 1, 17, "cpu_time_s", "-7.25", "0 or more"}),
	}
	want[0].Filter = "proc>4"
	if d := cmp.Diff(want, v.Findings); d != "" {
		t.Error(d)
	}
	// --procs takes precedence over the header.
	v = validate(t, sound, ValidateOptions{Processors: 3, Rules: []string{"allocated-over-machine"}})
	if v.Faults != 1 || len(v.Findings[0].Places) != 0 {
		t.Errorf("got %+v", v)
	}
}

// Rules about columns that a log does not have are not reported as unchecked; rules about columns
// that it has, but for which the header gives no limit, are.
func TestOptionalRules(t *testing.T) {
	wide := job(0, 0, 1, 1)
	wide.AllocatedNodes, wide.AllocatedGPUs = 9, 33
	for _, c := range []struct {
		header []string
		job    workload.Job
		want   string
	}{
		{nil, job(0, 0, 1, 1), ""},
		{nil, wide, "not nodes-over-machine MaxNodes, not gpus-over-machine MaxGPUs"},
		{[]string{" MaxNodes: 9", " MaxGPUs: 33"}, wide, ""},
		{[]string{" MaxNodes: 8", " MaxGPUs: 32"}, wide, "nodes-over-machine 9 8 at most, gpus-over-machine 33 32 at most"},
	} {
		log := workload.LogOf("x", workload.Header{Lines: c.header}, []workload.Job{c.job})
		v, err := Validate(t.Context(), log, ValidateOptions{First: 1, Rules: []string{"nodes-over-machine", "gpus-over-machine"}})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range v.Findings {
			got = append(got, f.Rule+" "+f.Places[0].Saw+" "+f.Places[0].Want)
		}
		for _, n := range v.NotChecked {
			got = append(got, "not "+n.Rule+" "+n.Missing)
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%q: %q, want %q", c.header, got, c.want)
		}
	}
}

// Patterns, a name, and whether they select it; faulty patterns have no name.
func TestCheckRules(t *testing.T) {
	const cases = `
 | submit-order | true
submit-order | submit-order | true
negative-*,reader-* | reader-extra-fields | true
reader-extra-fields | job-unknown | false
* | job-unknown | true
!submit-order | submit-order | false
!submit-order | job-unknown | true
header-*,!header-jobs | header-jobs | false
header-*,!header-jobs | header-records | true
header-*,!header-jobs | job-unknown | false
submit-order, | |
submit-order,submit | |
submit-order,!submit | |
nonsense-* | |
[ | |
`
	for _, cells := range longtest.Rows(cases) {
		patterns, name := strings.Split(cells[0], ","), cells[1]
		if patterns[0] == "" {
			patterns = nil
		}
		if err := checkRules(patterns); (err != nil) != (name == "") || err == nil && fmt.Sprint(chosen(patterns, name)) != cells[2] {
			t.Errorf("%s: %v", cells, err)
		}
	}
	names := map[string]bool{}
	for _, r := range Rules() {
		if column := workload.ColumnIndex(r.Field); names[r.Rule] || r.Words == "" || r.Severity != Fault && r.Severity != Oddity ||
			r.Counts != "headers" && column < 0 {
			t.Errorf("%+v", r)
		}
		names[r.Rule] = true
	}
}

// Jobs out of order of submission are a fault only in formats that require the order.
func TestOrderBySeverity(t *testing.T) {
	for format, want := range map[string]Severity{"swf": Fault, "gwf": Fault, "memory": Fault, "parquet": Fault, "sacct": Oddity, "csv": Oddity, "pm100": Oddity} {
		log := open(t, sound+"2 -5 5 100 4 90 100 4 200 200 1 1 1 1 0 1 -1 -1\n")
		log.Format = format
		v, err := Validate(t.Context(), log, ValidateOptions{Rules: []string{"submit-order"}})
		if err != nil {
			t.Fatal(err)
		}
		if len(v.Findings) != 1 || v.Findings[0].Severity != want || (v.Faults == 1) != (want == Fault) {
			t.Errorf("%s: %+v", format, v.Findings)
		}
	}
}
