package inspect

import (
	"encoding/json"
	"strconv"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Value is a number as text, as the table has it; "" where it is unknown, and for the
// others of a Breakdown, which JSON has as null.
type Value string

// MarshalJSON writes the number, or null.
func (v Value) MarshalJSON() ([]byte, error) {
	if v == "" {
		return []byte("null"), nil
	}
	return json.Marshal(json.Number(v))
}

// UnmarshalJSON reads a number; null is "".
func (v *Value) UnmarshalJSON(text []byte) error {
	var n *json.Number
	if err := json.Unmarshal(text, &n); err != nil {
		return err
	}
	*v = ""
	if n != nil {
		*v = Value(*n)
	}
	return nil
}

// name gives the values the names that the header, or the format, has for them.
func (b *Breakdown) name(h *workload.Header) {
	names := h.NamesOf(b.Column)
	for i := range b.Values {
		v := &b.Values[i]
		n, err := strconv.ParseInt(string(v.Value), 10, 64)
		switch {
		case err != nil: // a class, or a value that is no whole number
		case b.Column == "status":
			v.Name = workload.Status(n).Name()
		default:
			v.Name = names[n]
		}
	}
}
