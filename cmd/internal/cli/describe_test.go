package cli

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

func TestDescribeOptions(t *testing.T) {
	var got describeOptions
	parse := func(args ...string) outcome {
		got = describeOptions{}
		var out, err strings.Builder
		a := &app{Streams: Streams{strings.NewReader(""), &out, &err}}
		cmd := newDescribeCmd(a, func(_ context.Context, _ *app, o describeOptions) error {
			got = o
			return nil
		})
		cmd.SetArgs(args)
		cmd.SetOut(&out)
		cmd.SetErr(&err)
		if e := cmd.Execute(); e != nil {
			return outcome{exitUsage, out.String(), e.Error()}
		}
		return outcome{}
	}
	for _, c := range []struct {
		args []string
		want describeOptions
	}{
		{[]string{"a"}, describeOptions{input: "a"}},
		{[]string{"a", "--section", "all"}, describeOptions{input: "a", sections: tables.Sections, DescribeOptions: inspect.DescribeOptions{Known: true, Arrivals: true, Interval: week, SizeGroups: true}}},
		{[]string{"a", "--section", "load,sizes", "--interval", "12h"}, describeOptions{input: "a", sections: []string{"load", "sizes"}, DescribeOptions: inspect.DescribeOptions{Interval: 43200, SizeGroups: true}}},
		{[]string{"a", "--interval", "2d"}, describeOptions{input: "a", sections: []string{"summary", "load"}, DescribeOptions: inspect.DescribeOptions{Interval: 2 * 86400}}},
		{[]string{"a", "--by", "status", "--plots", "p", "--procs", "7"}, describeOptions{input: "a", plots: plotOptions{folder: "p"}, DescribeOptions: inspect.DescribeOptions{By: "status", Processors: 7}}},
	} {
		c.want.plots.format = "svg"
		if o := parse(c.args...); o.code != exitDone || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q: %+v, %q; want %+v", c.args, got, o.err, c.want)
		}
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"a", "--section", "weather"}, `"weather" is none of summary, columns, known`},
		{[]string{"a", "--by", "colour"}, `saw "colour", want one or more of all, user`},
		{[]string{"a", "--by", "job_id"}, `saw "job_id", want one or more of all, user`},
		{[]string{"a", "--interval", "1month"}, "--interval 1month: want a number with one of the units"},
		{[]string{"a", "--interval", "0d"}, "--interval 0d"},
		{[]string{"a", "--interval", "1d", "--section", "bursts"}, "add load to --section"},
		{[]string{"a", "--section", "all", "--format", "csv"}, "CSV holds one table"},
		{[]string{"a", "--section", "load,sizes", "-o", "x.csv"}, "CSV holds one table"},
	} {
		if o := parse(c.args...); o.code != exitUsage || !strings.Contains(o.err, c.want) {
			t.Errorf("%q: error %q, want %q", c.args, o.err, c.want)
		}
	}
}

// What is worked out by hand of four jobs, submitted at 0, 10, 20 and 30 s on
// Monday, 1 January 2001.
func TestDescribeSectionsByHand(t *testing.T) {
	log := writeLog(t, tiny)
	var d inspect.Description
	decode(t, &d, "describe", log, "--section", "all", "--interval", "20s", "--by", "user_id")
	if d.Users != 2 || d.Sites != 1 || d.Parallel != 1 || !near(d.Months, 30/(365.25*86400/12)) {
		t.Errorf("users %v, sites %v, %v %% parallel, %v months", d.Users, d.Sites, d.Parallel, d.Months)
	}
	if a := d.Arrivals; a.Jobs != 4 || a.ByHour[0].Jobs != 4 || !near(a.ByWeekday[0].Pct, 100) || a.ByWeekday[0].Weekday != "Monday" || a.ByWeekdayHour[0].Hours[0] != 4 || a.Clock != "the site's clock, UTC" {
		t.Errorf("arrivals %+v", a)
	}
	// 400 + 100 processor seconds in the first 20 s on four processors, 20 + 80
	// in the 10 s after them.
	if l := d.Load.Intervals; len(l) != 2 || !near(l[0].Load, 6.25) || !near(l[1].Load, 2.5) || l[1].Jobs != 2 || !near(l[1].Covered, 10) || l[1].Time != "2001-01-01T00:00:20Z" {
		t.Errorf("load %+v", l)
	}
	if c := d.Bursts.Counts[0]; c.Max != 4 || c.Intervals != 1 || !near(d.Bursts.Interarrivals.Mean, 10) || d.Bursts.Interarrivals.CV != 0 {
		t.Errorf("bursts %+v", d.Bursts)
	}
	// Sizes 4, 2, 2, 4 and run times 100, 50, 10, 20: deviations 1, -1, -1, 1
	// and 55, 5, -35, -25, so 60 / (2 sqrt(4900)); ranks 3.5, 1.5, 1.5, 3.5 and
	// 4, 3, 1, 2, so 2 / (2 sqrt 5).
	if s := d.Sizes; !near(s.Pearson, 60/(2*70.0)) || !near(s.Spearman, 1/2.23606797749979) || s.RankMethod != "exact" || len(s.Groups) != 2 ||
		s.Groups[0].To != 2 || !near(s.Groups[0].Median, 30) || !near(s.Groups[1].Q25, 40) {
		t.Errorf("sizes %+v", s)
	}
	if k := d.Known; k["think_time_s"].Jobs != 0 || !near(k["user_id"].Pct, 100) || len(k) != 21 {
		t.Errorf("known %+v", k)
	}
	if b := d.By; b.Column != "user_id" || len(b.Values) != 2 || b.Values[0].Value != "1" || !near(b.Values[0].Run.Mean, 55) || !near(b.Values[0].Pct, 50) ||
		!near(b.Values[0].Load, 420/120.0) || b.Others != nil {
		t.Errorf("by %+v", b)
	}
	// What is not asked for is not there.
	got := loadstone(t, "", "describe", log, "--format", "json")
	for _, name := range []string{"arrivals", "load", "by"} {
		if strings.Contains(got.out, `"`+name+`":`) {
			t.Errorf("%s was not asked for", name)
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
		{[]string{"--section", "summary", "--format", "csv"}, "log,processors,period_months,jobs,parallel_pct,users,sites,offered_load\n" + log + ",4,1.1407"},
		{[]string{"--section", "known", "--format", "csv"}, "\ncpu_time_s,0,0\n"},
		{[]string{"--section", "arrivals", "--format", "csv"}, "\nMonday,0,4\n"},
		{[]string{"--interval", "20s", "--section", "load", "--format", "csv"}, "\n0,20,2,500,6.25\n20,10,2,100,2.5\n"},
		{[]string{"--section", "bursts", "--format", "csv"}, "\ninterarrivals_s,,3,10,0,,10,,,,\n"},
		{[]string{"--section", "sizes", "--format", "csv"}, "\n2,2,2,30,20,30,40\n4,4,2,60,40,60,80\n"},
		{[]string{"--by", "status", "--format", "csv"}, "status,name,jobs,share_pct,users,run_time_mean_s"},
		{[]string{"--by", "status", "--format", "csv"}, "\n1,completed,3,75,2,"},
		{[]string{"--by", "size:2", "--format", "csv"}, "size:2,name,jobs,share_pct,users,"},
		{[]string{"--by", "size:2", "--format", "csv"}, "\nsize<=2,size<=2,2,50,"},
		{[]string{"--by", "status"}, "1 completed     3  75.0%"},
		{[]string{"--by", "status"}, "computer       Abacus"},
		{[]string{"--section", "arrivals"}, "Submissions by hour and weekday (the site's clock, UTC)\n"},
		{[]string{"--interval", "20s"}, "2001-01-01 00:00     100%     2              0.1  6.250\n"},
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

func TestDescribePlots(t *testing.T) {
	log, dir := writeLog(t, tiny), filepath.Join(t.TempDir(), "pictures")
	if got := loadstone(t, "", "describe", log, "--plots", dir); got.code != exitDone {
		t.Fatal(got.err)
	}
	if svg := mustRead(t, filepath.Join(dir, "submissions.svg")); !strings.Contains(svg, "</svg>") || !strings.Contains(svg, "tiny.swf, 4 jobs") {
		t.Error("no picture of the log")
	}
	got := loadstone(t, "", "describe", log, "--plots", dir, "-o", filepath.Join(dir, "submissions.svg"))
	if got.code != exitUsage {
		t.Errorf("a result onto the picture: exit code %d", got.code)
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
