package cli

import (
	"fmt"
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
		{[]string{"simulate", log}, "utilisation 100.0%"},
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
		{[]string{"describe", log}, []string{"warning: " + log + ": 2 submissions are beyond 1e15 s", "0.003472 days", "load   0.167\n"}},
		{[]string{"predict", "--now", log, "--size", "2", "--time", "100", "--predictors", "estimates"}, []string{"at 9.000e+18 s: 0 jobs run"}},
		{[]string{"runtime", log, "--by", "month", "--classes", "all", "--predictors", "last", "--replicates", "0"}, []string{"2001-01", "unknown"}},
		{[]string{"predict", log, "--by", "month", "--predictors", "estimates", "--replicates", "0"}, []string{"2001-01", "unknown"}},
		{[]string{"fit", log, "--compare-at", "1e19"}, []string{"from second 0 to 9.000e+18"}},
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
	if got := monthName(monthOf(workload.Clock{Known: true}, -86400)); got != "0000-12" {
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
	const header = "; MaxProcs: 4\n; UnixStartTime: 978307200\n"
	for _, c := range []struct {
		log  string
		args []string
		want string
	}{
		{half.String(), []string{"fit", "--family", "uniform-log"}, "uniform-log: t_max_s is beyond 1.8e308, want a finite number above t_min_s"},
		{huge.String(), []string{"scale", "--load", "0.5"}, "its 200 jobs have more than 1.8e308 processor seconds of work"},
	} {
		got := loadstone(t, "", append(c.args, writeLog(t, header+c.log))...)
		if all := got.out + got.err; !strings.Contains(all, c.want) || strings.Contains(all, "Inf") {
			t.Errorf("%q: exit code %d: %s\nwant %q", c.args, got.code, all, c.want)
		}
	}
}
