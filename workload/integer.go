package workload

import "encoding/json"

// Integer is an int64 that JSON writes as null where it is Unknown, and reads
// back so.
type Integer int64

// Positive returns n, or Unknown where it is not above 0.
func Positive(n int64) Integer {
	if n <= 0 {
		return Integer(Unknown)
	}
	return Integer(n)
}

// Known reports whether there is a number.
func (n Integer) Known() bool { return int64(n) != Unknown }

// IsZero reports whether there is none: encoding/json leaves such fields out
// where they are marked omitzero.
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
