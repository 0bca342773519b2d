package slurm_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/reallogs"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// TestSacctSamples has values worked out by hand from the text of the records, as in
// testdata/cases.
func TestSacctSamples(t *testing.T) {
	dir := reallogs.Path(t, "")
	for file, want := range map[string]string{
		"ubccr-sacct_simple.log": `1 51808 0 84805 32 -1 -1 32 259200 16384000 1 1 1 1 1 1 -1 -1
2 51808 0 12688 32 -1 -1 32 259200 5984000 1 2 2 2 1 1 -1 -1
3 51808 3 2009 18 -1 -1 18 259200 29127111.111111112 1 3 3 3 1 1 -1 -1
4 51808 3 2003 18 -1 -1 18 259200 29127111.111111112 1 3 3 4 1 1 -1 -1
warning left-out-columns 1 0
warning separator-in-text 3 3
header Application: 1 job_00001
header Application: 2 job_0||0002
header Application: 3 job_0|0003
header Application: 4 job_|00004
header UnixStartTime: 1639112400`,
		"ubccr-sacct_dump2101.log": `4745200 79936 -1 -1 -1 -1 -1 12 172800 2867200 5 1 1 1 1 1 -1 -1
4801839 692242 -1 -1 -1 -1 -1 12 172800 2867200 5 1 2 1 1 1 -1 -1
4814432 892504 -1 -1 -1 -1 -1 12 172800 2867200 5 1 2 1 1 1 -1 -1
4810966 895620 -1 -1 -1 -1 -1 12 172800 2867200 5 1 2 1 1 1 -1 -1
4814635 903405 -1 -1 -1 -1 -1 12 172800 2867200 5 1 2 1 1 1 -1 -1
4814654 903406 -1 -1 -1 -1 -1 12 172800 2867200 5 1 2 1 1 1 -1 -1
4822203 924437 179034 128930 25 26775.4 5652376 25 144000 22528000 1 2 3 2 1 1 -1 -1
4830973 973660 1182 259222 40 258824.05 -1 40 259200 4608000 0 3 4 3 2 1 -1 -1
4830974 973660 1182 259222 40 258824.05 -1 40 259200 4608000 0 3 4 3 2 1 -1 -1
4830975 973660 1182 259222 40 258824.05 -1 40 259200 4608000 0 3 4 4 2 1 -1 -1
4830976 973660 1182 259222 40 258824.05 -1 40 259200 4608000 0 3 4 5 2 1 -1 -1
4830977 973660 1182 259222 40 258824.05 -1 40 259200 4608000 0 3 4 6 2 1 -1 -1
warning broken-record 1 16
warning left-out-columns 71 0
warning never-started 6 2
warning separator-in-text 4 12
header Application: 1 JobName001
header Application: 2 JobName002
header Application: 3 JobName003
header Application: 4 Job| Name003
header Application: 5 Job| Name |003
header Application: 6 Jo| bNa| me003
header UnixStartTime: 1608267600`,
		"ubccr-sacct_dump2110.log": `7957382 41172 0 56 2 0.005 160 1 86400 4096000 5 1 1 1 1 1 -1 -1
7957382 41172 0 56 2 0.005 -1 1 86400 4096000 5 1 1 1 1 1 -1 -1
7957382 41172 0 56 2 0.005 -1 1 86400 4096000 5 1 1 2 1 1 -1 -1
7957382 41172 0 56 2 0.005 -1 1 86400 4096000 5 1 1 3 1 1 -1 -1
7957382 41172 0 56 2 0.005 -1 1 86400 4096000 5 1 1 4 1 1 -1 -1
warning duplicate-record 4 5
warning left-out-columns 73 0
warning separator-in-text 5 2
header Application: 1 qlogin
header Application: 2 qlo|gin
header Application: 3 qlogin|
header Application: 4 qlo|gin|
header UnixStartTime: 1633406400`,
		"ubccr-sacct_submitline_multiline.log": `7957382 41172 0 56 2 0.005 160 1 86400 4096000 5 1 1 1 1 1 -1 -1
9067954 25725478 150877 9600 576 0.013758680555555555 34.74305555555556 16 18000 1048576 1 2 2 2 2 2 -1 -1
7957382 41172 0 56 2 0.005 -1 1 86400 4096000 5 1 1 1 1 1 -1 -1
7957382 41172 0 56 2 0.005 -1 1 86400 4096000 5 1 1 3 1 1 -1 -1
7957382 41172 0 56 2 0.005 -1 1 86400 4096000 5 1 1 4 1 1 -1 -1
7957382 41172 0 56 2 0.005 -1 1 86400 4096000 5 1 1 5 1 1 -1 -1
warning duplicate-record 4 15
warning left-out-columns 73 0
warning separator-in-text 5 2
warning several-clusters 1 4
warning submit-order 1 15
header Application: 1 qlogin
header Application: 2 Panasas_16_node_iozone_test
header Application: 3 qlo|gin
header Application: 4 qlogin|
header Application: 5 qlo|gin|
header UnixStartTime: 1633406400`,
	} {
		t.Run(file, func(t *testing.T) {
			checkCase(t, readText(filepath.Join(dir, "sacct", file)), "America/New_York", strings.Split(want, "\n"))
		})
	}
}

// TestSacctColumns reads the same job from several sets of columns, in random order, with and
// without the last bar.
func TestSacctColumns(t *testing.T) {
	job := fieldsOf(`User=ada Account=maths Partition=long QOS=normal JobName=sum JobID=1 JobIDRaw=1 UID=1001 Group=staff State=COMPLETED
		Submit=2021-06-01T10:00:00 Start=2021-06-01T10:05:00 End=2021-06-01T11:05:00 ElapsedRaw=3600 Elapsed=01:00:00 TimelimitRaw=120 Timelimit=02:00:00
		NCPUS=4 AllocCPUS=4 ReqCPUS=4 ReqMem=8G TotalCPU=02:00:00 ReqTRES=cpu=4,mem=8G,node=2 AllocTRES=cpu=4,mem=8G,node=2 Frobnication=x;y`)
	const whole = "1 36000 300 3600 4 1800 -1 4 7200 2097152 1 1 1 1 1 1 -1 -1"
	rng := rand.New(rand.NewPCG(5, 0))
	for columns, want := range map[string]string{
		"JobID User Account Partition QOS JobName State Submit Start End ElapsedRaw TimelimitRaw NCPUS ReqCPUS ReqMem TotalCPU": whole,
		"JobID UID Group Partition QOS JobName State Submit Start End Elapsed Timelimit AllocCPUS ReqTRES TotalCPU":             whole,
		"JobIDRaw UID Group Partition JobName State Submit Start Elapsed Timelimit AllocTRES ReqTRES TotalCPU Frobnication":     whole,
		"JobID Submit Start ElapsedRaw Elapsed State": "1 36000 300 3600 -1 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1",
		"JobID ElapsedRaw":                            "1 -1 -1 3600 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1",
	} {
		names := strings.Fields(columns)
		for range 10 {
			var values []string
			for _, name := range names {
				values = append(values, job[name])
			}
			text := strings.Join(names, "|") + "\n" + strings.Join(values, "|") + "\n"
			for _, text := range []string{text, strings.ReplaceAll(text, "\n", "|\n"), strings.ReplaceAll(text, "\n", "\r\n"), strings.TrimSpace(text), "\xef\xbb\xbf" + text} {
				if got, _ := outcome(text, "UTC", nil); got[0] != want {
					t.Errorf("%q:\ngot  %s\nwant %s", text, got, want)
				}
			}
			rng.Shuffle(len(names), func(i, k int) { names[i], names[k] = names[k], names[i] })
		}
	}
}

// TestSacctRequeuedFarApart checks the distance within which records of one job are matched.
func TestSacctRequeuedFarApart(t *testing.T) {
	var b strings.Builder
	b.WriteString("JobID|Submit|State\n")
	const between = workload.DefaultBatchRows - 1
	b.WriteString("1|1600000000|REQUEUED\n")
	for i := range between {
		fmt.Fprintf(&b, "%d|1600000000|COMPLETED\n", i+2)
	}
	b.WriteString("1|1600000001|COMPLETED\n")
	for i := range 2*workload.DefaultBatchRows + 5 {
		fmt.Fprintf(&b, "%d|1600000001|COMPLETED\n", i+between+2)
	}
	got, _ := outcome(b.String(), "UTC", []string{"line", "status"})
	for i := range 3*workload.DefaultBatchRows + 5 {
		want := fmt.Sprint(i+2, " ", 1)
		switch i {
		case 0:
			want = "2 2"
		case between + 1:
			want = fmt.Sprint(i+2, " ", 3)
		}
		if got[i] != want {
			t.Fatalf("job %d: %s, want %s", i, got[i], want)
		}
	}
}

// TestOddBytes has bytes that cannot occur in testdata/cases.
func TestOddBytes(t *testing.T) {
	const head = "JobID|Submit|State|JobName\n1|1600000000|COMPLETED|"
	for text, want := range map[string]string{
		head + strings.Repeat("x", 600) + "\n\x00":                `log:3: saw binary data "\x00"`,
		logtest.SqueueBars + "1|\x00":                             "log:9: saw binary data",
		logtest.SqueueBars + strings.Repeat("x", parse.MaxLine+1): "log:9: saw a line of more than 1 MiB",
		"JobID|Submit" + strings.Repeat("|Comment", 400) + "\n":   "log:1: header: saw 402 columns, want 400 columns at most",
	} {
		if got, _ := outcome(text, "UTC", nil); !strings.Contains(got[0], want) {
			t.Errorf("%q, want %s", got, want)
		}
	}
	if _, err := logfile.OpenReader("q", strings.NewReader(logtest.SqueueBars), workload.Options{TimeZone: "Mars/Olympus"}); err == nil {
		t.Error("an unknown zone: no error")
	}
}
