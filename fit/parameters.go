package fit

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/stats"
)

// Parameters are the parameters of a law in the order in which they are
// published. In JSON they are an object in that order; a value that is not
// finite is null.
type Parameters []dist.Parameter

// MarshalJSON encodes the parameters as an object, in order.
func (p Parameters) MarshalJSON() ([]byte, error) {
	fields := make([]string, len(p))
	for i, q := range p {
		value, err := json.Marshal(stats.Number(q.Value))
		if err != nil {
			return nil, err
		}
		fields[i] = fmt.Sprintf("%q:%s", q.Name, value)
	}
	return []byte("{" + strings.Join(fields, ",") + "}"), nil
}

// JSONShape returns a value of the type that corresponds to the JSON.
func (Parameters) JSONShape() any { return map[string]stats.Number{} }
