package present

import (
	"bytes"
	"encoding/json"

	"github.com/loadstone-hpc/loadstone/stats"
)

// Objects returns the JSON of rows that are no library's result: a schema and, under
// a name, an object a row with the columns' names, in their order.
func Objects[T any](schema, name string, columns []Column[T], rows []T) json.Marshaler {
	return objects(func(o *object) {
		o.field("schema", schema)
		all := make([]json.Marshaler, len(rows))
		for i, row := range rows {
			all[i] = objects(func(o *object) {
				for _, c := range columns {
					if c.number != nil {
						o.field(c.Name, stats.Number(c.number(row)))
					} else {
						o.field(c.Name, c.exact(row))
					}
				}
			})
		}
		o.field(name, all)
	})
}

// objects is an object by what adds its fields.
type objects func(*object)

// MarshalJSON writes the fields in the order in which they are added.
func (f objects) MarshalJSON() ([]byte, error) {
	o := object{}
	o.text.WriteByte('{')
	f(&o)
	o.text.WriteByte('}')
	return o.text.Bytes(), o.err
}

// object is the text of an object so far.
type object struct {
	text bytes.Buffer
	err  error
}

func (o *object) field(name string, value any) {
	for i, x := range []any{name, value} {
		if i == 1 {
			o.text.WriteByte(':')
		} else if o.text.Len() > 1 {
			o.text.WriteByte(',')
		}
		e := json.NewEncoder(&o.text)
		e.SetEscapeHTML(false)
		if err := e.Encode(x); err != nil && o.err == nil {
			o.err = err
		}
	}
}
