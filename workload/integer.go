package workload

import "encoding/json"

// Integer is an int64 that is null in JSON if it is Unknown.
type Integer int64

// Positive returns n if it is above 0, else Unknown.
func Positive(n int64) Integer {
	if n <= 0 {
		return Integer(Unknown)
	}
	return Integer(n)
}

// Known reports whether n is not Unknown.
func (n Integer) Known() bool { return int64(n) != Unknown }

// IsZero reports whether n is Unknown: encoding/json omits such fields if they are marked
// omitzero.
func (n Integer) IsZero() bool { return !n.Known() }

// MarshalJSON writes the number, or null.
func (n Integer) MarshalJSON() ([]byte, error) {
	if !n.Known() {
		return []byte("null"), nil
	}
	return json.Marshal(int64(n))
}

// UnmarshalJSON reads a number; null is Unknown.
func (n *Integer) UnmarshalJSON(text []byte) error {
	x := new(int64)
	if err := json.Unmarshal(text, &x); err != nil {
		return err
	}
	*n = Integer(Unknown)
	if x != nil {
		*n = Integer(*x)
	}
	return nil
}
