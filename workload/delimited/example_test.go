package delimited_test

import (
	"fmt"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/delimited"
)

// Read two columns of a table by name, in any order. Other columns are skipped, and an empty field
// is NaN.
func ExampleReadTable() {
	const text = "host,user,hours\nn1,ann,1.5\nn2,bob,\n"
	columns := []workload.TableColumn{
		{Name: "hours", Kind: workload.TableNumber},
		{Name: "user", Kind: workload.TableText},
	}
	for rows, err := range delimited.ReadTable("hours.csv", strings.NewReader(text), columns) {
		if err != nil {
			fmt.Println(err)
			return
		}
		for i := range rows.Rows {
			fmt.Println(rows.Columns[1].TextAt(i), rows.Columns[0].Number[i])
		}
	}
	// Output:
	// ann 1.5
	// bob NaN
}
