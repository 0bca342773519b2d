package state

import (
	"math"
	"reflect"
	"testing"
)

type inner struct {
	n     int8
	names []string
}

type sample struct {
	Yes    bool
	count  int64
	size   uint32
	x      float64
	text   string
	values []float64
	counts []int
	raw    []byte
	grid   [2][]inner
	by     map[string]*inner
	none   map[int]int
	next   *sample
	f      func()
	option string `state:"-"`
}

func full() *sample {
	return &sample{
		Yes: true, count: math.MinInt64, size: math.MaxUint32, x: math.Inf(-1), text: "ü", values: []float64{0.1, math.Copysign(0, -1), math.MaxFloat64},
		counts: []int{-1, 0, 63, 64, math.MaxInt32}, raw: []byte{0, 255}, grid: [2][]inner{{{-128, []string{"a", ""}}}, {}},
		by: map[string]*inner{"b": {1, nil}, "a": nil}, none: nil, f: nil, next: &sample{values: []float64{}},
	}
}

func TestRoundTrip(t *testing.T) {
	b := Append(nil, full())
	got := sample{option: "kept", count: 7}
	if err := Decode(b, &got); err != nil {
		t.Fatal(err)
	}
	want := full()
	want.option = "kept"
	if !reflect.DeepEqual(&got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if again := Append(nil, &got); string(again) != string(b) {
		t.Error("written again: other bytes")
	}
}

func TestDecodeDamage(t *testing.T) {
	b := Append(nil, full())
	for n := range b {
		if err := Decode(b[:n], new(sample)); err == nil {
			t.Errorf("%d of %d bytes are read", n, len(b))
		}
	}
	if err := Decode(append(b, 0), new(sample)); err == nil {
		t.Error("a byte too many is read")
	}
	large := Append(nil, &struct{ n int64 }{128})
	if err := Decode(large, new(struct{ n int8 })); err == nil {
		t.Error("128 is read as an int8")
	}
}

func TestShape(t *testing.T) {
	base := Shape(new(struct{ n int }))
	for _, other := range []any{new(struct{ n int64 }), new(struct{ m int }), new(struct{ n, m int }), new(struct{ n []int })} {
		if Shape(other) == base {
			t.Errorf("%T has the shape of a struct with one int, n", other)
		}
	}
}
