package stats

import (
	"encoding/json"
	"math"
)

// Number is a float64 that JSON writes as null where it is NaN or infinite, and
// reads back as NaN. Results have it where a quantity may have no value: a mean
// of no jobs, say.
type Number float64

// MarshalJSON writes the number, or null where it is not finite.
func (n Number) MarshalJSON() ([]byte, error) {
	x := float64(n)
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return []byte("null"), nil
	}
	return json.Marshal(x)
}

// UnmarshalJSON reads a number; null is NaN.
func (n *Number) UnmarshalJSON(text []byte) error {
	x := new(float64)
	if err := json.Unmarshal(text, &x); err != nil {
		return err
	}
	if x == nil {
		*n = Number(math.NaN())
		return nil
	}
	*n = Number(*x)
	return nil
}

// Share is a share in [0, 1] that JSON has in per cent; null where it is NaN or
// infinite.
type Share float64

// MarshalJSON writes the share in per cent.
func (s Share) MarshalJSON() ([]byte, error) { return Number(100 * float64(s)).MarshalJSON() }

// UnmarshalJSON reads per cent; null is NaN.
func (s *Share) UnmarshalJSON(text []byte) error {
	var pct Number
	err := pct.UnmarshalJSON(text)
	*s = Share(pct / 100)
	return err
}
