package model

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/dist"
)

func encoded(t *testing.T, s Site) string {
	t.Helper()
	var b bytes.Buffer
	if err := Encode(&b, s); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestRoundTripPresets(t *testing.T) {
	for _, name := range Presets() {
		s := preset(t, name)
		text := encoded(t, s)
		got, err := Decode(strings.NewReader(text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(s, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if again := encoded(t, got); again != text {
			t.Errorf("%s: other bytes the second time", name)
		}
	}
	if _, err := Preset("lublin"); err == nil || !strings.Contains(err.Error(), Lublin1999Untyped) {
		t.Errorf("unknown preset: %v", err)
	}
}

func TestRoundTripProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		gamma := rapid.Custom(func(t *rapid.T) dist.Gamma {
			return dist.Gamma{Shape: rapid.Float64Range(0.1, 30).Draw(t, "shape"), Scale: rapid.Float64Range(0.001, 1).Draw(t, "scale")}
		})
		share := rapid.Float64Range(0, 1)
		low := rapid.Float64Range(-1, 3).Draw(t, "low")
		s := Site{Schema: Schema, Name: "a \"name\" <&>", Processors: rapid.Int64Range(1, MaxProcessors).Draw(t, "processors")}
		for i := range rapid.IntRange(1, 3).Draw(t, "classes") {
			c := Class{
				Name: fmt.Sprint("c", i), Column: "user_id", Value: int64(i), Jobs: rapid.Int64Min(0).Draw(t, "jobs"),
				Sizes: RoundedSizes{SerialShare: share.Draw(t, "serial"), PowerOfTwoShare: share.Draw(t, "power"), Log2: dist.TwoStageUniform{Low: low, Mid: low + 0.5, High: low + 4, P: share.Draw(t, "p")}},
				RunTimes: LnRunTimes{
					Law:  dist.HyperGamma{First: gamma.Draw(t, "first"), Second: gamma.Draw(t, "second"), P: share.Draw(t, "p")},
					Line: Line{PIntercept: rapid.Float64Range(-3, 3).Draw(t, "b"), PSlope: rapid.Float64Range(-1, 1).Draw(t, "a")}, MaxLn: 30,
				},
				Arrivals: Arrivals{Method: SlotWeights, Gaps: LnGaps{Peak: gamma.Draw(t, "peak"), ARAR: 1, MaxLn: 30}, Cycle: GammaCycle{Shape: 8, Scale: 3}},
			}
			if rapid.Bool().Draw(t, "ends") {
				sizes := c.Lublin().Sizes
				sizes.Smallest, sizes.Largest = 1, s.Processors
				c.Sizes = sizes
			}
			if rapid.Bool().Draw(t, "stationary") {
				c.Arrivals = c.Arrivals.WithoutCycle()
			}
			s.Classes = append(s.Classes, c)
		}
		if s.Validate() != nil {
			t.Skip("a distribution wholly above its limit")
		}
		var b bytes.Buffer
		if err := Encode(&b, s); err != nil {
			t.Fatal(err)
		}
		got, err := Decode(&b)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(s, got); diff != "" {
			t.Error(diff)
		}
	})
}

// Each case alters one piece of the merged preset's file; the error names the
// field and says what is allowed.
func TestDecodeErrors(t *testing.T) {
	const one = "classes[0]"
	for _, tt := range []struct {
		name, old, new string
		path, want     string // what the message must hold
	}{
		{"version", `"loadstone.model/1"`, `"loadstone.model/2"`, "schema", `"loadstone.model/1"`},
		{"no version", `"schema": "loadstone.model/1",`, ``, "schema", "missing"},
		{"unknown at the top", `"name": "lublin1999"`, `"name": "x", "colour": 1`, "colour", "unknown field"},
		{"case matters", `"processors": 128`, `"Processors": 128`, "processors", "missing"},
		{"empty name", `"name": "lublin1999"`, `"name": ""`, "name", "text of 1 to 500 bytes on one line"},
		{"name of two lines", `"name": "lublin1999"`, `"name": "a\nb"`, "name", "one line"},
		{"null", `"processors": 128`, `"processors": null`, "processors", "a whole number"},
		{"half a processor", `"processors": 128`, `"processors": 12.5`, "processors", "a whole number"},
		{"no processors", `"processors": 128`, `"processors": 0`, "processors", "from 1 to 16777216"},
		{"twice", `"processors": 128`, `"processors": 128, "processors": 64`, "processors", "given twice"},
		{"number as text", `"serial_share": 0.1541`, `"serial_share": "0.1541"`, one + ".sizes.serial_share", "a number"},
		{"share", `"serial_share": 0.1541`, `"serial_share": 1.01`, one + ".sizes.serial_share", "a number from 0 to 1"},
		{"unknown inside", `"serial_share": 0.1541`, `"serial_share": 0.1, "p1": 1`, one + ".sizes.p1", "one of serial_share, power_of_two_share, log2"},
		{"NaN", `"serial_share": 0.1541`, `"serial_share": NaN`, "line 12", "not JSON"},
		{"too large a number", `"serial_share": 0.1541`, `"serial_share": 1e999`, one + ".sizes.serial_share", "a number"},
		{"law's parameter", `"mid": 3`, `"mid": 0.5`, one + ".sizes.log2.parameters.mid", "above low"},
		{"law's twice", `"mid": 3`, `"mid": 3, "mid": 4`, one + ".sizes.log2.parameters.mid", "given twice"},
		{"law's missing", `"mid": 3,`, ``, one + ".sizes.log2", `"mid" is missing`},
		{"low end", `"low": 1,`, `"low": -2,`, one + ".sizes.log2.parameters.low", "a number from -1 to 40"},
		{"high end", `"high": 5.5`, `"high": 41`, one + ".sizes.log2.parameters.high", "a number from -1 to 40"},
		{"family", `"family": "two-stage-uniform"`, `"family": "beta"`, one + ".sizes.log2", "two-stage-uniform"},
		{"shape", `"shape_1": 3.8351`, `"shape_1": -3`, one + ".run_times.law.parameters.shape_1", "above 0"},
		{"slope", `"p_slope": -0.0118`, `"p_slope": -1.5`, one + ".run_times.p_slope", "a number from -1 to 1"},
		{"intercept", `"p_intercept": 0.9156`, `"p_intercept": 1e7`, one + ".run_times.p_intercept", "from -1e+06 to 1e+06"},
		{"limit", `"max_ln": 12`, `"max_ln": 31`, one + ".run_times.law.max_ln", "above 0, at most 30"},
		{"no limit", "},\n          \"max_ln\": 12", "}", one + ".run_times.law.max_ln", "missing, want a number above 0, at most 30"},
		{"limit below the distribution", `"max_ln": 12`, `"max_ln": 0.01`, one + ".run_times.law.max_ln", "at least 0.001"},
		{"limit of arrivals", `"max_ln": 13`, `"max_ln": 0.1`, one + ".arrivals.peak.max_ln", "at least 0.001"},
		{"method", `"slot-weights"`, `"weights"`, one + ".arrivals.method", `"expected-slots" or "stationary"`},
		{"stationary with cycle", `"slot-weights"`, `"stationary"`, one + ".arrivals.cycle", "none"},
		{"ratio", `"arar": 0.9797`, `"arar": 0`, one + ".arrivals.arar", "from 0.01 to 100"},
		{"cycle out of the day", `"scale": 3.668`, `"scale": 1e-6`, one + ".arrivals.cycle", "mass on the slot numbers 11 to 58"},
		{"column", `"column": "queue_id"`, `"column": "status"`, one + ".column", "queue_id, partition_id"},
		{"no value", `"value": 0,`, ``, one + ".value", "missing"},
		{"negative value", `"value": 0`, `"value": -1`, one + ".value", "at least 0"},
		{"no column", `"column": "queue_id",`, ``, one + ".column", "none, want a column that tells the classes apart"},
		{"large shape", "\"shape_1\": 3.8351,\n            \"scale_1\": 0.6605", `"shape_1": 1e24, "scale_1": 1.2e-23`, one + ".run_times.law.parameters.shape_1", "above 0, at most 1e+09"},
		{"other column", "\"column\": \"queue_id\",\n      \"value\": 1", "\"column\": \"user_id\",\n      \"value\": 1", "classes[1].column", `"queue_id", as in classes[0]`},
		{"same value", `"value": 1`, `"value": 0`, "classes[1].value", "another than that of classes[0]"},
		{"same name", `"name": "batch"`, `"name": "interactive"`, "classes[1].name", "another than that of classes[0]"},
		{"second class", `"p_slope": -0.003`, `"p_slope": 3`, "classes[1].run_times.p_slope", "3, want a number from -1 to 1"},
		{"text after", "\n}\n", "\n}\n{}", "", "behind the model's last brace"},
		{"syntax", `"processors": 128,`, `"processors": 128`, "line 6", "not JSON"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := encoded(t, preset(t, Lublin1999))
			altered := strings.Replace(text, tt.old, tt.new, 1)
			if altered == text {
				t.Fatalf("%q is not in the file", tt.old)
			}
			_, err := Decode(strings.NewReader(altered))
			var f *FieldError
			if !errors.As(err, &f) {
				t.Fatalf("error %v (%T), want a *FieldError", err, err)
			}
			if got := err.Error(); !strings.Contains(got, tt.path) || !strings.Contains(got, tt.want) {
				t.Errorf("%q, want %q and %q", got, tt.path, tt.want)
			}
		})
	}
}

func TestDecodeNotAModel(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"empty":     {"", "an empty file"},
		"blank":     {" \n", "an empty file"},
		"array":     {"[]", "want a JSON object"},
		"null":      {"null", "want a JSON object"},
		"lines":     {"[]\n\n", "[], want a JSON object"},
		"number":    {"3", "want a JSON object"},
		"text":      {"; Version: 2.2\n", "line 1 is not JSON"},
		"binary":    {"\x00\x01PAR1", "line 1 is not JSON"},
		"cut short": {`{"schema": "loadstone.model/1", "cl`, "the file ends"},
		"deep":      {strings.Repeat("[", 1e6), "exceeded max depth"},
		"classes":   {`{"schema":"loadstone.model/1","name":"x","processors":1,"classes":[]}`, "classes: none, want at least one class"},
		"class":     {`{"schema":"loadstone.model/1","name":"x","processors":1,"classes":[3]}`, "classes[0]: 3, want a JSON object"},
		"of users":  {`{"schema":"loadstone.population/1","name":"x"}`, `want "loadstone.model/1"; a model of users is read by package model/population`},
		"no class":  {`{"schema":"loadstone.model/1","name":"x","processors":1}`, "classes: missing"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Decode(strings.NewReader(tt.text))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

// What JSON cannot hold, Go can: Validate and Encode refuse it.
func TestEncodeRefuses(t *testing.T) {
	for path, alter := range map[string]func(*Site){
		"classes[0].sizes.serial_share":               lublin(func(l *Lublin) { l.Sizes.SerialShare = math.NaN() }),
		"classes[0].sizes.log2.parameters.high":       lublin(func(l *Lublin) { l.Log2.High = math.Inf(1) }),
		"classes[0].run_times.p_slope":                lublin(func(l *Lublin) { l.RunTimes.PSlope = math.NaN() }),
		"classes[0].run_times.law.max_ln":             lublin(func(l *Lublin) { l.RunTimes.MaxLn = math.Inf(1) }),
		"classes[0].run_times.law.parameters.scale_2": lublin(func(l *Lublin) { l.RunTimes.Law.Second.Scale = math.NaN() }),
		"classes[0].arrivals.arar":                    lublin(func(l *Lublin) { l.Gaps.ARAR = math.NaN() }),
		"classes[0].arrivals.cycle.parameters.shape":  lublin(func(l *Lublin) { l.Cycle.Shape = 0 }),
		"classes[0].jobs":                             func(s *Site) { s.Classes[0].Jobs = -1 },
		"source":                                      func(s *Site) { s.Source = "two\nlines" },
		"schema":                                      func(s *Site) { s.Schema = "" },
	} {
		s := preset(t, Lublin1999)
		alter(&s)
		var b bytes.Buffer
		err := Encode(&b, s)
		var f *FieldError
		if !errors.As(err, &f) || f.Path != path {
			t.Errorf("%s: error %v", path, err)
		}
		if b.Len() > 0 {
			t.Errorf("%s: wrote %d bytes", path, b.Len())
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, name := range Presets() {
		s, err := Preset(name)
		if err != nil {
			f.Fatal(err)
		}
		var b bytes.Buffer
		if err := Encode(&b, s); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	f.Add([]byte(`{"schema":"loadstone.model/1","name":"x","processors":1,"classes":[{"sizes":{"log2":{}}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Decode(bytes.NewReader(data))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := Encode(&b, s); err != nil {
			t.Fatalf("read, but not written: %v", err)
		}
		again, err := Decode(&b)
		if err != nil {
			t.Fatalf("written, but not read: %v", err)
		}
		if diff := cmp.Diff(s, again); diff != "" {
			t.Error(diff)
		}
	})
}

func TestTooManyClasses(t *testing.T) {
	s, err := Preset(Lublin2003)
	if err != nil {
		t.Fatal(err)
	}
	for i := range MaxClasses + 1 {
		c := s.Classes[0]
		c.Name, c.Column, c.Value = "c"+strconv.Itoa(i), "queue_id", int64(i)
		s.Classes = append(s.Classes, c)
	}
	if err := (Site{Schema: s.Schema, Name: s.Name, Processors: s.Processors, Classes: s.Classes[1:]}).Validate(); err == nil || err.Error() != "model: classes: 4097, want at most 4096" {
		t.Error(err)
	}
}
