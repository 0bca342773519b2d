package cli

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// hugeRun is a log with a run time that no clock can show: its work is 4e300
// processor seconds, in 100 s of 4 processors.
const hugeRun = `; MaxProcs: 4
; UnixStartTime: 978307200
1 0 0 1e300 4 -1 -1 4 100 -1 1 1 1 1 1 1 -1 -1
2 100 0 10 4 -1 -1 4 1e300 -1 1 1 1 1 1 1 -1 -1
`

// Numbers of hundreds of digits are written with an exponent.
func TestHugeNumbersAreShort(t *testing.T) {
	log := writeLog(t, hugeRun)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"describe", log}, "offered load   1.000e+298\n"},
		{[]string{"validate", log}, "saw 1e+300, want 100 at most"},
		{[]string{"simulate", log}, "5.000e+298   50.0%       100.0%"},
	} {
		got := loadstone(t, "", append(c.args, "-q")...)
		if got.code != exitDone || !strings.Contains(got.out, c.want) {
			t.Errorf("%q: exit code %d: %s%s\nwant %q", c.args, got.code, got.err, got.out, c.want)
		}
		for _, line := range strings.Split(got.out, "\n") {
			if len(line) > 300 {
				t.Errorf("%q: a line of %d characters: %.100s...", c.args, len(line), line)
			}
		}
	}
}

// hugeTimes is a log of which one submission is no time: the moment of the state
// that it shows has no date, nor has the part of the log that it is in.
const hugeTimes = `; MaxProcs: 4
; UnixStartTime: 978307200
1 0 0 10 4 -1 -1 4 20 -1 1 1 1 1 1 1 -1 -1
2 100 0 10 4 -1 -1 4 20 -1 1 1 1 1 1 1 -1 -1
3 300 0 10 4 -1 -1 4 20 -1 1 1 1 1 1 1 -1 -1
4 9000000000000000000 0 10 4 -1 -1 4 20 -1 1 1 1 1 1 1 -1 -1
5 9000000000000000000 0 10 4 -1 -1 4 20 -1 1 1 1 1 1 1 -1 -1
`

func TestTimesBeyondDates(t *testing.T) {
	log := writeLog(t, hugeTimes)
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"describe", log}, []string{"warning: " + log + ": submissions beyond 1e15 s", "period         5 min of submissions", "load   0.167\n"}},
		{[]string{"wait", log, "--size", "2", "--time", "100", "--predictors", "estimates"}, []string{"at 9.000e+18 s: 0 jobs run"}},
		{[]string{"runtime", log, "--by", "month", "--classes", "all", "--predictors", "last", "--replicates", "0"}, []string{"2001-01", "unknown"}},
		{[]string{"predict", log, "--by", "month", "--predictors", "estimates", "--replicates", "0"}, []string{"2001-01", "unknown"}},
	} {
		got := loadstone(t, "", c.args...)
		all := got.out + got.err
		for _, want := range c.want {
			if !strings.Contains(all, want) {
				t.Errorf("%q: exit code %d: %s\nwant %q", c.args, got.code, all, want)
			}
		}
		if strings.Contains(all, "292277") {
			t.Errorf("%q: a date of the year 292 thousand million: %s", c.args, all)
		}
	}
	clock := workload.Clock{Known: true}
	if got := clock.MonthPeriod(clock.Month(-86400)).Label; got != "0000-12" {
		t.Errorf("the day before the year 1 is in %s, want 0000-12", got)
	}
}

// What is too much for a number is said in words.
func TestBeyondNumbers(t *testing.T) {
	var huge, half strings.Builder
	for i := range 200 {
		fmt.Fprintf(&huge, "%d %d 0 1.7e308 4 -1 -1 4 -1 -1 1 1 1 1 1 1 -1 -1\n", i+1, 100*i)
		fmt.Fprintf(&half, "%d %d 0 %s 4 -1 -1 4 -1 -1 1 1 1 1 1 1 -1 -1\n", i+1, 100*i, []string{"1e300", "77", "500", "9000"}[i%4])
	}
	var some strings.Builder // every third run time is 1.7e308
	for i := range 300 {
		fmt.Fprintf(&some, "%d %d 0 %s 4 -1 -1 4 -1 -1 1 1 1 1 1 1 -1 -1\n", i+1, 100*i, []string{"1.7e308", fmt.Sprint(10 + 7*i), fmt.Sprint(17 + 7*i)}[i%3])
	}
	const header = "; MaxProcs: 4\n; UnixStartTime: 978307200\n"
	for _, c := range []struct {
		log  string
		args []string
		want string
	}{
		{half.String(), []string{"fit", "--family", "uniform-log"}, "uniform-log: t_max_s is beyond 1.8e308, want a finite number above t_min_s"},
		{huge.String(), []string{"scale", "--load", "0.5"}, "its 200 jobs have more than 1.8e308 processor seconds of work"},
		{some.String(), []string{"fit", "--family", "hyper-gamma"}, "near run_time = 1.79769e+308"},
	} {
		got := loadstone(t, "", append(c.args, writeLog(t, header+c.log))...)
		if all := got.out + got.err; !strings.Contains(all, c.want) || strings.Contains(all, "Inf") || strings.Contains(all, "NaN") {
			t.Errorf("%q: exit code %d: %s\nwant %q", c.args, got.code, all, c.want)
		}
	}
}

// Each command's JSON is JSON, whatever the size of the log's numbers, and its
// text has no word for infinity.
func TestHugeNumbersInEveryForm(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	log.WriteString("; MaxProcs: 64\n; UnixStartTime: 978307200\n; TimeZoneString: UTC\n")
	for i := range 300 {
		run, wait, memory := fmt.Sprint(10+37*i%5000), fmt.Sprint(i%7*50), "1000"
		if i%50 == 0 {
			run = "1e300"
		}
		if i%70 == 0 {
			wait = "1.7e308"
		}
		if i%30 == 0 {
			memory = "1.7e308"
		}
		fmt.Fprintf(&log, "%d %d %s %s %d %s %s 4 %s %s 1 %d 1 %d 1 1 -1 -1\n", i+1, 900*i, wait, run, 1<<(i%4), memory, memory, run, memory, i%5, i%3)
	}
	in := writeLog(t, log.String())
	for _, args := range [][]string{
		{"convert", in}, {"describe", in, "--by", "user_id", "--section", "summary,columns,known,arrivals,load,bursts,sizes"}, {"validate", in},
		{"fit", in}, {"lifetimes", in}, {"fit", in, writeLog(t, tiny)},
		{"runtime", in, "--replicates", "0"}, {"predict", in, "--replicates", "0"}, {"wait", in, "--size", "4", "--time", "1e308"},
		{"simulate", in}, {"simulate", in, "--policy", "easy"}, {"scale", in, "--load", "0.5"}, {"allocate", in, "--sigma", "1"},
		{"grid", in, "--grid", "das3"}, {"compare", in, writeLog(t, tiny)},
	} {
		for _, format := range []string{"table", "json"} {
			got := loadstone(t, "", append(args, "--format", format)...)
			if format == "json" && got.code == exitDone && !json.Valid([]byte(got.out)) {
				t.Errorf("%q: no JSON: %.200s", args, got.out)
			}
			if word := regexp.MustCompile(`.{0,30}\b(Inf|NaN)\b.{0,30}`).FindString(got.out + got.err); word != "" {
				t.Errorf("%q: %s", args, word)
			}
			if got.code == exitUsage {
				t.Errorf("%q: %s", args, got.err)
			}
		}
	}
}
