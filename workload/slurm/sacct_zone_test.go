package slurm_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// TestSacctZone reads jobs around the changes of the clock in Zurich: on 28
// March 2021 it leapt from 2:00 to 3:00, on 31 October it went back from 3:00
// to 2:00. Times are from midnight of the first job's day; at 2:30 of the first
// pass that is 9000 s, of the second 12,600 s.
func TestSacctZone(t *testing.T) {
	columns := []string{"JobID", "State", "Submit", "Start", "End", "ElapsedRaw", "NCPUS"}
	at := func(id, submit, start, end, elapsed string) map[string]string {
		day := func(s string) string {
			if s == "" {
				return "Unknown"
			}
			return "2021-10-31T" + s
		}
		return is("JobID", id, "Submit", day(submit), "Start", day(start), "End", day(end), "ElapsedRaw", elapsed)
	}
	for _, c := range []struct {
		name     string
		zone     string
		records  []map[string]string
		want     []string // job, submit, wait, run
		warnings []string
		start    string
	}{
		{"summer", "Europe/Zurich", []map[string]string{is()}, []string{"1 36000 300 3600"}, nil, "1622498400"},
		{"none given", "", []map[string]string{is()}, []string{"1 36000 300 3600"}, []string{"no-time-zone 1 0"}, "1622505600"},
		{"none given or needed", "", []map[string]string{is("Submit", "2021-06-01T10:00:00Z", "Start", "2021-06-01T12:05:00+0200", "End", "1622545500")}, []string{"1 36000 300 3600"}, nil, "1622505600"},
		{"over the leap", "Europe/Zurich", []map[string]string{is("Submit", "2021-03-28T01:00:00", "Start", "2021-03-28T01:30:00", "End", "2021-03-28T04:30:00", "ElapsedRaw", "7200"),
			is("JobID", "2", "Submit", "2021-03-28T12:00:00", "Start", "2021-03-28T12:00:00", "End", "2021-03-28T12:00:01", "ElapsedRaw", "1")},
			[]string{"1 3600 1800 7200", "2 39600 0 1"}, nil, "1616886000"},
		{"in the leap", "Europe/Zurich", []map[string]string{is("Submit", "2021-03-28T02:30:00", "Start", "2021-03-28T03:30:00", "End", "2021-03-28T04:30:00")},
			[]string{"1 9000 0 3600"}, []string{"skipped-time 1 2"}, "1616886000"},
		{"the wrong zone", "UTC", []map[string]string{is("Submit", "2021-03-28T01:00:00", "Start", "2021-03-28T01:30:00", "End", "2021-03-28T04:30:00", "ElapsedRaw", "7200")},
			[]string{"1 3600 1800 7200"}, []string{"elapsed-time 1 2"}, "1616889600"},
		{"over the hour", "Europe/Zurich", []map[string]string{at("1", "01:00:00", "01:30:00", "03:30:00", "10800")}, []string{"1 3600 1800 10800"}, nil, "1635631200"},
		{"start by Elapsed, first", "Europe/Zurich", []map[string]string{at("1", "01:00:00", "02:30:00", "03:30:00", "7200")}, []string{"1 3600 5400 7200"}, []string{"repeated-hour 1 2"}, "1635631200"},
		{"start by Elapsed, second", "Europe/Zurich", []map[string]string{at("1", "01:00:00", "02:30:00", "03:30:00", "3600")}, []string{"1 3600 9000 3600"}, []string{"repeated-hour 1 2"}, "1635631200"},
		{"end by Elapsed", "Europe/Zurich", []map[string]string{at("1", "01:00:00", "01:30:00", "02:30:00", "7200")}, []string{"1 3600 1800 7200"}, []string{"repeated-hour 1 2"}, "1635631200"},
		{"start before its submission", "Europe/Zurich", []map[string]string{at("1", "02:50:00", "02:10:00", "02:20:00", "600")}, []string{"1 10200 1200 600"}, []string{"repeated-hour 1 2"}, "1635631200"},
		{"order", "Europe/Zurich", []map[string]string{
			at("1", "02:20:00", "03:30:00", "03:40:00", "600"), at("2", "02:50:00", "03:30:00", "03:40:00", "600"),
			at("3", "02:10:00", "02:20:00", "02:30:00", "600"), at("4", "02:55:00", "02:56:00", "02:57:00", "60"), at("5", "03:00:00", "03:00:00", "03:01:00", "60")},
			[]string{"1 8400 7800 600", "2 10200 6000 600", "3 11400 600 600", "4 14100 60 60", "5 14400 0 60"}, []string{"repeated-hour 4 2"}, "1635631200"},
		{"nothing tells", "Europe/Zurich", []map[string]string{at("1", "02:10:00", "02:20:00", "02:30:00", "600")}, []string{"1 7800 600 600"}, []string{"repeated-hour 1 2"}, "1635631200"},
		{"cancelled in the hour", "Europe/Zurich", []map[string]string{at("1", "02:50:00", "03:30:00", "03:40:00", "600"),
			is("JobID", "2", "State", "CANCELLED", "Submit", "2021-10-31T02:10:00", "Start", "Unknown", "End", "2021-10-31T05:00:00", "ElapsedRaw", "0")},
			[]string{"1 10200 6000 600", "2 11400 -1 -1"}, []string{"never-started 1 3", "repeated-hour 2 2"}, "1635631200"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := readSacct(madeSacct(columns, c.records...), workload.Options{TimeZone: c.zone}, parse.ChunkSize)
			if err != nil {
				t.Fatal(err)
			}
			for i, job := range got.jobs {
				got.jobs[i] = strings.Join(strings.Fields(job)[:4], " ")
			}
			h := workload.Header{Lines: got.header}
			if d := cmp.Diff(c.want, got.jobs) + cmp.Diff(c.warnings, got.warnings) + cmp.Diff(c.start, h.Get("UnixStartTime")); d != "" {
				t.Error(d)
			}
			clock, note := h.Clock()
			if !clock.Known || note != "" {
				t.Errorf("the header's clock: %+v, %s", clock, note)
			}
		})
	}
}

// TestSacctHeader has the header of a small log, whole.
func TestSacctHeader(t *testing.T) {
	text := madeSacct(append([]string{"Cluster"}, sacctMadeColumns...), is("Cluster", "abacus"), is("Cluster", "abacus", "JobID", "2", "User", "bob", "QOS", "", "State", "RUNNING"))
	got, err := readSacct(text, workload.Options{TimeZone: "Europe/Zurich"}, parse.ChunkSize)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		" Version: 2.2",
		" Computer: abacus",
		" UnixStartTime: 1622498400",
		" TimeZoneString: Europe/Zurich",
		" Note: From Slurm's sacct. Second 0 is midnight of the day on which the first job was submitted.",
		" Note: group: Account; application: JobName; queue: QOS; partition: Partition.",
		" Note: used memory: an upper bound, MaxRSS times the tasks of the largest step, by the processors.",
		" Note: Jobs by state: COMPLETED 1, RUNNING 1.",
		" User: 1 ada", " User: 2 bob", " Group: 1 maths", " Application: 1 sum", " Queue: 1 normal", " Queue: 2 long", " Partition: 1 long", " Account: 1 maths", " QOS: 1 normal",
	}
	if d := cmp.Diff(want, got.header); d != "" {
		t.Error(d)
	}
}
