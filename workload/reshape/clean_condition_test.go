package reshape

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Which of the five jobs a condition takes out, by hand.
func TestCondition(t *testing.T) {
	for _, c := range []struct{ filter, removed string }{
		{"job<=12", "11 12"},
		{"row=2..3", "12 13"},
		{"status=1,5", "11 12 15"},
		{"status=unknown", "14"},
		{"status=unknown,0", "13 14"},
		{"status!=1", "12 13"}, // not 14, of which nothing is known
		{"not status=1", "12 13 14"},
		{"keep status=1", "12 13 14"},
		{"keep not status=1", "11 15"},
		{"size=4..8", "11 15"},
		{"size=16", "12"},
		{"proc=16", ""}, // asked for, not allocated
		{"allocated=unknown", "12"},
		{"requested>=8", "12 15"},
		{"cpu=90.5", "11"},
		{"used_memory>=512", "11"},
		{"run<=0", "12"},
		{"run>3h", "13"},
		{"run=unknown", "14"},
		{"wait>0.5m", "13"},
		{"time=1m,2h", "12 14"},
		{"estimate<=200", "11 14"},
		{"submit>=1d", "14 15"},
		{"submit>=2001-01-02", "14 15"},
		{"submit>2001-01-02T00:00", "15"},
		{"submit=2001-01-01T01:00:00", "12"},
		{"submit=2001-01-01..2001-01-02", "11 12 13 14"},
		{"start>=90010", "15"},
		{"end<=100", "11"},
		{"hour=0..1", "11 12 14 15"},
		{"hour>=3 and hour<=4", "13"},
		{"weekday=mon", "11 12 13"},
		{"weekday=tue..sun", "14 15"},
		{"user=1 or user=2 and status=5", "11 12 13"},
		{"(user=1 or user=2) and status=5", "12"},
		{"user=1 and (job>=13 and job<=20)", "13"},
		{"not (user=1 or user=2)", "14 15"},
		{"not not user=3", "14"},
		{"group=2", "14"},
		{"app=2 and partition=2", "14"},
		{"application=unknown", "12"},
		{"queue=batch", "11 14 15"},
		{"queue='batch'", "11 14 15"},
		{"queue=2,batch", "11 12 13 14 15"},
		{"preceding=11", "12"},
		{"think<1m", "12"},
		{" user = 1 , 3 ", "11 13 14"},
		{"user=2\tand\nrun=0", "12"},
	} {
		got := clean(t, five, c.filter)
		var removed []string
		for _, r := range got.removed {
			removed = append(removed, strings.Split(reasons([]Removal{r})[0], "/")[0])
		}
		if s := strings.Join(removed, " "); s != c.removed {
			t.Errorf("%s takes out %q, want %q", c.filter, s, c.removed)
		}
		if int(got.Kept) != 5-len(removed) || got.Outcomes[0].Removed != int64(len(removed)) {
			t.Errorf("%s: %d kept, %d removed", c.filter, got.Kept, got.Outcomes[0].Removed)
		}
	}
}

// Reasons are the values asked for.
func TestConditionReasons(t *testing.T) {
	got := clean(t, five, "not (user=1 and run<3h) and hour>=0 and weekday!=sat and cpu!=1 or app=2")
	want := []string{
		"12/2: user=2 run=0 hour=1 weekday=mon cpu=unknown app=unknown",
		"13/3: user=1 run=50000 hour=4 weekday=mon cpu=unknown app=2",
		"14/4: user=3 run=unknown hour=0 weekday=tue cpu=unknown app=2",
		"15/5: user=unknown run=10790 hour=1 weekday=tue cpu=unknown app=1",
	}
	// A comparison of an unknown CPU time is false: only app=2 takes jobs out.
	if d := cmp.Diff([]string{want[1], want[2]}, reasons(got.removed)); d != "" {
		t.Error(d)
	}
	got = clean(t, five, "not (user=1 and run<3h) and hour>=0 and weekday!=sat or app=2 and cpu=unknown")
	for i := range want {
		want[i] = strings.Replace(want[i], " cpu=unknown", "", 1) + " cpu=unknown"
	}
	if d := cmp.Diff(want, reasons(got.removed)); d != "" {
		t.Error(d)
	}
}

// Faults that need no log are found when the filter is read; others when the
// log is.
func TestFilterFaults(t *testing.T) {
	for _, c := range []struct{ filter, want string }{
		{"", "an empty filter: want one of window, duplicates"},
		{"keep", "want a condition"},
		{"keep window", `"window": is a filter by name, not a field, and cannot be part of a condition or come after "keep": want it as a separate filter, without "keep"`},
		{"user=3 and flurries", `"flurries": is a filter by name`},
		{"user=3 and usr=4", `"usr": want one of the fields job, row, status`},
		{"flurry", `"flurry": want one of the filters window, duplicates, partials, failed-at-start, flurries; or a condition on the fields job, row, status`},
		{"shoe=3", `"shoe"`},
		{"runn>3", `eligible; did you mean run?`},
		{"flurrys", `eligible; did you mean flurries?`},
		{"user=3 and usr=4", `eligible; did you mean user?`},
		{"user", "want one of = != < <= > >="},
		{"user~3", `"user~3"`},
		{"user=", "user=: a value is missing"},
		{"user=)", "a value is missing"},
		{"user=1,", "a value is missing"},
		{"user<1,2", "several values go with = and != only"},
		{"run<1..2", "want one value"},
		{"run<unknown", "want one value"},
		{"status=good", `status: "good": want a whole number`},
		{"status=1.5", "want a whole number"},
		{"size=99999999999999999999", "want a whole number"},
		{"run=soon", "want seconds, or 15m"},
		{"run=NaN", "want seconds, or 15m"},
		{"memory=x", "want a number"},
		{"weekday=1", "want mon, tue"},
		{"size=64..1", "the first is above the second"},
		{"(user=1", "a parenthesis is not closed"},
		{"user=1)", `")": want "and", "or" or the end`},
		{"user=1 user=2", `"user": want "and"`},
		{"user=1 and", `""`},
		{"user='a", "the quote is not closed"},
		{"user='a\nb'", "control character"},
		{"user=0\v0", `"0": want "and", "or" or the end`},
		{"user=a\u00a0b", `"b": want "and", "or" or the end`},
		{"'user'=1", `"user"`},
		{strings.Repeat("(", 5000) + "user=1", "levels"},
		{strings.Repeat("not ", 5000) + "user=1", "levels"},
		{"window", "want from= or to="},
		{"window from=yesterday", `"yesterday": want seconds`},
		{"window since=1", `"since=1": want parameters from= to=`},
		{"window from=1 from=2", "from is given twice"},
		{"duplicates by=user", `"user": want all or id`},
		{"duplicates within=0", "within: 0"},
		{"duplicates within=x", "want a whole number"},
		{"partials within=-1", "within: -1"},
		{"failed-at-start run=-1", "want 0 or more"},
		{"failed-at-start run=inf", "want seconds"},
		{"failed-at-start run=1e308w", "want seconds"},
		{"flurries window=0", "window: 0"},
		{"flurries jobs=1", "jobs: 1"},
		{"flurries share=1.1", "share: 1.1"},
		{"flurries share=NaN", "share: NaN"},
		{"flurries alike=shoe", `"shoe": want one or more of all, user, group, application`},
		{"flurries jobs=100 hold=50", "hold: 50"},
	} {
		if _, err := ParseFilter(c.filter); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.40q: %v, want %q", c.filter, err, c.want)
		}
	}
	noStart := strings.Replace(five, "UnixStartTime", "Once", 1)
	twice := strings.Replace(five, "Queue: 2 \"long", "Queue: 2 batch (long", 1)
	for _, c := range []struct{ log, filter, want string }{
		{five, "queue=standby", `no queue "standby" among the log's names`},
		{five, "user=alice", `no user "alice"`},
		{twice, "queue=batch", `gives the name "batch" to 2 numbers`},
		{noStart, "submit>2001-01-02", "no UnixStartTime"},
		{noStart, "window to=2001-01-02", "no UnixStartTime"},
		{five, "window from=2001-01-02 to=2001-01-01", "from is not before to"},
		{five, "submit=2d..1d", "the first is above the second"},
	} {
		if _, err := tryClean(t, c.log, c.filter); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.filter, err, c.want)
		}
	}
}

// A filter's text reads back as the same filter, with every parameter named.
func TestFilterStrings(t *testing.T) {
	for text, want := range map[string]string{
		"user=5 and (hour>=3  and hour<=3)":                "user=5 and (hour>=3 and hour<=3)",
		"queue =\t'a  b' and\u00a0user=3\v or\n(app=1,2 )": "queue = 'a  b' and user=3 or (app=1,2 )",
		"window to=3d":           "window to=3d",
		"duplicates":             "duplicates by=all within=1000000",
		"partials":               "partials within=100000",
		"failed-at-start":        "failed-at-start",
		"failed-at-start run=90": "failed-at-start run=90s",
		"flurries":               "flurries window=1d jobs=100 share=0.5 alike=app,size hold=262144",
		"flurries window=5400 alike=user,queue share=0.125": "flurries window=90m jobs=100 share=0.125 alike=user,queue hold=262144",
	} {
		for _, s := range []string{text, want} {
			f, err := ParseFilter(s)
			if err != nil {
				t.Fatal(err)
			}
			if f.String() != want {
				t.Errorf("%q is %q, want %q", s, f, want)
			}
		}
	}
}

// No text makes the parser panic, and what it accepts reads back.
func FuzzParseFilter(f *testing.F) {
	for _, s := range []string{"user=3 and proc=1 and app=1", "keep not (size=1..4 or queue='a b')", "flurries jobs=5 hold=9", "window from=2001-01-01"} {
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

// A condition knows every column of the job table, by its name and by each of its words.
func TestConditionsOnEveryColumn(t *testing.T) {
	for _, c := range workload.Columns() {
		for _, name := range append(c.Words, c.Name) {
			if _, err := ParseFilter(name + " = 3"); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
