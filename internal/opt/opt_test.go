package opt

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

type inner struct {
	Share float64  `opt:"share" in:"(0,1)" default:"0.5" help:"a share"`
	Parts []string `opt:"parts" all:"true" help:"parts"`
	Extra int      `opt:"extra" help:"not offered"`
}

func (inner) Choices(option string) []string {
	return map[string][]string{"parts": {"length", "site", "month"}, "policy": {"fcfs", "priority"}}[option]
}

type options struct {
	inner  `without:"extra" group:"Inner"`
	Policy string        `opt:"policy" open:"true" help:"policy"`
	Draws  int           `opt:"draws" in:"0|[39,1000]" help:"draws"`
	Months int           `opt:"months" in:"1|2|3|4|6|12" not:"draws" help:"months"`
	Size   uint64        `opt:"size,s" for:"policy=fcfs" help:"size"`
	Alpha  *float64      `opt:"alpha" in:"[0,1]" default:"0.25" help:"weight"`
	Limit  time.Duration `opt:"limit" in:"(0,)" for:"size" help:"limit"`
	Text   string        `opt:"text" help:"a <file>"`
	Set    []string      `opt:"set" repeat:"true" help:"a <path=value>"`
	Codes  []int64       `opt:"codes" help:"codes"`
	Open   bool          `opt:"open" help:"open"`
	hidden int
}

func option(t *testing.T, o *options, name string) *Field {
	t.Helper()
	f := find(Fields(o), name)
	if f == nil {
		t.Fatalf("no option %s", name)
	}
	return f
}

// The text typed for an option, and the resulting value or error.
func TestSet(t *testing.T) {
	for _, c := range longtest.Rows(`
share | 0.25 | 0.25 |
share | 0 |  | share: 0, want a number between 0 and 1
share | 1 |  | share: 1, want a number between 0 and 1
share | NaN |  | share: NaN, want a number between 0 and 1
share | x |  | share: "x", want a number, between 0 and 1
parts | Site, month | site,month |
parts | all | length,site,month |
parts | ALL | length,site,month |
parts | all,site |  | parts: "all,site", want all, or names without it
parts | site,site |  | parts: "site" twice, want each once
parts | sites |  | parts: "sites", want one of length, site, month, all; did you mean site?
parts |  |  | parts: "", want one of length, site, month, all
policy | fcfs | fcfs |
policy | priority(queues=3,1) | priority(queues=3,1) |
policy | a,b |  | policy: "a,b", want one of fcfs, priority
draws | 0 | 0 |
draws | 38 |  | draws: 38, want 0 or 39 to 1000
draws | 2.5 |  | draws: "2.5", want a whole number, 0 or 39 to 1000
months | 12 | 12 |
months | 0 |  | months: 0, want 1, 2, 3, 4, 6 or 12
size | -1 |  | size: "-1", want a whole number of 0 or more
alpha | 0 | 0 |
alpha | 1.5 |  | alpha: 1.5, want 0 to 1
limit | 90s | 1m30s |
limit | 5 |  | limit: "5", want a time with its unit, such as 30s or 2m, above 0
limit | 0s |  | limit: 0s, want a number above 0
text |  |  | text: "", want a file
set | a,b | a,b |
codes | 1, 2 | 1,2 |
codes | 1,1 |  | codes: "1" twice, want each once
open | yes |  | open: "yes", want true or false
`) {
		name, typed, now, fault := c[0], c[1], c[2], c[3]
		f := option(t, new(options), name)
		before := f.String()
		err := f.Set(typed)
		switch {
		case fault != "":
			if err == nil || err.Error() != fault || f.String() != before {
				t.Errorf("%s %q: %v and %q, want %s", name, typed, err, f, fault)
			}
		case err != nil || f.String() != now:
			t.Errorf("%s %q: %v and %q, want %q", name, typed, err, f, now)
		}
	}
}

// A zero value counts as omitted; other values must be valid.
func TestCheck(t *testing.T) {
	half, nan := 0.5, math.NaN()
	for _, c := range []struct {
		o    options
		want string
	}{
		{options{}, ""},
		{options{Alpha: &half, Months: 6}, ""},
		{options{Alpha: &nan}, "alpha: NaN, want 0 to 1"},
		{options{inner: inner{Share: -1}}, "share: -1, want a number between 0 and 1"},
		{options{inner: inner{Parts: []string{"site", "day"}}}, `parts: "day", want one of length, site, month, all`},
		{options{inner: inner{Parts: []string{"site", "site"}}}, `parts: "site" twice, want each once`},
		{options{Policy: "priority(x)"}, ""},
		{options{Months: 5}, "months: 5, want 1, 2, 3, 4, 6 or 12"},
		{options{Months: 4, Draws: 39}, "months: 4, want either `draws` or `months`"},
	} {
		if got := fmt.Sprint(Check(&c.o)); got != c.want && !(c.want == "" && got == "<nil>") {
			t.Errorf("%+v: %s, want %s", c.o, got, c.want)
		}
	}
}

func TestCheckGiven(t *testing.T) {
	for _, c := range []struct {
		o           options
		given, want string
	}{
		{options{Policy: "fcfs", Size: 3}, "size", ""},
		{options{Policy: "priority", Size: 3}, "policy", ""},
		{options{Policy: "priority", Size: 3}, "size", "size: 3 has no effect on `policy` priority, want `policy` with fcfs"},
		{options{Limit: time.Second}, "limit", "limit: 1s, want `size` with it"},
		{options{Size: 2, Limit: time.Second}, "limit", ""},
		{options{Draws: 39}, "months draws", "months: 0, want either `draws` or `months`"},
		{options{Months: 2}, "months draws", ""}, // an option with its zero value excludes none
	} {
		err := CheckGiven(Fields(&c.o), func(name string) bool { return strings.Contains(c.given, name) })
		if err != nil && !errors.As(err, new(*workload.OptionError)) {
			t.Errorf("%v is no OptionError", err)
		}
		if got := fmt.Sprint(err); got != c.want && !(c.want == "" && err == nil) {
			t.Errorf("%+v: %s, want %s", c.o, got, c.want)
		}
	}
}

func TestFields(t *testing.T) {
	o := options{hidden: 1}
	Fill(&o)
	var names []string
	for _, f := range Fields(&o) {
		names = append(names, f.Name+" "+f.Type())
	}
	want := "share float64,parts name,policy name,draws int,months int,size uint64,alpha float64,limit duration,text string,set stringArray,codes int64Slice,open bool"
	if got := strings.Join(names, ","); got != want {
		t.Errorf("fields %s, want %s", got, want)
	}
	if f := option(t, &o, "share"); f.Group != "Inner" || o.Share != 0.5 || o.Alpha == nil || *o.Alpha != 0.25 || option(t, &o, "size").Letter != "s" {
		t.Errorf("%+v of %+v", f, o)
	}
}

// TestSeconds parses durations as written by people and by Slurm.
func TestSeconds(t *testing.T) {
	for text, want := range map[string]float64{
		"7200": 7200, "1e3": 1000, "0.5": 0.5, "2:00:00": 7200, "2:05": 125, "90:00": 5400, "48:00:00": 172800,
		"1-12": 129600, "1-12:30": 131400, "1-00:00:01": 86401, "0-2:0:0": 7200, "90m": 5400, "1h30m": 5400,
	} {
		if x, err := Seconds(text); err != nil || x != want {
			t.Errorf("%q: %g, %v, want %g", text, x, err, want)
		}
	}
	for _, text := range []string{"", "two", "2:60:00", "1:2:3:4", "2h:3", "1-", "1-2-3", ":30", "2:00:", "-1:00", "1d"} {
		if x, err := Seconds(text); err == nil {
			t.Errorf("%q is read as %g", text, x)
		}
	}
}

// TestListTypedInParts checks that repeating the option appends to a list, but replaces a list of
// names.
func TestListTypedInParts(t *testing.T) {
	o := options{Codes: []int64{9}} // the default, which typed values replace
	fields := Fields(&o)
	for _, typed := range []string{"codes 1,2", "codes 3", "parts length", "parts month", "set a=1", "set b=2,c"} {
		name, text, _ := strings.Cut(typed, " ")
		if err := find(fields, name).Set(text); err != nil {
			t.Fatalf("%s: %v", typed, err)
		}
	}
	if got, want := fmt.Sprint(o.Codes, o.Parts, len(o.Set)), "[1 2 3] [month] 2"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if err := find(fields, "codes").Set("2"); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("2 again: %v", err)
	}
}

// Words for classes must be allowed by the tag, and the word class requires named classes.
func TestClasses(t *testing.T) {
	type sorted struct {
		By     []string              `opt:"by" classes:"submitted"`
		Groups string                `opt:"groups" classes:"measured plain"`
		Named  []workload.NamedClass `opt:"class"`
	}
	named := []workload.NamedClass{{Name: "short", Values: []string{"1"}}}
	for _, c := range []struct {
		o     sorted
		fault string // the option's name, and what was seen
	}{
		{sorted{By: []string{"user", "size:4:16"}, Groups: "run+user"}, ""},
		{sorted{By: []string{"run"}}, `by: "run"`},
		{sorted{By: []string{"class"}}, `by: "class"`},
		{sorted{By: []string{"class"}, Named: named}, ""},
		{sorted{Groups: "class", Named: named}, `groups: "class"`},
		{sorted{Groups: "user+user"}, `groups: "user" twice`},
	} {
		err := Check(&c.o)
		if (err == nil) != (c.fault == "") || err != nil && !strings.HasPrefix(err.Error(), c.fault+", ") {
			t.Errorf("%+v: %v, want %s", c.o, err, c.fault)
		}
	}
	var h workload.Header
	if g := Grouping(&sorted{Named: named}, "by", &h); !g.Submitted || g.Measured || g.Header != &h || len(g.Named) != 1 {
		t.Errorf("%+v", g)
	}
}

// An unknown word in the tag classes is a programming error, like a default that cannot be parsed.
func TestClassesUnknownWord(t *testing.T) {
	defer func() {
		if got, want := recover(), "opt: classes of by: measurd is not a word of the tag"; got != want {
			t.Errorf("panic: %v, want %s", got, want)
		}
	}()
	Fields(&struct {
		By string `opt:"by" classes:"each measurd"`
	}{})
}
