package inspect

import (
	"encoding/json"
	"strconv"
	"strings"

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

// JSONShape returns the type that the JSON has: a whole number or null.
func (Value) JSONShape() any { return (*int64)(nil) }

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
		case v.Class:
			v.Text = named(v.Name, h)
		case err != nil: // a value that is no whole number
		case b.Column == "status":
			v.Name = workload.Status(n).Name()
		default:
			v.Name = names[n]
		}
	}
}

// named returns the label of a class of several columns, such as "user_id=1, queue_id=2",
// with the names of the values behind their numbers; "" if none has a name.
func named(label string, h *workload.Header) string {
	cells := strings.Split(label, ", ")
	some := false
	for i, cell := range cells {
		column, value, _ := strings.Cut(cell, "=")
		n, err := strconv.ParseInt(value, 10, 64)
		name := h.NamesOf(column)[n]
		if column == "status" {
			name = workload.Status(n).Name()
		}
		if err == nil && name != "" {
			cells[i], some = cell+" "+name, true
		}
	}
	if !some {
		return ""
	}
	return strings.Join(cells, ", ")
}
