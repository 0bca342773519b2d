package slurm_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
	"github.com/loadstone-hpc/loadstone/workload/slurm"
	"github.com/loadstone-hpc/loadstone/workload/swf"
)

// sacctRead is all that is to be known of a log: its jobs as SWF has them, its
// header and its warnings as "rule count line".
type sacctRead struct {
	jobs, header, warnings []string
	lines                  []int64
}

func readSacct(text string, o workload.Options, size int) (r sacctRead, err error) {
	l, err := slurm.OpenSacct("log", strings.NewReader(text), o, size)
	if err != nil {
		return r, err
	}
	row := int64(0)
	for rec, err := range l.Batches() {
		if err != nil {
			return r, err
		}
		for line := range strings.Lines(string(swf.Append(nil, rec))) {
			r.jobs = append(r.jobs, strings.TrimSpace(line))
			r.lines = append(r.lines, l.Line(row))
			row++
		}
	}
	r.header = l.Header.Lines
	for _, w := range l.Warnings() {
		r.warnings = append(r.warnings, fmt.Sprintf("%s %d %d", w.Rule, w.Count, w.Line))
	}
	slices.Sort(r.warnings)
	return r, nil
}

// TestSacctSamples has values worked out by hand from the records' text.
func TestSacctSamples(t *testing.T) {
	dir := logtest.Traces(t)
	for _, c := range []struct {
		file     string
		jobs     []string
		names    []string // of applications
		start    string   // UnixStartTime
		warnings []string
	}{
		{
			file: "ubccr-sacct_simple.log",
			jobs: []string{
				"1 51808 0 84805 32 -1 -1 32 259200 16384000 1 1 1 1 1 1 -1 -1",
				"2 51808 0 12688 32 -1 -1 32 259200 5984000 1 2 2 2 1 1 -1 -1",
				"3 51808 3 2009 18 -1 -1 18 259200 29127111.111111112 1 3 3 3 1 1 -1 -1",
				"4 51808 3 2003 18 -1 -1 18 259200 29127111.111111112 1 3 3 4 1 1 -1 -1",
			},
			names:    []string{"1 job_00001", "2 job_0||0002", "3 job_0|0003", "4 job_|00004"},
			start:    "1639112400",
			warnings: []string{"bars-in-text 3 3", "left-out-columns 1 0"},
		},
		{
			file: "ubccr-sacct_dump2101.log",
			jobs: []string{
				"4745200 79936 -1 -1 -1 -1 -1 12 172800 2867200 5 1 1 1 1 1 -1 -1",
				"4801839 692242 -1 -1 -1 -1 -1 12 172800 2867200 5 1 2 1 1 1 -1 -1",
				"4814432 892504 -1 -1 -1 -1 -1 12 172800 2867200 5 1 2 1 1 1 -1 -1",
				"4810966 895620 -1 -1 -1 -1 -1 12 172800 2867200 5 1 2 1 1 1 -1 -1",
				"4814635 903405 -1 -1 -1 -1 -1 12 172800 2867200 5 1 2 1 1 1 -1 -1",
				"4814654 903406 -1 -1 -1 -1 -1 12 172800 2867200 5 1 2 1 1 1 -1 -1",
				"4822203 924437 179034 128930 25 26775.4 5652376 25 144000 22528000 1 2 3 2 1 1 -1 -1",
				"4830973 973660 1182 259222 40 258824.05 -1 40 259200 4608000 0 3 4 3 2 1 -1 -1",
				"4830974 973660 1182 259222 40 258824.05 -1 40 259200 4608000 0 3 4 3 2 1 -1 -1",
				"4830975 973660 1182 259222 40 258824.05 -1 40 259200 4608000 0 3 4 4 2 1 -1 -1",
				"4830976 973660 1182 259222 40 258824.05 -1 40 259200 4608000 0 3 4 5 2 1 -1 -1",
				"4830977 973660 1182 259222 40 258824.05 -1 40 259200 4608000 0 3 4 6 2 1 -1 -1",
			},
			names:    []string{"1 JobName001", "2 JobName002", "3 JobName003", "4 Job| Name003", "5 Job| Name |003", "6 Jo| bNa| me003"},
			start:    "1608267600",
			warnings: []string{"never-started 6 2", "bars-in-text 4 12", "broken-record 1 16", "state-timeout 5 11", "left-out-columns 72 0"},
		},
		{
			file: "ubccr-sacct_dump2110.log",
			jobs: []string{
				"7957382 41172 0 56 2 0.005 160 1 86400 4096000 5 1 1 1 1 1 -1 -1",
				"7957382 41172 0 56 2 0.005 -1 1 86400 4096000 5 1 1 1 1 1 -1 -1",
				"7957382 41172 0 56 2 0.005 -1 1 86400 4096000 5 1 1 2 1 1 -1 -1",
				"7957382 41172 0 56 2 0.005 -1 1 86400 4096000 5 1 1 3 1 1 -1 -1",
				"7957382 41172 0 56 2 0.005 -1 1 86400 4096000 5 1 1 4 1 1 -1 -1",
			},
			names:    []string{"1 qlogin", "2 qlo|gin", "3 qlogin|", "4 qlo|gin|"},
			start:    "1633406400",
			warnings: []string{"bars-in-text 5 2", "duplicate-record 4 5", "left-out-columns 74 0"},
		},
		{
			file: "ubccr-sacct_submitline_multiline.log",
			jobs: []string{
				"7957382 41172 0 56 2 0.005 160 1 86400 4096000 5 1 1 1 1 1 -1 -1",
				"9067954 25725478 150877 9600 576 0.013758680555555555 34.74305555555556 16 18000 1048576 1 2 2 2 2 2 -1 -1",
				"7957382 41172 0 56 2 0.005 -1 1 86400 4096000 5 1 1 1 1 1 -1 -1",
				"7957382 41172 0 56 2 0.005 -1 1 86400 4096000 5 1 1 3 1 1 -1 -1",
				"7957382 41172 0 56 2 0.005 -1 1 86400 4096000 5 1 1 4 1 1 -1 -1",
				"7957382 41172 0 56 2 0.005 -1 1 86400 4096000 5 1 1 5 1 1 -1 -1",
			},
			names:    []string{"1 qlogin", "2 Panasas_16_node_iozone_test", "3 qlo|gin", "4 qlogin|", "5 qlo|gin|"},
			start:    "1633406400",
			warnings: []string{"bars-in-text 5 2", "several-clusters 1 4", "submit-order 1 15", "duplicate-record 4 15", "left-out-columns 74 0"},
		},
	} {
		t.Run(c.file, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join(dir, "sacct", c.file))
			if err != nil {
				t.Fatal(err)
			}
			for _, size := range []int{100, parse.ChunkSize} {
				got, err := readSacct(string(text), workload.Options{TimeZone: "America/New_York"}, size)
				if err != nil {
					t.Fatal(err)
				}
				h := workload.Header{Lines: got.header}
				if d := cmp.Diff(c.jobs, got.jobs) + cmp.Diff(c.names, h.All("Application")) + cmp.Diff(c.start, h.Get("UnixStartTime")); d != "" {
					t.Errorf("chunks of %d: %s", size, d)
				}
				if d := cmp.Diff(slices.Sorted(slices.Values(c.warnings)), got.warnings); d != "" {
					t.Errorf("chunks of %d: %s", size, d)
				}
			}
		})
	}
}

// madeSacct makes a log of the fields of each job that differ from one that is
// ordinary. A job with steps has "steps" lines behind it.
func madeSacct(columns []string, records ...map[string]string) string {
	ordinary := map[string]string{
		"JobID": "1", "User": "ada", "Account": "maths", "Partition": "long", "QOS": "normal", "JobName": "sum",
		"State": "COMPLETED", "Submit": "2021-06-01T10:00:00", "Start": "2021-06-01T10:05:00", "End": "2021-06-01T11:05:00",
		"ElapsedRaw": "3600", "Suspended": "00:00:00", "TimelimitRaw": "120", "NNodes": "2", "NCPUS": "4", "ReqCPUS": "4",
		"ReqMem": "8G", "TotalCPU": "02:00:00", "NodeList": "n[1-2]",
	}
	var b strings.Builder
	b.WriteString(strings.Join(columns, "|") + "\n")
	for _, r := range records {
		for i, c := range columns {
			if i > 0 {
				b.WriteByte('|')
			}
			if v, ok := r[c]; ok {
				b.WriteString(v)
			} else {
				b.WriteString(ordinary[c])
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

var sacctMadeColumns = []string{"JobID", "User", "Account", "Partition", "QOS", "JobName", "State", "Submit", "Start", "End", "ElapsedRaw",
	"Suspended", "TimelimitRaw", "NNodes", "NCPUS", "ReqCPUS", "ReqMem", "TotalCPU", "MaxRSS", "NTasks", "NodeList", "JobIDRaw"}

// is makes a record: fields and values in turn.
func is(fieldsAndValues ...string) map[string]string {
	m := map[string]string{}
	for i := 0; i < len(fieldsAndValues); i += 2 {
		m[fieldsAndValues[i]] = fieldsAndValues[i+1]
	}
	return m
}

// step is a record as sacct prints it of a step.
func step(id string, fieldsAndValues ...string) map[string]string {
	m := is("JobID", id, "User", "", "Partition", "", "QOS", "", "TimelimitRaw", "", "ReqMem", "", "Suspended", "")
	maps.Copy(m, is(fieldsAndValues...))
	return m
}

// TestSacctRules has a small log for each rule. The ordinary job of madeSacct
// was submitted at 36,000 s of its day, waited 300 s, ran 3600 s on 4
// processors, each of which was busy for 1800 s, and asked for 7200 s and
// 2,097,152 KB for each processor.
func TestSacctRules(t *testing.T) {
	const tail = " 1 1 1 1 1 -1 -1"
	ordinary := func(id string) string { return id + " 36000 300 3600 4 1800 -1 4 7200 2097152 1" + tail }
	for _, c := range []struct {
		name     string
		records  []map[string]string
		jobs     []string
		warnings []string
	}{
		{"ordinary", []map[string]string{is()}, []string{ordinary("1")}, nil},
		{"steps give time and memory", []map[string]string{
			is("TotalCPU", "00:00:00"), step("1.batch", "TotalCPU", "00:40.500", "MaxRSS", "1000K", "NTasks", "1"),
			step("1.0", "TotalCPU", "01:00:00", "MaxRSS", "2048K", "NTasks", "2"), step("1.extern", "TotalCPU", "00:00:00", "MaxRSS", "0", "NTasks", "2"),
		}, []string{"1 36000 300 3600 4 910.125 1024 4 7200 2097152 1" + tail}, nil},
		{"a job's own time is not added to", []map[string]string{is(), step("1.batch", "TotalCPU", "01:00:00", "MaxRSS", "4096K")},
			[]string{"1 36000 300 3600 4 1800 1024 4 7200 2097152 1" + tail}, nil},
		{"step without tasks", []map[string]string{is(), step("1.0", "MaxRSS", "4096K")}, []string{ordinary("1")}, []string{"step-tasks 1 3"}},
		{"step without its job", []map[string]string{is(), step("2.batch"), is("JobID", "3")}, []string{ordinary("1"), ordinary("3")}, []string{"orphan-step 1 3"}},
		{"step behind another job", []map[string]string{is("TotalCPU", ""), is("JobID", "2"), step("1.0", "TotalCPU", "02:00:00")},
			[]string{ordinary("1"), ordinary("2")}, nil},
		{"no usage by -X", []map[string]string{is("TotalCPU", "00:00:00")}, []string{"1 36000 300 3600 4 -1 -1 4 7200 2097152 1" + tail}, []string{"no-cpu-time 1 2"}},
		{"array tasks with JobIDRaw", []map[string]string{is("JobID", "7_1", "JobIDRaw", "8"), step("7_1.batch", "JobIDRaw", "8.batch", "MaxRSS", "4M"), is("JobID", "7_2", "JobIDRaw", "7")},
			[]string{"8 36000 300 3600 4 1800 1024 4 7200 2097152 1" + tail, ordinary("7")}, nil},
		{"array tasks without", []map[string]string{is("JobID", "7_1"), is("JobID", "7_2"), step("7_1.batch", "MaxRSS", "4M")},
			[]string{"7 36000 300 3600 4 1800 1024 4 7200 2097152 1" + tail, ordinary("7")}, []string{"shared-id 2 2"}},
		{"heterogeneous", []map[string]string{is("JobID", "12+0", "JobIDRaw", "12"), is("JobID", "12+1", "JobIDRaw", "13")}, []string{ordinary("12"), ordinary("13")}, nil},
		{"tasks that wait", []map[string]string{is("JobID", "7_[3-9]", "JobIDRaw", "7", "State", "PENDING", "Start", "Unknown", "End", "Unknown", "ElapsedRaw", "0", "NCPUS", "0", "NodeList", "None assigned", "TotalCPU", "00:00:00")},
			[]string{"7 36000 -1 -1 -1 -1 -1 4 7200 2097152 -1" + tail}, []string{"waiting 1 2", "waiting-tasks 1 2"}},
		{"running", []map[string]string{is("State", "RUNNING", "End", "Unknown", "ElapsedRaw", "17", "TotalCPU", "00:00:00")},
			[]string{"1 36000 300 -1 4 -1 -1 4 7200 2097152 -1" + tail}, []string{"running 1 2"}},
		{"cancelled while it waited", []map[string]string{is("State", "CANCELLED by 1000", "Start", "None", "ElapsedRaw", "0", "NodeList", "None assigned", "NCPUS", "0", "TotalCPU", "00:00:00")},
			[]string{"1 36000 -1 -1 -1 -1 -1 4 7200 2097152 5" + tail}, []string{"never-started 1 2"}},
		{"cancelled while it waited, old Slurm", []map[string]string{is("State", "CANCELLED+", "Start", "2021-06-01T11:05:00", "ElapsedRaw", "0", "NodeList", "None assigned", "TotalCPU", "00:00:00")},
			[]string{"1 36000 -1 -1 -1 -1 -1 4 7200 2097152 5" + tail}, []string{"never-started 1 2"}},
		{"cancelled at its start", []map[string]string{is("State", "CANCELLED", "End", "2021-06-01T10:05:00", "ElapsedRaw", "0", "TotalCPU", "00:00:00")},
			[]string{"1 36000 300 0 4 0 -1 4 7200 2097152 5" + tail}, nil},
		{"other ends", []map[string]string{is("State", "TIMEOUT"), is("JobID", "2", "State", "OUT_OF_MEMORY"), is("JobID", "3", "State", "FAILED"), is("JobID", "4", "State", "NF"), is("JobID", "5", "State", "NODE_FAIL")},
			[]string{"1 36000 300 3600 4 1800 -1 4 7200 2097152 0" + tail, "2 36000 300 3600 4 1800 -1 4 7200 2097152 0" + tail, "3 36000 300 3600 4 1800 -1 4 7200 2097152 0" + tail,
				"4 36000 300 3600 4 1800 -1 4 7200 2097152 0" + tail, "5 36000 300 3600 4 1800 -1 4 7200 2097152 0" + tail},
			[]string{"state-timeout 1 2", "state-out-of-memory 1 3", "state-node-fail 2 5"}},
		{"unknown state", []map[string]string{is("State", "PONDERING")}, []string{"1 36000 300 3600 4 1800 -1 4 7200 2097152 -1" + tail}, []string{"unknown-state 1 2"}},
		{"requeued", []map[string]string{
			is("State", "PREEMPTED"), is("State", "REQUEUED", "Submit", "2021-06-01T11:05:00", "Start", "2021-06-01T11:10:00", "End", "2021-06-01T12:10:00"),
			is("Submit", "2021-06-01T12:10:00", "Start", "2021-06-01T12:20:00", "End", "2021-06-01T13:20:00")},
			[]string{"1 36000 300 3600 4 1800 -1 4 7200 2097152 2" + tail, "1 39900 300 3600 4 1800 -1 4 7200 2097152 2" + tail, "1 43800 600 3600 4 1800 -1 4 7200 2097152 3" + tail}, nil},
		{"requeued, the last first", []map[string]string{
			is("State", "FAILED", "Submit", "2021-06-01T12:10:00", "Start", "2021-06-01T12:20:00", "End", "2021-06-01T13:20:00"), is("JobID", "9"),
			is("State", "NODE_FAIL")},
			[]string{"1 43800 600 3600 4 1800 -1 4 7200 2097152 4" + tail, ordinary("9"), "1 36000 300 3600 4 1800 -1 4 7200 2097152 2" + tail},
			[]string{"state-node-fail 1 4", "submit-order 1 3"}},
		{"requeued and cancelled", []map[string]string{is("State", "REQUEUED"), is("State", "CANCELLED", "Submit", "2021-06-01T11:05:00", "Start", "2021-06-01T11:10:00", "End", "2021-06-01T12:10:00")},
			[]string{"1 36000 300 3600 4 1800 -1 4 7200 2097152 2" + tail, "1 39900 300 3600 4 1800 -1 4 7200 2097152 5" + tail}, nil},
		{"requeued and waiting", []map[string]string{is("State", "REQUEUED"), is("State", "PENDING", "Submit", "2021-06-01T11:05:00", "Start", "Unknown", "End", "Unknown", "ElapsedRaw", "0", "NodeList", "None assigned", "TotalCPU", "")},
			[]string{"1 36000 300 3600 4 1800 -1 4 7200 2097152 2" + tail, "1 39900 -1 -1 -1 -1 -1 4 7200 2097152 -1" + tail}, []string{"waiting 1 3"}},
		{"requeued, alone", []map[string]string{is("State", "REQUEUED")}, []string{"1 36000 300 3600 4 1800 -1 4 7200 2097152 0" + tail}, []string{"lone-part 1 2"}},
		{"failed and run again", []map[string]string{is("State", "FAILED"), is("Submit", "2021-06-01T11:05:00", "Start", "2021-06-01T11:10:00", "End", "2021-06-01T12:10:00")},
			[]string{"1 36000 300 3600 4 1800 -1 4 7200 2097152 0" + tail, "1 39900 300 3600 4 1800 -1 4 7200 2097152 1" + tail}, nil},
		{"twice the same", []map[string]string{is(), is()}, []string{ordinary("1"), ordinary("1")}, []string{"duplicate-record 1 3"}},
		{"steps of each record", []map[string]string{
			is("State", "REQUEUED"), step("1.batch", "MaxRSS", "4M"),
			is("Submit", "2021-06-01T11:05:00", "Start", "2021-06-01T11:10:00", "End", "2021-06-01T12:10:00"), step("1.batch", "MaxRSS", "8M")},
			[]string{"1 36000 300 3600 4 1800 1024 4 7200 2097152 2" + tail, "1 39900 300 3600 4 1800 2048 4 7200 2097152 3" + tail}, nil},
		{"limits", []map[string]string{is("TimelimitRaw", "Partition_Limit"), is("JobID", "2", "TimelimitRaw", "UNLIMITED"), is("JobID", "3", "TimelimitRaw", "")},
			[]string{"1 36000 300 3600 4 1800 -1 4 -1 2097152 1" + tail, "2 36000 300 3600 4 1800 -1 4 -1 2097152 1" + tail, "3 36000 300 3600 4 1800 -1 4 -1 2097152 1" + tail}, nil},
		{"memory for processors and nodes", []map[string]string{is("ReqMem", "2Gc"), is("JobID", "2", "ReqMem", "4Gn"), is("JobID", "3", "ReqMem", "0n"), is("JobID", "4", "ReqMem", "4Gn", "NNodes", "")},
			[]string{ordinary("1"), ordinary("2"), "3 36000 300 3600 4 1800 -1 4 7200 -1 1" + tail, "4 36000 300 3600 4 1800 -1 4 7200 -1 1" + tail}, []string{"memory-of-nodes 1 5"}},
		{"suspended, in Elapsed", []map[string]string{is("Suspended", "00:10:00")}, []string{ordinary("1")}, nil},
		{"suspended, not in Elapsed", []map[string]string{is("Suspended", "00:10:00", "ElapsedRaw", "3000")}, []string{ordinary("1")}, nil},
		{"Elapsed is not End less Start", []map[string]string{is("ElapsedRaw", "7200")}, []string{"1 36000 300 7200 4 1800 -1 4 7200 2097152 1" + tail}, []string{"elapsed-time 1 2"}},
		{"no Elapsed", []map[string]string{is("ElapsedRaw", "")}, []string{ordinary("1")}, nil},
		{"Slurm's zero", []map[string]string{is("End", "1970-01-01T01:00:00")}, []string{ordinary("1")}, []string{"zero-time 1 2"}},
		{"before its submission", []map[string]string{is("Start", "2021-06-01T09:59:00", "End", "2021-06-01T10:59:00")},
			[]string{"1 36000 -60 3600 4 1800 -1 4 7200 2097152 1" + tail}, []string{"negative-wait-time 1 2"}},
		{"before the first day", []map[string]string{is(), is("JobID", "2", "Submit", "2021-05-31T23:58:20", "Start", "2021-06-01T00:00:00", "End", "2021-06-01T01:00:00")},
			[]string{ordinary("1"), "2 -100 100 3600 4 1800 -1 4 7200 2097152 1" + tail}, []string{"before-start 1 3", "submit-order 1 3"}},
		{"seconds since 1970", []map[string]string{is("Submit", "1622541600", "Start", "1622541900", "End", "1622545500")}, []string{ordinary("1")}, nil},
		{"several lines", []map[string]string{
			is("JobName", "a\nb|c\n\nd", "JobIDRaw", "1"), is("JobID", "2", "JobName", "a b|c  d", "JobIDRaw", "2"), is("JobID", "3", "JobName", "sum")},
			[]string{ordinary("1"), ordinary("2"), strings.Replace(ordinary("3"), " 1 1 1 1 1 1 -1", " 1 1 1 2 1 1 -1", 1)}, []string{"bars-in-text 2 2"}},
		{"cut", []map[string]string{is("JobName", "a\nb", "State", "\x01")}, nil, nil},
		{"no submission", []map[string]string{is("Submit", "Unknown"), is("JobID", "2")}, []string{"1 -1 -1 3600 4 1800 -1 4 7200 2097152 1" + tail, ordinary("2")}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := readSacct(madeSacct(sacctMadeColumns, c.records...), workload.Options{TimeZone: "UTC", Workers: 1}, parse.ChunkSize)
			if c.jobs == nil {
				if !errors.Is(err, workload.ErrNoJobs) {
					t.Fatalf("error %v, want no jobs", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.jobs, got.jobs) + cmp.Diff(slices.Sorted(slices.Values(c.warnings)), got.warnings); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestSacctColumns reads the same job by other columns, in every order, with
// and without the last bar.
func TestSacctColumns(t *testing.T) {
	job := is("UID", "1001", "Group", "staff", "Timelimit", "02:00:00", "Elapsed", "01:00:00", "AllocCPUS", "4", "ReqTRES", "cpu=4,mem=8G,node=2",
		"AllocTRES", "cpu=4,mem=8G,node=2", "jobid", "1", "Frobnication", "x y", "ReqNodes", "2")
	const whole = "1 36000 300 3600 4 1800 -1 4 7200 2097152 1 1 1 1 1 1 -1 -1"
	rng := rand.New(rand.NewPCG(5, 0))
	for _, c := range []struct{ columns, want string }{
		{"JobID User Account Partition QOS JobName State Submit Start End ElapsedRaw TimelimitRaw NCPUS ReqCPUS ReqMem TotalCPU", whole},
		{"JobID UID Group Partition QOS JobName State Submit Start End Elapsed Timelimit AllocCPUS ReqTRES TotalCPU", whole},
		{"jobid UID Group Partition JobName State Submit Start Elapsed Timelimit AllocTRES ReqTRES TotalCPU Frobnication", whole},
		{"JobID Submit Start ElapsedRaw Elapsed State", "1 36000 300 3600 -1 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1"},
		{"JobID ElapsedRaw", "1 -1 -1 3600 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1"},
	} {
		columns := strings.Fields(c.columns)
		for range 10 {
			text := madeSacct(columns, job)
			for _, text := range []string{text, strings.ReplaceAll(text, "\n", "|\n"), strings.ReplaceAll(text, "\n", "\r\n"), strings.TrimSpace(text), "\xef\xbb\xbf" + text} {
				l, err := logfile.OpenReader("x.log", strings.NewReader(text), workload.Options{TimeZone: "UTC"})
				if err != nil {
					t.Fatalf("%q: %v", text, err)
				}
				if l.Format != "sacct" {
					t.Fatalf("%q: format %s", text, l.Format)
				}
				var got string
				for rec, err := range l.Batches() {
					if err != nil {
						t.Fatalf("%q: %v", text, err)
					}
					got += strings.TrimSpace(string(swf.Append(nil, rec)))
				}
				if got != c.want {
					t.Errorf("%q:\ngot  %s\nwant %s", text, got, c.want)
				}
			}
			rng.Shuffle(len(columns), func(i, k int) { columns[i], columns[k] = columns[k], columns[i] })
		}
	}
}
