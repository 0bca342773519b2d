package workload

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// The manual's two tables of columns are this table.
func TestColumnsInManual(t *testing.T) {
	text, err := os.ReadFile("../docs/reference/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	var want [2]strings.Builder
	for i := range columns {
		c := &columns[i]
		part := &want[0]
		if i >= FirstOptional {
			part = &want[1]
		}
		fmt.Fprintf(part, "| %s | %s | %s |\n", c.Name, c.Unit, c.Meaning)
	}
	for i := range want {
		if !strings.Contains(string(text), "|---|---|---|\n"+want[i].String()+"\n") {
			t.Errorf("docs/reference/formats.md lacks the rows\n%s", want[i].String())
		}
	}
}
