package model

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// examples returns the presets, and models with every optional form that no preset has.
func examples(t *testing.T) map[string]Site {
	all := map[string]Site{"malleable": preset(t, "downey1997-rigid")}
	for name, f := range map[string]func(*Site, *Class){
		"shares": func(_ *Site, c *Class) { c.Sizes = &SizeTable{[]SizeShare{{1, 0.125}, {7, 0.125}, {128, 0.75}}} },
		"cut":    func(_ *Site, c *Class) { c.RunTimes.(*GammaRunTimes).Law.MaxLn = 9.5 },
		"one distribution": func(_ *Site, c *Class) {
			c.RunTimes = &LawRunTimes{First: Law{dist.Weibull{Shape: 0.5, Scale: 100}}, MaxSeconds: 5000}
		},
		"ln, one distribution": func(_ *Site, c *Class) {
			c.RunTimes = &LawRunTimes{First: Law{dist.Ln{Inner: dist.Gamma{Shape: 9, Scale: 1}, MaxLn: 12}}}
		},
		"arrivals": func(_ *Site, c *Class) {
			c.Arrivals = Arrivals{Method: SlotWeights, Interarrival: Law{dist.LogNormal{Mu: 3, Sigma: 1}}, MaxSeconds: 5e4, Day: preset(t, Downey1997).Classes[0].Arrivals.Day, Week: &[Weekdays]float64{0, 1.5, 1.5, 1, 1, 1, 1}}
		},
		"optional parts": func(s *Site, c *Class) {
			c.RunTimes.(*GammaRunTimes).Line = Line{0.75, -0.25}
			c.Arrivals.Method, c.Arrivals.Week = ExpectedInterarrival, &[Weekdays]float64{0.25, 1.5, 1.5, 1.25, 1.25, 1, 0.25}
			s.Users = &Users{Count: 3}
			s.Checked = &Check{About: "b", Estimates: "user", Jobs: 1000, LogWait: 7200, Seeds: 5, Wait: 10800, WaitMin: 6480, WaitMax: 17280}
		},
		"tsafrir": func(_ *Site, c *Class) { c.Estimates = &TsafrirEstimates{64800} },
		"log": func(_ *Site, c *Class) {
			c.Estimates = &LogEstimates{Bins: []LogEstimate{
				{Time: 120, Accuracy: [AccuracyCells]int64{10: 10, 15: 5, 29: 5}},
				{Time: 1000.5, Accuracy: [AccuracyCells]int64{10: 40, 20: 40}},
			}}
		},
	} {
		s := preset(t, Lublin2003)
		f(&s, &s.Classes[0])
		all[name] = s
	}
	for _, name := range Presets() {
		all[name] = preset(t, name)
	}
	return all
}

// Each form is read as it was written, and a preset's file is what Encode writes.
func TestRoundTrip(t *testing.T) {
	for name, s := range examples(t) {
		text, err := s.Encode()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got, err := Decode("x", text); err != nil || !cmp.Equal(s, got) {
			t.Errorf("%s: %v %s", name, err, cmp.Diff(s, got))
		}
		if file := PresetFile(name); file != nil && string(file) != string(text) {
			t.Errorf("%s: %s", name, cmp.Diff(string(file), string(text)))
		}
	}
	if _, err := Preset("lublin"); err == nil || !strings.Contains(err.Error(), Lublin1999Untyped) {
		t.Errorf("unknown preset: %v", err)
	}
}

// An error in a file has the file's name, the line and the path, and states what is expected.
// Each case alters one piece of a model's file, in which ↵ is the end of a line.
func TestDecodeFaults(t *testing.T) {
	all := examples(t)
	for _, c := range longtest.Rows(`
lublin1999 | "loadstone.model/1" | "loadstone.model/2" | x:2: schema: saw "loadstone.model/2", want one of loadstone.model/1
lublin1999 | "name": "lublin1999" | "name": "x", "colour": 1 | x:3: colour: saw an unknown key
lublin1999 | "processors": 128 | "processors": 0 | x:5: processors: saw 0, want 1 to 16777216
lublin1999 | "processors": 128 | "processors": 128, "processors": 64 | x:5: processors: saw the key a second time
lublin1999 | "processors": 128 | "processors": null | x:5: processors: saw nothing
lublin1999 | "serial_share": 0.1541 | "serial_share": 1.01 | x:12: classes[0].sizes.serial_share: saw 1.01, want 0 to 1
lublin1999 | "serial_share": 0.1541, |  | classes[0].sizes.serial_share: saw nothing
lublin1999 | "serial_share": 0.1541 | "serial_share": 0.1541, "smallest": 129 | classes[0].sizes.smallest: saw 129
lublin1999 | "serial_share": 0.1541 | "serial_share": 0.1541, "smallest": 8, "largest": 7 | classes[0].sizes.largest: saw 7
lublin1999 | "serial_share": 0.1541 | "serial_share": 0.1541, "smallest": 5, "largest": 7 | classes[0].sizes.power_of_two_share: saw
lublin1999 | "scale": 3.668 | "scale": -1 | classes[0].arrivals.cycle.parameters.scale: saw -1
lublin1999 | "slot-weights" | "expected-interarrival", "mean_s": 60 | classes[0].arrivals.mean_s: saw a mean with method
lublin1999 | "name": "interactive" | "name": "interactive", "jobs": -1 | classes[0].jobs: saw -1
lublin1999 | "mid": 3 | "mid": 0.5 | x:18: classes[0].sizes.log2.parameters.mid: saw 0.5, want
lublin1999 | "mid": 3 | "mid": null | classes[0].sizes.log2: two-stage-uniform: parameter "mid" is missing
lublin1999 | "mid": 3 | "mid": 3, "mid": 4 | classes[0].sizes.log2: yaml: unmarshal errors: line 18: mapping key "mid" already defined
lublin1999 | "low": 1, | "low": -2, | classes[0].sizes.log2: saw sizes from 2^-2 to 2^5.5, want low and high from -1 to 40
lublin1999 | "family": "two-stage-uniform" | "family": "uniform" | classes[0].sizes.log2: uniform: unknown parameter "mid"
lublin1999 | "shape_1": 3.8351 | "shape_1": -3 | classes[0].run_times.law.parameters.shape_1: saw -3, want
lublin1999 | "shape_1": 3.8351 | "shape_1": 1e24 | classes[0].run_times.law.parameters.shape_1: saw 1e+24, want a number above 0, at most 1e+09
lublin1999 | "transform": "ln", |  | classes[0].run_times.law: law: max_ln is given without
lublin1999 | },↵          "max_ln": 12 | } | classes[0].run_times.law.max_ln: saw 0, want a number above 0, at most 30
lublin1999 | "column": "queue_id",↵      "value": 0, |  | classes[0].column: saw nothing, want one of queue_id, partition_id
lublin1999 | "column": "queue_id",↵      "value": 1 | "column": "user_id", "value": 1 | classes[1].column: saw "user_id", want "queue_id", as in classes[0]
lublin1999 | "p_slope": -0.0118 | "p_slope": -1.5 | classes[0].run_times.p_slope: saw -1.5, want -1 to 1
lublin1999 | "max_ln": 12 | "max_ln": 0.01 | classes[0].run_times.law.max_ln: saw 0.01, below which lies
lublin1999 | "max_ln": 13 | "max_ln": 31 | classes[0].arrivals.peak.max_ln: saw 31, want a number above 0, at most 30
lublin1999 | "slot-weights" | "weights" | classes[0].arrivals.method: saw "weights", want one of slot-weights, expected-interarrival
lublin1999 | "scale": 3.668 | "scale": 1e-6 | classes[0].arrivals.cycle: saw a Gamma distribution of mean 8.9186e-06 without mass
lublin1999 | "column": "queue_id" | "column": "status" | classes[0].column: saw "status", want one of queue_id, partition_id
lublin1999 | "value": 0, |  | classes[0].value: saw nothing, want 0 or more
lublin1999 | "value": 1 | "value": 0 | classes[1].value: saw 0, want a value that no other class has
lublin1999 | "name": "batch" | "name": "interactive" | classes[1].name: saw "interactive", want a name that no other class has
lublin1999 | "processors": 128, | "processors": 128 | x:5: saw a text that is not YAML
shares | "share": 0.75 | "share": 0.5 | classes[0].sizes.shares: saw 3 shares with sum 0.75, want at most 65536 with sum 1
shares | "size": 128 | "size": 129 | classes[0].sizes.shares[2].size: saw 129, want a whole number above the row before it, at most the 128
shares | "share": 0.75 | "share": 0 | classes[0].sizes.shares[2].share: saw 0, want a number above 0, at most 1
shares | "size": 128 | "size": 7 | classes[0].sizes.shares[2].size: saw 7
shares | "shares": [ | "serial_share": 0.5, "shares": [ | classes[0].sizes.serial_share: saw an unknown key, want one of shares
one distribution | "max_s": 5000 | "max_s": 1e-9 | classes[0].run_times.max_s: saw 1e-09, below which lies
one distribution | "family": "weibull" | "family": "cauchy" | classes[0].run_times.first: law
arrivals | "method": "slot-weights" | "method": "expected-slots" | classes[0].arrivals.method: saw expected-slots, want slot-weights or stationary where the distribution is of seconds
arrivals | "day": [2 | "day": [3 | classes[0].arrivals.day: saw weights with mean 1.02
arrivals | "week": [0,  | "week": [ | classes[0].arrivals.week: saw a list of 6, want one of 7
arrivals | "week": [0 | "week": [-1 | classes[0].arrivals.week[0]: saw -1, want 0 to 7
malleable | "t_min_s": 1, | "t_min_s": 0.5, | classes[0].malleable.average_parallelism: saw a distribution with
malleable | "low": 0 | "low": -1 | classes[0].malleable.sigma: saw a uniform distribution with
malleable | "arrivals": { | "run_times": {"first": 1}, "arrivals": { | classes[0].run_times.first
optional parts | "users": { | "users": null, "x": { | users: saw nothing, want keys and values
optional parts | "count": 3 | "count": 0 | users.count: saw 0, want 1 to 100000
optional parts | "wait_median_s": 10800 | "wait_median_s": 20000 | check.wait_median_s: saw 20000, want 6480 to 17280
tsafrir | "max_s" | "max" | classes[0].estimates.max: saw an unknown key, want one of max_s,
tsafrir | {↵        "max_s": 64800↵      } | {} | classes[0].estimates: saw none of the keys that identify its form, want max_s or bins
lublin1999 | "log2" | "log" | x:14: classes[0].sizes.log: saw an unknown key, want one of serial_share, power_of_two_share, log2, smallest, largest, shares; did you mean log2?
lublin1999 | "serial_share": 0.1541 | "serial_share": 0.1541, "shares": [] | classes[0].sizes: saw log2 and shares, want either log2 or shares
lublin1999 | "p_slope": -0.0118 | "p_slope": -0.0118, "first": 1 | classes[0].run_times: saw law and first, want either law or first
tsafrir | "max_s": 64800 | "max_s": 64800.5 | classes[0].estimates.max_s: saw "64800.5", want a whole number
log | "time_s": 120 | "time_s": 1001 | classes[0].estimates.bins[1].time_s: saw 1000.5, want distinct times in ascending order
`) {
		form, old, replacement, want := c[0], strings.ReplaceAll(c[1], "↵", "\n"), c[2], c[3]
		s := all[form]
		text, err := s.Encode()
		if err != nil {
			t.Fatal(err)
		}
		altered := strings.Replace(string(text), old, replacement, 1)
		if altered == string(text) {
			t.Fatalf("%q is not in the file:\n%s", old, text)
		}
		_, err = Decode("x", []byte(altered))
		if !errors.As(err, new(*workload.InputError)) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s, %s:\n got %v\nwant %s", form, replacement, err, want)
		}
	}
	for text, want := range map[string]string{
		"": "an empty file", "[]": "x:1: saw a list, want keys and values", "; Version: 2.2\n": "x:1: ; Version: saw an unknown key, want one of schema, name", "\x00\x01PAR1": "x", "{\"schema\": \"loadstone.model/1\", \"cl": "not YAML",
		`{"schema":"loadstone.model/1","name":"x","processors":1}`: "classes: saw nothing", strings.Repeat("[", 1e5): "not YAML",
	} {
		if _, err := Decode("x", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %s", text, err, want)
		}
	}
}

// Values that a file cannot contain, or that no fit makes, are possible in Go: they are refused
// with their path, and not written.
func TestValidate(t *testing.T) {
	for path, alter := range map[string]func(*Site, *Class){
		"classes[0].sizes.serial_share":               func(_ *Site, c *Class) { c.Sizes.(*TwoStageSizes).SerialShare = math.NaN() },
		"classes[0].sizes.log2.parameters.high":       func(_ *Site, c *Class) { c.Sizes.(*TwoStageSizes).Log2.High = math.Inf(1) },
		"classes[0].run_times.p_slope":                func(_ *Site, c *Class) { c.RunTimes.(*GammaRunTimes).PSlope = math.NaN() },
		"classes[0].run_times.law.max_ln":             func(_ *Site, c *Class) { c.RunTimes.(*GammaRunTimes).Law.MaxLn = math.Inf(1) },
		"classes[0].run_times.law.parameters.scale_2": func(_ *Site, c *Class) { c.RunTimes.(*GammaRunTimes).Law.Second.Scale = math.NaN() },
		"classes[0].arrivals.arar":                    func(_ *Site, c *Class) { c.Arrivals.ARAR = math.NaN() },
		"classes[0].sizes":                            func(_ *Site, c *Class) { c.Sizes = nil },
		"classes[0].run_times":                        func(_ *Site, c *Class) { c.RunTimes = nil },
		"classes[0].run_times.law":                    func(_ *Site, c *Class) { c.RunTimes = new(GammaRunTimes) },
		"classes[0].column":                           func(s *Site, c *Class) { s.Users, c.Column = &Users{1}, "user_id" },
		"classes[0].malleable":                        func(s *Site, c *Class) { c.Malleable = preset(t, Downey1997).Classes[0].Malleable },
		"classes[1].column":                           func(s *Site, _ *Class) { s.Classes[1].Column, s.Classes[1].Value = "", 0 },
		"classes[0].estimates.bins[1].accuracy":       func(_ *Site, c *Class) { c.Estimates = &LogEstimates{[]LogEstimate{estimate(60, 1), estimate(120, 0)}} },
		"classes[0].estimates.bins": func(_ *Site, c *Class) {
			c.Estimates = &LogEstimates{[]LogEstimate{estimate(60, 1), estimate(120, 1e12)}}
		},
		"schema": func(s *Site, _ *Class) { s.Schema = "" },
	} {
		s := preset(t, Lublin1999)
		alter(&s, &s.Classes[0])
		text, err := s.Encode()
		var fault *workload.OptionError
		if !errors.As(err, &fault) || fault.Option != path || text != nil {
			t.Errorf("%s: error %v, %d bytes", path, err, len(text))
		}
	}
}

// Classes that no column distinguishes lack a column, including the first class.
func TestClassesWithoutColumn(t *testing.T) {
	s := preset(t, Lublin1999)
	for i := range s.Classes {
		s.Classes[i].Column, s.Classes[i].Value = "", 0
	}
	const want = "classes[0].column: nothing, want one of queue_id, partition_id, "
	if err := s.Validate(); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

// estimate returns an estimate with the given number of jobs.
func estimate(time float64, jobs int64) LogEstimate {
	return LogEstimate{Time: time, Accuracy: [AccuracyCells]int64{3: jobs}}
}

func FuzzDecode(f *testing.F) {
	for _, name := range Presets() {
		f.Add(PresetFile(name))
	}
	f.Add([]byte(`{"schema":"loadstone.model/1","name":"x","processors":1,"classes":[{"sizes":{"log2":{}}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Decode("x", data)
		if err != nil {
			return
		}
		text, err := s.Encode()
		if err != nil {
			t.Fatalf("read, but not written: %v", err)
		}
		if again, err := Decode("x", text); err != nil || !cmp.Equal(s, again) {
			t.Fatalf("written, but not read: %v %s", err, cmp.Diff(s, again))
		}
	})
}
