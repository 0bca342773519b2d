package reshape

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// The jobs among the five that a condition removes, worked out by hand.
func TestCondition(t *testing.T) {
	const cases = `
job<=12 | 11 12
row=2..3 | 12 13
status=1,5 | 11 12 15
status=unknown | 14
status=unknown,0 | 13 14
status!=1 | 12 13
not status=1 | 12 13 14
keep status=1 | 12 13 14
keep not status=1 | 11 15
size=4..8 | 11 15
size=16 | 12
proc=16 | 
allocated=unknown | 12
requested>=8 | 12 15
cpu=90.5 | 11
used_memory>=512 | 11
run<=0 | 12
run>3h | 13
run=unknown | 14
wait>0.5m | 13
time=1m,2h | 12 14
estimate<=200 | 11 14
submit>=1d | 14 15
submit>=2001-01-02 | 14 15
submit>2001-01-02T00:00 | 15
submit=2001-01-01T01:00:00 | 12
submit=2001-01-01..2001-01-02 | 11 12 13 14
start>=90010 | 15
end<=100 | 11
hour=0..1 | 11 12 14 15
hour>=3 and hour<=4 | 13
weekday=mon | 11 12 13
weekday=tue..sun | 14 15
user=1 or user=2 and status=5 | 11 12 13
(user=1 or user=2) and status=5 | 12
user=1 and (job>=13 and job<=20) | 13
not (user=1 or user=2) | 14 15
not not user=3 | 14
group=2 | 14
app=2 and partition=2 | 14
application=unknown | 12
queue=batch | 11 14 15
queue='batch' | 11 14 15
queue=2,batch | 11 12 13 14 15
preceding=11 | 12
think<1m | 12
user = 1 , 3 | 11 13 14
`
	for _, c := range longtest.Rows(cases) {
		if got := clean(t, five, c[0]); got.ids() != c[1] || got.Kept()+int64(len(got.removed)) != 5 || got.Outcomes[0].Removed != int64(len(got.removed)) {
			t.Errorf("%s takes out %q, want %q", c[0], got.ids(), c[1])
		}
	}
}

// In a log whose header gets its names only at the end, conditions by name hold from the first job
// with a name on. The jobs they remove, by hand: bob is user 2.
func TestConditionOnNames(t *testing.T) {
	const log = "job_id,submit_time_s,run_time_s,allocated_processors,user_id,queue_id\n" +
		"11,0,1,1,alice,short\n12,1,1,1,bob,long and slow\n13,2,1,1,,short\n14,3,1,1,bob,short\n15,4,1,1,carol,\n"
	const cases = `
user=bob | 12 14
user=carol,alice | 11 15
user=2,carol | 12 14 15
user=2..3,alice | 11 12 14 15
user=unknown,alice | 11 13
user!=bob | 11 15
user!=bob,unknown | 11 15
user!=bob,3 | 11
keep user=bob | 11 13 15
not user=bob | 11 13 15
queue='long and slow' or user=alice | 11 12
user=3 | 15
`
	for _, c := range longtest.Rows(cases) {
		if got := clean(t, log, c[0]); got.ids() != c[1] {
			t.Errorf("%s takes out %q, want %q", c[0], got.ids(), c[1])
		}
	}
	for filter, want := range map[string]string{
		"user=dave":            `the log has no user named "dave"`,
		"user=bob or user=ali": `no user named "ali"`,
	} {
		if _, err := tryClean(t, log, filter); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", filter, err, want)
		}
	}
}

// Reasons have the values of the columns in the condition.
func TestConditionReasons(t *testing.T) {
	// A comparison with an unknown CPU time is false: only app=2 removes jobs.
	got := clean(t, five, "not (user=1 and run<3h) and hour>=0 and weekday!=sat and cpu!=1 or app=2")
	want := `13/3: user=1 run=50000 hour=4 weekday=mon cpu=unknown application=2
14/4: user=3 run=unknown hour=0 weekday=tue cpu=unknown application=2`
	if d := cmp.Diff(want, got.reasons()); d != "" {
		t.Error(d)
	}
	got = clean(t, five, "user=unknown and requested>1 and estimate>=3h")
	if d := cmp.Diff("15/5: user=unknown processors=8 estimate=10800", got.reasons()); d != "" {
		t.Error(d)
	}
}

// Faults that do not depend on the log are found when the filter is parsed, others when the log is
// read.
func TestFilterFaults(t *testing.T) {
	const cases = `
keep | want a condition
keep duplicates | "duplicates": is a filter by name, not a field: want duplicates or duplicates(by=id) by itself
user=3 and usr=4 | "usr": want one of the fields size, nodes, gpus
duplicate | "duplicate": want duplicates, or a condition on the fields size, nodes, gpus
shoe=3 | "shoe"
runn>3 | weekday; did you mean run?
user=3 and usr=4 | weekday; did you mean user?
user | want one of = != < <= > >=
user~3 | "user~3"
user= | user=: a value is missing
user=) | a value is missing
user=1, | a value is missing
user<1,2 | several values go with = and != only
run<1..2 | want one value
run<unknown | want one value
status=good | status: "good": want a whole number
status=1.5 | want a whole number
size=99999999999999999999 | want a whole number
run=soon | want seconds, or 15m
run=NaN | want seconds, or 15m
memory=x | want a number
weekday=1 | want mon, tue
size=64..1 | the first is above the second
submit=2d..1d | the first is above the second
(user=1 | a parenthesis is not closed
user=1) | ")": want "and", "or" or the end
user=1 user=2 | "user": want "and"
user=1 and | ""
user='a | the quote is not closed
'user'=1 | "user"
duplicates(by=user) | "duplicates": is a filter by name
duplicats | weekday; did you mean duplicates?
user<bob | user<bob: want a number: a name can only be equal or not
user=alice..bob | want a number
`
	for _, c := range longtest.Rows(cases) {
		if _, err := ParseFilter(c[0]); err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%s: %v, want %q", c[0], err, c[1])
		}
	}
	for filter, want := range map[string]string{
		"":                                      "an empty filter: want duplicates",
		"user='a\nb'":                           "control character",
		"user=0\v0":                             `"0": want "and", "or" or the end`,
		"user=a\u00a0b":                         `"b": want "and", "or" or the end`,
		strings.Repeat("(", 5000) + "user=1":    "levels",
		strings.Repeat("not ", 5000) + "user=1": "levels",
	} {
		if _, err := ParseFilter(filter); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", filter, err, want)
		}
	}
	noStart := strings.Replace(five, "UnixStartTime", "Once", 1)
	for _, c := range []struct{ log, filter, want string }{
		{five, "queue=standby", `the log has no queue named "standby"`},
		{five, "user=alice", `no user named "alice"`},
		{noStart, "submit>2001-01-02", "(UnixStartTime)"},
	} {
		_, err := tryClean(t, c.log, c.filter)
		if err == nil || !strings.Contains(err.Error(), c.want) || errors.As(err, new(*workload.OptionError)) { // the fault is the log's, not an option's
			t.Errorf("%s: %v, want %q", c.filter, err, c.want)
		}
	}
}

// A filter survives a round trip through text.
func TestFilterStrings(t *testing.T) {
	for text, want := range map[string]string{
		"user=5 and (hour>=3  and hour<=3)":                "user=5 and (hour>=3 and hour<=3)",
		"queue =\t'a  b' and\u00a0user=3\v or\n(app=1,2 )": "queue = 'a  b' and user=3 or (app=1,2 )",
		"duplicates":          "duplicates",
		" duplicates(by=id) ": "duplicates(by=id)",
	} {
		for _, s := range []string{text, want} {
			if f, err := ParseFilter(s); err != nil || f.String() != want {
				t.Errorf("%q is %q, want %q: %v", s, f, want, err)
			}
		}
	}
}

// No text makes the parser panic, and filters that it accepts survive a round trip.
func FuzzParseFilter(f *testing.F) {
	for _, s := range []string{"user=3 and proc=1 and app=1", "keep not (size=1..4 or queue='a b')", "duplicates(by=id)"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := ParseFilter(text)
		if err != nil {
			return
		}
		b, err := ParseFilter(a.String())
		if err != nil || b.String() != a.String() {
			t.Errorf("%q became %q, and then %v, %v", text, a, b, err)
		}
	})
}
