package population_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	fit "github.com/loadstone-hpc/loadstone/fit/population"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
)

func fitted(t testing.TB) population.Model {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	jobs := func(yield func(workload.Job, error) bool) {
		at := 0.0
		for range 4000 {
			j := workload.UnknownJob()
			at += float64(rng.IntN(2000))
			j.User, j.Submit, j.Run, j.Wait, j.Size = rng.Int64N(20), at, float64(rng.IntN(9000)), float64(rng.IntN(900)), 1+rng.Int64N(16)
			if !yield(j, nil) {
				return
			}
		}
	}
	m, _, err := fit.Fit(context.Background(), jobs, &workload.Header{}, "made up", 16)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A model that is written is read back the same, and written again to the same
// bytes.
func TestRoundTrip(t *testing.T) {
	m := fitted(t)
	var a, b bytes.Buffer
	if err := population.Encode(&a, m); err != nil {
		t.Fatal(err)
	}
	back, err := population.Decode(bytes.NewReader(a.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(back, m) {
		t.Error("the model read differs from the one written")
	}
	if err := population.Encode(&b, back); err != nil || !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Errorf("written again it differs: %v", err)
	}
	if a.Len() > 200_000 {
		t.Errorf("%d bytes, want less than 200,000", a.Len())
	}
}

// Parts that may be left out can be taken out of a file; others are errors that
// name the field.
func TestEdits(t *testing.T) {
	var file bytes.Buffer
	if err := population.Encode(&file, fitted(t)); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct{ from, to, path string }{
		{`"schema": "loadstone.population/1"`, `"schema": "loadstone.population/9"`, "schema"},
		{`"processors": 16`, `"processors": 0`, "processors"},
		{`"name": "made up"`, `"name": "two\nlines"`, "name"},
		{`"processors": 16`, `"processors": 15`, "sizes.sizes[15]"},
		{`"processors": 16`, `"processors": 16, "colour": 1`, "colour"},
		{`"cv": `, `"cv": -1, "was": `, "was"},
		{`"lag_1": 0`, `"lag_1": 2`, "load.lag_1"},
		{`"ln_work": [`, `"ln_wrok": [`, "margins.ln_wrok"},
		{`"days": [`, `"days": [9, `, "users.strata[0].margins.days[0]"},
		{`"from": 1,`, `"from": 2,`, "run_times.classes[0].from"},
		{`"p": [0,`, `"p": [0.0001,`, "run_times.classes[0].quantiles.p[0]"},
	} {
		text := file.String()
		if !strings.Contains(text, x.from) {
			t.Fatalf("the file has no %s", x.from)
		}
		_, err := population.Decode(strings.NewReader(strings.Replace(text, x.from, x.to, 1)))
		var field *model.FieldError
		if !errors.As(err, &field) || !strings.HasSuffix(field.Path, x.path) {
			t.Errorf("%s: %v, want an error at %q", x.to, err, x.path)
		}
	}
	for _, text := range []string{"", "{", "[]", "{}", file.String() + "{}", file.String()[:file.Len()/2]} {
		if _, err := population.Decode(strings.NewReader(text)); err == nil {
			t.Errorf("%.20q: no error", text)
		}
	}
}

// Quantiles of 1 to 1000: by hand, the p-th of n values is number 1 + floor(p n),
// and between two of them the law is even in ln(1 + x).
func TestQuantiles(t *testing.T) {
	x := make([]float64, 1000)
	for i := range x {
		x[i] = float64(i + 1)
	}
	q := population.NewQuantiles(x)
	for _, c := range [][2]float64{{0, 1}, {.5, 501}, {.1, 101}, {1, 1000}, {.0025, 0}} {
		if c[0] == .0025 { // between .002, 3, and .005, 6: a sixth of the way from ln 4 to ln 7
			c[1] = math.Exp(math.Log(4)+(math.Log(7)-math.Log(4))/6) - 1
		}
		if got := q.At(c[0]); math.Abs(got-c[1]) > 1e-9*c[1] {
			t.Errorf("quantile %g is %g, want %g", c[0], got, c[1])
		}
	}
	if q := population.NewQuantiles([]float64{5}); q.At(.3) != 5 {
		t.Errorf("quantiles of one value: %v", q)
	}
}

// TestIsModel: a model of users is told from another model and from what is no JSON
// by its schema.
func TestIsModel(t *testing.T) {
	for text, want := range map[string]bool{
		`{"schema":"` + population.Schema + `"}`: true,
		`{"schema":"loadstone.model/1"}`:         false,
		`{}`:                                     false,
		`{"schema":1}`:                           false,
		"; Version: 2.2\n1 0 1 10 1 -1 -1 1 -1 -1 1 1 1": false,
		"": false,
	} {
		if got := population.IsModel([]byte(text)); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// A value of another kind is reported with the kind that the field has, in the words
// of JSON.
func TestOtherKind(t *testing.T) {
	var b bytes.Buffer
	if err := population.Encode(&b, fitted(t)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{`"processors": 16`, `"processors": "x"`, "model: processors: string, want a whole number"},
		{`"processors": 16`, `"processors": 1.5`, "model: processors: number 1.5, want a whole number"},
		{`"name": "made up"`, `"name": 1`, "model: name: number, want text in quotes"},
		{`"bag_gap": 60`, `"bag_gap": []`, "model: sessions.bag_gap: array, want a number"},
		{`"cycle": {`, `"cycle": true, "load": {`, "model: cycle: bool, want an object"},
		{`"ln_jobs": [`, `"ln_jobs": [true, `, "model: users.strata[].margins.ln_jobs: bool, want a number"},
		{`"margins": {`, `"margins": [], "x": {`, "model: users.strata.margins: array, want an object"},
		{`"classes": [`, `"classes": 1, "of": [`, "model: run_times.classes: number, want a list"},
	} {
		text := strings.Replace(b.String(), c.old, c.new, 1)
		if text == b.String() {
			t.Fatalf("no %s in the file", c.old)
		}
		_, err := population.Decode(strings.NewReader(text))
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.new, err, c.want)
		}
	}
}

// A field that no model has is named with where it stands.
func TestUnknownField(t *testing.T) {
	var b bytes.Buffer
	if err := population.Encode(&b, fitted(t)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, path string }{
		{`"processors": 16`, `"processors": 16, "procs": 16`, "procs"},
		{`"load": `, `"laod": 1, "load": `, "log.laod"},
		{`"margins": {`, `"user": 5, "margins": {`, "users.strata[0].user"},
		{`"classes": [`, `"class": 1, "classes": [`, "run_times.class"},
	} {
		_, err := population.Decode(strings.NewReader(strings.Replace(b.String(), c.old, c.new, 1)))
		var field *model.FieldError
		if !errors.As(err, &field) || field.Path != c.path || field.Saw != "an unknown field" {
			t.Errorf("%s: %v, want an unknown field at %s", c.new, err, c.path)
		}
	}
}

// A model that is cut off is still known for what it is, and says so.
func TestCutOff(t *testing.T) {
	var b bytes.Buffer
	if err := population.Encode(&b, fitted(t)); err != nil {
		t.Fatal(err)
	}
	text := b.Bytes()[:b.Len()/2]
	if !population.IsModel(text) {
		t.Error("half a file is no model of users")
	}
	if _, err := population.Decode(bytes.NewReader(text)); err == nil || !strings.Contains(err.Error(), "the file ends in the middle of the model") {
		t.Errorf("half a file: %v", err)
	}
}

// What encoding/json would lose or make up in silence is an error.
func TestSilent(t *testing.T) {
	text := encoded(t, ofGPUs(t, true))
	for _, x := range []struct{ from, to, path, saw string }{
		{`"processors":`, `"processors": 7, "processors":`, "processors", "given twice"},
		{`"7": "A100"`, `"7": "A100", "7": "H100"`, "resources.columns[0].names.7", "given twice"},
		{`"values": [0, 1, 1]`, `"values": [null, 1, 1]`, "resources.columns[1].values[0]", "null"},
		{`"shares": [0.5, 0.5, 1]`, `"shares": [0.5, 0.5, 1], "shares": [0.1, 0.9, 1]`, "resources.shares", "given twice"},
		{`"resources": {`, `"Resources": {`, "Resources", "an unknown field"},
		{`"resources": {`, `"statuses": {"values": [null]}, "resources": {`, "statuses.values[0]", "null"},
		{`"margins": {`, `"margins": {"size_mean": [0], `, "users.strata[0].margins.size_mean", "given twice"},
	} {
		if !strings.Contains(text, x.from) {
			t.Fatalf("the file has no %s", x.from)
		}
		_, err := population.Decode(strings.NewReader(strings.Replace(text, x.from, x.to, 1)))
		var field *model.FieldError
		if !errors.As(err, &field) || field.Path != x.path || field.Saw != x.saw {
			t.Errorf("%s: %v, want an error at %q: %s", x.to, err, x.path, x.saw)
		}
	}
}
