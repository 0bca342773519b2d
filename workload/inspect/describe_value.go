package inspect

import (
	"encoding/json"
	"strconv"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Value is an integer of the job table in decimal. It is "", and null in JSON, for an
// unknown value and for the others of a Breakdown.
type Value string

// MarshalJSON encodes v as a number or null.
func (v Value) MarshalJSON() ([]byte, error) {
	if v == "" {
		return []byte("null"), nil
	}
	return json.Marshal(json.Number(v))
}

// UnmarshalJSON decodes a number; null becomes "".
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
