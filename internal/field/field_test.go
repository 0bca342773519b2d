package field

import (
	"math"
	"slices"
	"strings"
	"testing"
)

type whole int64

func (n whole) Known() bool { return n >= 0 }

type spread struct {
	Mean  float64 `json:"mean" show:"mean" help:"mean *"`
	Max   float64 `json:"max"`
	Known int     `json:"known" row:"alone"`
}

type share float64

func (s share) Percent() float64 { return 100 * float64(s) }

type lag struct {
	Lag int
	R   float64
}

type series struct {
	spread
	Zero  share    `json:"zero_pct" show:"zero,%"`
	Lags  []lag    `json:"lags" csv:"r" show:"r" row:"named"`
	Words []string `json:"words" row:"words"`
	Rows  []level  `json:"rows" row:"each"`
}

// table returns the columns for which name is not empty: their names, then one line per row, with
// cells separated by bars.
func table[T any](rows []T, name func(Field) string) string {
	fields, lines := Rows(rows, func(f Field) bool { return name(f) != "" })
	var text []string
	line := func(cell func(Field) string) {
		var cells []string
		for _, f := range fields {
			cells = append(cells, cell(f))
		}
		text = append(text, strings.Join(cells, "|"))
	}
	line(name)
	for _, values := range lines {
		line(func(f Field) string { return f.Text(values) })
	}
	return strings.Join(text, "\n")
}

func nameOf(f Field) string    { return f.Name }
func headingOf(f Field) string { return f.Heading }

func check(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// A list without a requested column adds no rows.
func TestSeries(t *testing.T) {
	rows := []series{{spread{Mean: 1, Known: 7}, 0.25, []lag{{1, 0.5}, {10, 0.125}}, []string{"a", "b"}, []level{{0.5}, {0.9}}}}
	check(t, table(rows, nameOf), `mean|max|known|zero_pct|words|quantile|r_1|r_10
1|0|7|25|a b|0.5|0.5|0.125
1|0|7|25|a b|0.9|0.5|0.125`)
	check(t, table(rows, headingOf), `mean|zero|r(1)|r(10)
1|25|0.5|0.125`)
}

type part struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}

type level struct {
	Quantile float64 `json:"quantile"`
}

type bound struct {
	Covered float64 `json:"coverage" csv:"bound_coverage"`
}

type common struct {
	Jobs whole `json:"jobs" show:"jobs" narrow:"2"`
}

type row struct {
	common
	Predictor string   `json:"predictor" show:"predictor"`
	Wait      spread   `json:"wait_s" row:"prefix" show:"wait,s"`
	Run       spread   `json:"run_s" row:"prefix"`
	Bound     *bound   `json:"bound" row:"flat"`
	Nested    spread   `json:"nested"` // not part of the row
	Best      *bool    `json:"best"`
	Share     *float64 `json:"share" show:"share,share" better:"high"`
	Measures  []part   `json:"measures" row:"named"`
	Levels    []level  `json:"levels" row:"each"`
	Seen      []int    `json:"-"`
	hidden    float64  // not a column
}

func TestFields(t *testing.T) {
	yes, half := true, 0.5
	rows := []row{
		{common: common{3}, hidden: 1, Predictor: "a", Wait: spread{1.5, 2, 3}, Bound: &bound{0.75}, Best: &yes, Measures: []part{{"exact", 1}}, Levels: []level{{0.5}, {0.9}}},
		{common: common{-1}, Predictor: "b", Wait: spread{math.NaN(), math.Inf(1), 3}, Share: &half},
	}
	check(t, table(rows, nameOf), `jobs|predictor|wait_mean_s|wait_max_s|run_mean_s|run_max_s|bound_coverage|best|share|quantile|exact
3|a|1.5|2|0|0|0.75|true||0.5|1
3|a|1.5|2|0|0|0.75|true||0.9|1
|b|||0|0|||0.5||`)
	check(t, table(rows, headingOf), `jobs|predictor|wait mean|share|exact
3|a|1.5||1
|b||0.5|`)
	fields, _ := Rows(rows, func(Field) bool { return true })
	if fields[0].Narrow != 2 || fields[8].Better != "high" || fields[2].Verb != "s" {
		t.Errorf("%+v", fields)
	}
}

func TestNumber(t *testing.T) {
	r := row{common: common{3}, Wait: spread{Mean: 1.5}, Measures: []part{{"exact", 0.25}}}
	for name, want := range map[string]float64{"jobs": 3, "wait_mean_s": 1.5, "exact": 0.25, "bound_coverage": math.NaN()} {
		if x, ok := Number(r, name); !ok || x != want && !(math.IsNaN(x) && math.IsNaN(want)) {
			t.Errorf("%s: %g, %t, want %g", name, x, ok, want)
		}
	}
	for _, name := range []string{"predictor", "quantile", "nested_mean", "none"} {
		if x, ok := Number(r, name); ok {
			t.Errorf("%s: %g, want no number of the row", name, x)
		}
	}
	if got, want := Numbers[row](), []string{"jobs", "wait_mean_s", "wait_max_s", "run_mean_s", "run_max_s", "bound_coverage", "share"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

type measured struct {
	Wait  spread `json:"wait_s" row:"prefix" study:"mean=main" help:"wait"`
	Share int    `json:"share,omitempty" study:"" help:"a share"`
	Other int    `json:"other"`
}

// A struct's tag applies to those of its fields that the tag lists, and values omitted in JSON are
// empty.
func TestTags(t *testing.T) {
	type said struct {
		name, study, help string
		omitted           bool
	}
	var got []said
	fields, rows := Rows([]measured{{}}, func(Field) bool { return true })
	for _, f := range fields {
		if study, ok := f.Tag("study"); ok {
			got = append(got, said{f.Name, study, f.Help(), f.Omitted(rows[0])})
		}
	}
	if want := []said{{"wait_mean_s", "main", "mean wait", false}, {"share", "", "a share", true}}; !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

type ranged struct {
	Share   float64 `json:"share" in:"[0,1]"`
	Loss    float64 `json:"loss" in:"[0,) or null"`
	Most    float64 `json:"most" in:"(,100]"`
	Nothing float64 `json:"nothing"`
}

func TestRange(t *testing.T) {
	want := []Range{{Most: 1}, {Most: math.Inf(1), OpenMost: true, Null: true}, {Least: math.Inf(-1), OpenLeast: true, Most: 100}}
	for i, f := range Of[ranged]() {
		got, ok := f.Range()
		got.least, got.most = "", ""
		if ok != (i < len(want)) || ok && got != want[i] {
			t.Errorf("%s: %+v, %t", f.Name, got, ok)
		}
	}
}

// If people read only some fields of a struct, programs read all of them; a list with a name for
// programs only has no headings.
func TestOnly(t *testing.T) {
	type group struct {
		Name string
		Jobs int
	}
	type row struct {
		Wait   spread  `json:"wait_s" row:"prefix" show:"wait" only:"max"`
		Groups []group `json:"groups" row:"named" csv:"jobs"`
	}
	rows := []row{{Groups: []group{{"a", 1}}}}
	check(t, table(rows, nameOf), `wait_mean_s|wait_max_s|jobs_a
0|0|1`)
	check(t, table(rows, headingOf), "\n")
}
