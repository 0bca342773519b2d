package reshape

import (
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Keywords that may stay do so with a value of their form only: text in its
// place may name somebody. The forms are those of the format's definition
// (FORMATS: Preemption, AllowOveruse, zoneinfo names, date(1)) and those that
// the archive's logs have.
func TestAnonymiseKeepsOnlyKnownValues(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{" Preemption: alice", ""},
		{" Preemption: No", " Preemption: No"},
		{" Preemption: Double", " Preemption: Double"},
		{" preemption: yes", " preemption: yes"},
		{" Preemption: No, but for alice", ""},
		{" Preemption: No (but for alice)", " Preemption: No"},
		{" Preemption: TS alice", " Preemption: TS"},
		{" AllowOveruse: Yes", " AllowOveruse: Yes"},
		{" AllowOveruse: alice", ""},
		{" TimeZoneString: Europe/Zurich", " TimeZoneString: Europe/Zurich"},
		{" TimeZoneString: alice", ""},
		{" TimeZoneString: Local", ""},
		{" TimeZoneString: Europe/Zurich, says bob", ""},
		{" TimeZoneString:", " TimeZoneString:"},
		{" StartTime: Mon Sep 23 14:00:31 CEST 1996", " StartTime: Mon Sep 23 14:00:31 CEST 1996"},
		{" StartTime: Tue Oct 04 07:01:12 MDT 1994", " StartTime: Tue Oct 04 07:01:12 MDT 1994"},
		{" EndTime:   2014-08-19 12:14:46", " EndTime:   2014-08-19 12:14:46"},
		{" EndTime: Fri Oct 01 00:00:03 PDT 1993", " EndTime: Fri Oct 01 00:00:03 PDT 1993"},
		{" EndTime: 2024-05-31T14:30:00+02:00", " EndTime: 2024-05-31T14:30:00+02:00"},
		{" EndTime: 2024-05-31", " EndTime: 2024-05-31"},
		{" StartTime: when alice came", ""},
		{" StartTime: Mon Sep 23 14:00:31 BOB 1996", ""}, // no zone's abbreviation
		{" EndTime: Mon Sep 23 14:00:31 CEST 1996 (alice left)", ""},
		{" EndTime: 2014-08-19 12:14:46 alice", ""},
		{" MaxProcs: alice", ""},
		{" MaxProcs: 400alice", ""},
		{" MaxProcs: 400 (48 for alice)", " MaxProcs: 400"},
		{" MaxNodes: -1", " MaxNodes: -1"},
		{" MaxRuntime: 18:00:00", " MaxRuntime: 18:00:00"},
		{" Version: 2.2", " Version: 2.2"},
		{" Version: alice", ""},
		{" UnixStartTime: 0 ", " UnixStartTime: 0 "},
		{" TimeZone: -28800", " TimeZone: -28800"},
		{" TimeZone: bob", ""},
		{" MaxJobs:", " MaxJobs:"},
	} {
		a := anonymous(t, users(1), []string{c.line}, AnonymiseOptions{})
		got := a.Header.Lines[:len(a.Header.Lines)-1] // the last is our note
		var want []string
		if c.want != "" {
			want = []string{c.want}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", c.line, got, want)
		}
		if changed := c.line != c.want; changed != (len(a.Dropped) == 1) {
			t.Errorf("%q: %+v dropped", c.line, a.Dropped)
		}
	}
}

// Accounts and qualities of service are replaced, and lose their names; kinds of
// GPUs, which name nobody, keep theirs. The note names what the log has.
func TestAnonymiseOptional(t *testing.T) {
	j := workload.UnknownJob()
	for _, col := range []int{workload.ColAccount, workload.ColQOS, workload.ColGPUType, workload.ColArray} {
		workload.ColumnAt(col).SetInt(&j, 3)
	}
	a := anonymous(t, []workload.Job{j}, []string{" Account: 3 physics", " QOS: 3 high", " GPUType: 3 A100", " MaxGPUs: 32", " MaxNodeMemory: 1000"}, AnonymiseOptions{})
	for out, err := range a.Jobs(seqFrom([]workload.Job{j})) {
		if err != nil {
			t.Fatal(err)
		}
		for col, kept := range map[int]bool{workload.ColAccount: false, workload.ColQOS: false, workload.ColGPUType: true, workload.ColArray: true} {
			if got := workload.ColumnAt(col).Int(&out); got == 3 != kept {
				t.Errorf("%s is %d", workload.ColumnAt(col).Name, got)
			}
		}
	}
	text := strings.Join(a.Header.Lines, "\n")
	for part, want := range map[string]bool{
		"GPUType: 3 A100": true, "MaxGPUs: 32": true, "MaxNodeMemory: 1000": true, "physics": false, "high": false,
		"application_id, queue_id, partition_id, account_id, qos_id replaced": true,
	} {
		if strings.Contains(text, part) != want {
			t.Errorf("%q in the header: %v, want %v\n%s", part, !want, want, text)
		}
	}
	// A name makes the hash, so that logs that number accounts otherwise agree.
	other := j
	workload.ColumnAt(workload.ColQOS).SetInt(&other, 7)
	b := anonymous(t, []workload.Job{other}, []string{" QOS: 7 high"}, AnonymiseOptions{})
	if x, y := a.table[workload.ColQOS][3], b.table[workload.ColQOS][7]; x != y {
		t.Errorf("QOS high is %d and %d", x, y)
	}
}
