package model

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/dist"
)

// withOptional is a preset with every optional part.
func withOptional(t *testing.T) Site {
	s := preset(t, Lublin1999Untyped)
	c := &s.Classes[0]
	lublin(func(l *Lublin) { l.RunTimes.Line = Line{0.75, -2.5, LogOdds} })(&s)
	c.Arrivals.Week = &[Weekdays]float64{0.25, 1.5, 1.5, 1.25, 1.25, 1, 0.25}
	c.Work = &Work{Law: dist.HyperGamma{First: dist.Gamma{Shape: 5, Scale: 1.1}, Second: dist.Gamma{Shape: 45, Scale: 0.3}, P: 0.7}, MaxLn: 31.5}
	return s
}

func TestRoundTripOptionalParts(t *testing.T) {
	s := withOptional(t)
	text := encoded(t, s)
	got, err := Decode(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(s, got); diff != "" {
		t.Error(diff)
	}
	// Files without them, of which there are some, stay as they are.
	plain := encoded(t, preset(t, Lublin1999Untyped))
	for _, name := range []string{"p_form", "week", "work"} {
		if strings.Contains(plain, name) {
			t.Errorf("a model without optional parts has a field %s", name)
		}
	}
	linear := strings.Replace(plain, `"p_slope": -0.0054`, `"p_slope": -0.0054, "p_form": "linear"`, 1)
	got, err = Decode(strings.NewReader(linear))
	if err != nil || linear == plain {
		t.Fatalf("p_form linear: %v", err)
	}
	if diff := cmp.Diff(preset(t, Lublin1999Untyped), got); diff != "" {
		t.Error(diff)
	}
}

func TestOptionalPartsOutOfRange(t *testing.T) {
	const class = "classes[0]."
	for _, tt := range []struct{ name, old, new, path, want string }{
		{"form", `"p_form": "log-odds"`, `"p_form": "logit"`, class + "run_times.p_form", `"linear" or "log-odds"`},
		{"slope of a line", `"p_form": "log-odds"`, `"p_form": "linear"`, class + "run_times.p_slope", "from -1 to 1"},
		{"slope of log-odds", `"p_slope": -2.5`, `"p_slope": -101`, class + "run_times.p_slope", "from -100 to 100"},
		{"work's shape", `"shape_1": 5,`, `"shape_1": -5,`, class + "work.law.parameters.shape_1", "above 0"},
		{"work's limit", `"max_ln": 31.5`, `"max_ln": 48`, class + "work.law.max_ln", "at most 47"},
		{"work below its limit", `"max_ln": 31.5`, `"max_ln": 0.1`, class + "work.law.max_ln", "at least 0.001"},
		{"unknown in work", `"work": {`, `"work": {"speedup": 1,`, class + "work.speedup", "unknown field"},
		{"work null", `"work": {`, `"work": null, "x": {`, class + "work", "a JSON object"},
		{"week's mean", "\"week\": [\n          0.25", "\"week\": [\n          0.5", class + "arrivals.week", "weights with mean 1"},
		{"six days", "\"week\": [\n          0.25,", "\"week\": [", class + "arrivals.week", "7, from Sunday to Saturday"},
		{"negative day", "\"week\": [\n          0.25", "\"week\": [\n          -0.25", class + "arrivals.week[0]", "from 0 to 7"},
		{"day as text", "\"week\": [\n          0.25", "\"week\": [\n          \"0.25\"", class + "arrivals.week[0]", "a number"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := encoded(t, withOptional(t))
			altered := strings.Replace(text, tt.old, tt.new, 1)
			if altered == text {
				t.Fatalf("%q is not in the file:\n%s", tt.old, text)
			}
			_, err := Decode(strings.NewReader(altered))
			var f *FieldError
			if !errors.As(err, &f) || f.Path != tt.path || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %s and %q", err, tt.path, tt.want)
			}
		})
	}
	zeros := strings.NewReplacer("0.25", "0", "1.5,", "0,", "1.25", "0", "          1,", "          0,").Replace(encoded(t, withOptional(t)))
	if _, err := Decode(strings.NewReader(zeros)); err == nil || !strings.Contains(err.Error(), "weights with mean 0") {
		t.Errorf("a week of zeros: error %v", err)
	}
}

func TestLogOddsShare(t *testing.T) {
	r := Line{PSlope: -0.5, PIntercept: 2, PForm: LogOdds}
	// ln(p/(1-p)) = 2 - 0.5 size: 0 at size 4, ln 3 at size 2 - 2 ln 3.
	if p := r.P(4); p != 0.5 {
		t.Errorf("p is %g at size 4, want 0.5", p)
	}
	if p, want := r.P(6), 1/(1+math.E); math.Abs(p-want) > 1e-15 {
		t.Errorf("p is %.17g at size 6, want %.17g", p, want)
	}
	for _, size := range []int64{1, 1 << 24} {
		if p := r.P(size); !(p >= 0 && p <= 1) {
			t.Errorf("p is %g at size %d", p, size)
		}
	}
}

func TestForProcessorsLeavesWorkOut(t *testing.T) {
	s, err := withOptional(t).ForProcessors(512)
	if err != nil {
		t.Fatal(err)
	}
	if s.Classes[0].Work != nil {
		t.Error("a distribution of the work of jobs on 128 processors stands in a model of 512")
	}
	if *s.Classes[0].Arrivals.Week != *withOptional(t).Classes[0].Arrivals.Week {
		t.Error("the weekly cycle is lost")
	}
}
