package dist

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
)

func TestMarshal(t *testing.T) {
	for _, c := range []struct {
		law  Law
		want string
	}{
		{Gamma{4.2, 0.94}, `{"family":"gamma","parameters":{"shape":4.2,"scale":0.94}}`},
		{
			HyperGamma{Gamma{4.2, 0.94}, Gamma{312, 0.03}, 0.78},
			`{"family":"hyper-gamma","parameters":{"shape_1":4.2,"scale_1":0.94,"shape_2":312,"scale_2":0.03,"p":0.78}}`,
		},
		{Ln{Inner: Gamma{4.2, 0.94}, MaxLn: 12}, `{"transform":"ln","family":"gamma","parameters":{"shape":4.2,"scale":0.94},"max_ln":12}`},
		{Ln{Inner: Exponential{2}}, `{"transform":"ln","family":"exponential","parameters":{"mean":2}}`},
		{UniformLog{5.8, 87120}, `{"family":"uniform-log","parameters":{"t_min_s":5.8,"t_max_s":87120}}`},
	} {
		if got, err := Marshal(c.law); err != nil || string(got) != c.want {
			t.Errorf("Marshal(%+v) = %s, %v; want %s", c.law, got, err, c.want)
		}
	}
	if _, err := Marshal(Gamma{math.NaN(), 1}); err == nil {
		t.Error("a distribution with NaN was marshalled")
	}
	if _, err := Marshal(nil); err == nil {
		t.Error("nil was marshalled")
	}
}

// Errors for invalid distributions use the terms of JSON, not of Go.
func TestUnmarshalErrors(t *testing.T) {
	for _, c := range longtest.Rows(`
 | law
[1] | law: saw an array, want an object
{"family": 3, "parameters": {}} | law: family: saw a number, want text in quotes
{"family": "gamma", "parameters": "x"} | law: parameters: saw a string, want an object of numbers
{"family": "gamma", "parametres": {}} | law: unknown field "parametres", want family, parameters, transform, max_ln
{"family":"gamma","parameters":{"shape":1,"scale":2}} x | more data
{"family":"cauchy","parameters":{}} | "cauchy", want one of exponential, gamma,
{"family":"gamma","parameters":{"shape":1}} | gamma: parameter "scale" is missing
{"family":"gamma","parameters":{"shape":1,"scale":null}} | gamma: parameter "scale" is missing
{"family":"gamma"} | gamma: parameter "shape" is missing
{"family":"gamma","parameters":{"shape":1,"scale":2,"rate":3}} | gamma: unknown parameter "rate", want shape, scale
{"family":"gamma","parameters":{"shape":-1,"scale":2}} | gamma: shape is -1, want a finite number above 0
{"family":"gamma","parameters":{"shape":"x","scale":2}} | law: parameters: saw a string, want a number
{"family":"gamma","parameters":{"shape":1e999,"scale":2}} | law
{"family":"hyper-gamma","parameters":{"shape_1":1,"scale_1":1,"shape_2":1,"scale_2":0,"p":0.5}} | hyper-gamma: scale_2 is 0
{"family":"hyper-gamma","parameters":{"shape_1":1,"scale_1":1,"shape_2":1,"scale_2":1,"p":1.5}} | hyper-gamma: p is 1.5, want a number from 0 to 1
{"family":"gamma-mixture","parameters":{"shape_1":1,"scale_1":1}} | gamma-mixture: parameter "p_1" is missing
{"family":"gamma-mixture","parameters":{}} | gamma-mixture: parameter "shape_1" is missing
{"family":"gamma-mixture","parameters":{"shape_1":1,"scale_1":1,"p_1":0.5}} | gamma-mixture: the sum of p_1, p_2, ... is 0.5, want 1
{"family":"gamma-mixture","parameters":{"shape_1":1,"scale_1":1,"p_1":0,"shape_2":1,"scale_2":1,"p_2":1}} | gamma-mixture: p_1 is 0
{"family":"multi-stage-uniform-log","parameters":{"weight_1":1,"t_min_1_s":10}} | parameter "t_max_1_s" is missing
{"family":"multi-stage-uniform-log","parameters":{"weight_1":1,"t_min_1_s":10,"t_max_1_s":20,"t_max_2_s":30}} | parameter "weight_2" is missing
{"family":"multi-stage-uniform-log","parameters":{"weight_1":1,"t_min_1_s":10,"t_max_1_s":9}} | t_max_1_s is 9, want a finite number above t_min_1_s
{"family":"multi-stage-uniform-log","parameters":{"weight_1":1,"t_min_1_s":0,"t_max_1_s":9}} | t_min_1_s is 0
{"family":"multi-stage-uniform-log","parameters":{"weight_1":0.9,"t_min_1_s":1,"t_max_1_s":9}} | the sum of weight_1, weight_2, ... is 0.9, want 1
{"family":"multi-stage-uniform-log","parameters":{"weight_1":0,"t_min_1_s":1,"t_max_1_s":9}} | weight_1 is 0
{"family":"multi-stage-uniform-log","parameters":{}} | parameter "weight_1" is missing
{"family":"weibull","parameters":{"shape":1}} | weibull: parameter "scale" is missing
{"family":"gamma","parameters":{"shape":1,"scale":2},"max_ln":3} | max_ln
{"transform":"ln","family":"gamma","parameters":{"shape":1,"scale":2},"max_ln":0} | ln: max_ln is 0
{"transform":"ln","family":"gamma","parameters":{"shape":1,"scale":2},"max_ln":-3} | ln: max_ln is -3
{"transform":"log2","family":"gamma","parameters":{"shape":1,"scale":2}} | transform is "log2"
`) {
		data, want := c[0], c[1]
		l, err := Unmarshal([]byte(data))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Unmarshal(%s) = %+v, %v; want an error with %q", data, l, err, want)
		}
		if l != nil {
			t.Errorf("Unmarshal(%s) returned %+v beside its error", data, l)
		}
	}
}

func TestJSONField(t *testing.T) {
	type model struct {
		RunTime JSON `json:"run_time"`
		Work    JSON `json:"work"`
	}
	m := model{RunTime: JSON{Ln{Inner: Gamma{4.2, 0.94}, MaxLn: 12}}}
	data := jobtest.Must(json.Marshal(m))
	want := `{"run_time":{"transform":"ln","family":"gamma","parameters":{"shape":4.2,"scale":0.94},"max_ln":12},"work":null}`
	if string(data) != want {
		t.Fatalf("got %s, want %s", data, want)
	}
	var again model
	if err := json.Unmarshal(data, &again); err != nil || again != m {
		t.Fatalf("read back %+v, %v", again, err)
	}
}

func FuzzUnmarshal(f *testing.F) {
	for _, b := range battery {
		data, err := Marshal(b.law)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := Unmarshal(data)
		if err != nil {
			return
		}
		if again, err := roundTrip(l); err != nil || again != l {
			t.Fatalf("%+v came back as %+v, %v", l, again, err)
		}
	})
}

func TestValidate(t *testing.T) {
	for _, c := range longtest.Rows(`
uniform | NaN 1 | low
uniform | -Inf 1 | low
uniform | 0 NaN | high
uniform | 0 0 | high
uniform | 0 Inf | high
two-stage-uniform | NaN 1 2 0.5 | low
two-stage-uniform | 0 NaN 2 0.5 | mid
two-stage-uniform | 0 0 2 0.5 | mid
two-stage-uniform | 0 1 NaN 0.5 | high
two-stage-uniform | 0 1 1 0.5 | high
two-stage-uniform | 0 1 2 NaN | p
two-stage-uniform | 0 1 2 -0.1 | p
uniform-log | NaN 1 | t_min_s
uniform-log | 0 1 | t_min_s
uniform-log | 1 NaN | t_max_s
uniform-log | 1 1 | t_max_s
uniform-log | 1 Inf | t_max_s
exponential | NaN | mean
exponential | 0 | mean
exponential | Inf | mean
gamma | NaN 1 | shape
gamma | 0 1 | shape
gamma | Inf 1 | shape
gamma | 1 NaN | scale
gamma | 1 -1 | scale
hyper-gamma | NaN 1 1 1 0.5 | shape_1
hyper-gamma | 1 1 NaN 1 0.5 | shape_2
hyper-gamma | 1 1 1 NaN 0.5 | scale_2
hyper-gamma | 1 1 1 1 NaN | p
normal | NaN 1 | mean
normal | Inf 1 | mean
normal | 0 NaN | sd
normal | 0 0 | sd
normal | 0 Inf | sd
log-normal | NaN 1 | mu
log-normal | -Inf 1 | mu
log-normal | 0 NaN | sigma
log-normal | 0 -1 | sigma
weibull | NaN 1 | shape
weibull | 0 1 | shape
weibull | 1 NaN | scale
weibull | 1 Inf | scale
pareto | NaN 1 | x_min
pareto | 0 1 | x_min
pareto | 1 NaN | alpha
pareto | 1 0 | alpha
`) {
		i := slices.IndexFunc(Families(), func(f Family) bool { return f.Name == c[0] })
		var p []float64
		for _, x := range strings.Fields(c[1]) {
			value := jobtest.Must(strconv.ParseFloat(x, 64))
			p = append(p, value)
		}
		law, _ := Families()[i].New(p)
		invalid(t, law, c[2])
	}
	nan, inf := math.NaN(), math.Inf(1)
	ok, stage := Gamma{1, 1}, UniformLog{1, 2}
	of := func(stages ...WeightedUniformLog) (m MultiStageUniformLog) {
		copy(m.Components[:], stages)
		return m
	}
	for _, c := range []struct {
		law       Law
		parameter string
	}{
		{GammaMixture{}, "the sum of p_1, p_2, ..."},
		{GammaMixture{[MaxComponents]WeightedGamma{{nan, ok}}}, "p_1"},
		{GammaMixture{[MaxComponents]WeightedGamma{{0.5, ok}, {0.5, Gamma{1, nan}}}}, "scale_2"},
		{GammaMixture{[MaxComponents]WeightedGamma{{1, ok}, {0, ok}}}, "p_2"},
		{of(), "the sum of weight_1, weight_2, ..."}, {of(WeightedUniformLog{-0.5, stage}, WeightedUniformLog{1.5, stage}), "weight_1"},
		{of(WeightedUniformLog{1, UniformLog{nan, 2}}), "t_min_1_s"}, {of(WeightedUniformLog{0.5, stage}, WeightedUniformLog{0.5, UniformLog{1, inf}}), "t_max_2_s"},
		{of(WeightedUniformLog{1, stage}, WeightedUniformLog{0, stage}), "weight_2"},
		{Ln{Inner: Gamma{nan, 1}}, "shape"}, {Ln{Inner: ok, MaxLn: nan}, "max_ln"}, {Ln{Inner: ok, MaxLn: inf}, "max_ln"}, {Ln{Inner: ok, MaxLn: -1}, "max_ln"},
	} {
		invalid(t, c.law, c.parameter)
	}
	for _, l := range []Law{nil, Ln{}, Ln{Inner: Ln{Inner: ok}}} {
		if Validate(l) == nil {
			t.Errorf("Validate(%+v) = nil", l)
		}
	}
	for _, b := range battery {
		if err := Validate(b.law); err != nil {
			t.Errorf("Validate(%+v) = %v", b.law, err)
		}
	}
	if _, err := NewGammaMixture(); err == nil {
		t.Error("a mixture of nothing")
	}
	if _, err := NewGammaMixture(make([]WeightedGamma, MaxComponents+1)...); err == nil {
		t.Error("a mixture of too many")
	}
}

// invalid fails unless l is refused for the given parameter.
func invalid(t *testing.T, l Law, parameter string) {
	t.Helper()
	var e *ParameterError
	if err := Validate(l); !errors.As(err, &e) || e.Parameter != parameter {
		t.Errorf("Validate(%+v) = %v, want an error about %s", l, err, parameter)
	}
	l.Quantile(0.5) // no panic
	l.Rand(rand.New(rand.NewPCG(1, 1)))
	SurvivalGiven(l, 1, 1)
}
