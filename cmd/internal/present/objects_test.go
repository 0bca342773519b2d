package present

import (
	"math"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/stats"
)

// TestObjects: the names and their order are the columns', text is not escaped for
// HTML, and a number without a value is null.
func TestObjects(t *testing.T) {
	type row struct {
		name string
		x    float64
	}
	columns := []Column[row]{
		Text("name", "", func(r row) string { return r.name }),
		Float("x_s", "", func(r row) stats.Number { return stats.Number(r.x) }, nil),
	}
	list := Objects("loadstone.test/1", "rows", columns, []row{{"a < \"b\"", 1.5}, {"c", math.NaN()}})
	var b strings.Builder
	if err := (Result{JSON: list}).Write(&b, "json"); err != nil {
		t.Fatal(err)
	}
	want := `{
  "schema": "loadstone.test/1",
  "rows": [
    {
      "name": "a < \"b\"",
      "x_s": 1.5
    },
    {
      "name": "c",
      "x_s": null
    }
  ]
}
`
	if b.String() != want {
		t.Errorf("%s, want %s", &b, want)
	}
}
