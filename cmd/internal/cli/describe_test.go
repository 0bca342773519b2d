package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDescribeOptions(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"a", "--by", "colour"}, `"colour": want one or more of all, user`},
		{[]string{"a", "--by", "job_id"}, `"job_id": want one or more of all, user`},
		{[]string{"a", "--interval", "1month"}, "--interval 1month: want intervals of one length"},
		{[]string{"a", "--interval", "0d"}, `--interval "0d"`},
		{[]string{"a", "--interval", "1d", "--section", "bursts"}, "add load to --section"},
		{[]string{"a", "--section", "all", "--format", "csv"}, "CSV holds one table"},
		{[]string{"a", "--section", "load,sizes", "-o", "x.csv"}, "CSV holds one table"},
	} {
		if got := loadstone(t, "", append([]string{"describe"}, c.args...)...); got.code != exitUsage || !strings.Contains(got.err, c.want) {
			t.Errorf("%q: exit code %d, error %q, want %q", c.args, got.code, got.err, c.want)
		}
	}
}

// A log that does not say how large its machine is has no load: the user can give the size.
func TestDescribeWithoutMachine(t *testing.T) {
	log := writeLog(t, "1 0 5 100 2 -1 -1 2 100 -1 1 1 1 1 1 1 -1 -1\n2 100 5 100 2 -1 -1 2 100 -1 1 1 1 1 1 1 -1 -1\n")
	for _, c := range []struct {
		more []string
		want string
	}{{nil, "offered load   unknown, as the log does not say how many processors the machine has: give --procs\n"}, {[]string{"--procs", "4"}, "offered load   "}} {
		got := loadstone(t, "", append([]string{"describe", log}, c.more...)...)
		if !strings.Contains(got.out, c.want) || len(c.more) > 0 && strings.Contains(got.out, "unknown, as") {
			t.Errorf("%v: got\n%s\nwant %q", c.more, got.out, c.want)
		}
	}
}

func TestDescribeTables(t *testing.T) {
	log := writeLog(t, tiny)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--section", "summary", "--format", "csv"}, "\n" + log + ",swf,Abacus,,4,2001-01-01T00:00:00Z,0,30,"},
		{[]string{"--section", "known", "--format", "csv"}, "\ncpu_time_s,0,0\n"},
		{[]string{"--section", "arrivals", "--format", "csv"}, "\nMonday,0,4,100\n"},
		{[]string{"--interval", "20s", "--section", "load", "--format", "csv"}, "\n0,2001-01-01T00:00:00Z,20,2,500,6.25\n20,2001-01-01T00:00:20Z,10,2,100,2.5\n"},
		{[]string{"--section", "bursts", "--format", "csv"}, ",3,10,0,0,10\n"},
		{[]string{"--section", "sizes", "--format", "csv"}, "\n2,2,2,30,20,30,40,exact\n4,4,2,60,40,60,80,exact\n"},
		{[]string{"--by", "status", "--format", "csv"}, "value,name,jobs,share_pct,users,run_time_mean_s"},
		{[]string{"--by", "status", "--format", "csv"}, "\n1,completed,3,75,2,"},
		{[]string{"--by", "size:2", "--format", "csv"}, "\n,size<=2,2,50,"},
		{[]string{"--by", "status"}, "1 completed     3  75.0%"},
		{[]string{"--by", "status"}, "computer       Abacus"},
		{[]string{"--section", "arrivals"}, "Submissions by hour and weekday (the site's clock, UTC)\n"},
		{[]string{"--interval", "20s"}, "2001-01-01 00:00   100.0%     2              0.1  6.250\n"},
	} {
		got := loadstone(t, "", append([]string{"describe", log}, c.args...)...)
		if got.code != exitDone || !strings.Contains(got.out, c.want) {
			t.Errorf("%q: exit code %d, %s\nwant %q in\n%s", c.args, got.code, got.err, c.want, got.out)
		}
	}
	got := loadstone(t, "", "describe", log, "--by", "think_time_s")
	if got.code != exitFailed || got.out != "" || !strings.Contains(got.err, "no job has a think_time_s: there are no classes") {
		t.Errorf("by what is not there: exit code %d, %q", got.code, got.err)
	}
}

// Work that is known of no job is null, not 0, and a log whose jobs cannot be used says
// why.
func TestNodesWithoutProcessors(t *testing.T) {
	log := filepath.Join(t.TempDir(), "nodes.csv")
	if err := os.WriteFile(log, []byte("submit,start,end,nodes,user\n0,10,110,2,ann\n60,60,70,4,bob\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := loadstone(t, "", "describe", log, "--by", "user", "--format", "json"); !strings.Contains(got.out, `"work_processor_s": null`) {
		t.Errorf("want no work, saw %s", got.out)
	}
	for _, command := range []string{"simulate", "predict"} {
		got := loadstone(t, "", command, log, "--procs", "8")
		if got.code != exitFailed || !strings.Contains(got.err, "no column has processors, only nodes") {
			t.Errorf("%s: exit code %d, %q", command, got.code, got.err)
		}
	}
}

// Values that have names are shown with them in classes of several columns too; CSV has the
// numbers by which other flags know the classes.
func TestDescribeByNamedColumns(t *testing.T) {
	log := writeFile(t, "log.swf", "; User: 1 alice\n; Queue: 2 long\n1 0 5 10 1 -1 -1 1 100 -1 1 1 1 1 2 1 -1 -1\n2 1 5 10 1 -1 -1 1 100 -1 1 3 1 1 2 1 -1 -1\n")
	got := loadstone(t, "", "describe", log, "--by", "user,queue").out
	for _, want := range []string{"\nuser_id=1 alice, queue_id=2 long ", "\nuser_id=3, queue_id=2 long "} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if got := loadstone(t, "", "describe", log, "--by", "user,queue", "--format", "csv").out; !strings.Contains(got, `"user_id=1, queue_id=2"`) {
		t.Errorf("CSV:\n%s", got)
	}
}
