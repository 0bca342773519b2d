package stats

import (
	"encoding/json"
	"math"
)

// Number is a float64 that is null in JSON if it is NaN or infinite; null is read as NaN.
// Results use it for quantities that may be undefined, such as the mean of no jobs.
type Number float64

// MarshalJSON encodes the number, or null if it is not finite.
func (n Number) MarshalJSON() ([]byte, error) {
	x := float64(n)
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return []byte("null"), nil
	}
	return json.Marshal(x)
}

// UnmarshalJSON decodes a number; null becomes NaN.
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

// Share is a fraction in [0, 1] that is a percentage in JSON, null if it is NaN or infinite.
type Share float64

// Percent returns the share as a percentage.
func (s Share) Percent() float64 { return 100 * float64(s) }

// MarshalJSON encodes the share as a percentage.
func (s Share) MarshalJSON() ([]byte, error) { return Number(s.Percent()).MarshalJSON() }

// UnmarshalJSON decodes a percentage; null becomes NaN.
func (s *Share) UnmarshalJSON(text []byte) error {
	var pct Number
	err := pct.UnmarshalJSON(text)
	*s = Share(pct / 100)
	return err
}
