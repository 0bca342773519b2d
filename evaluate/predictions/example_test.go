package predictions_test

import (
	"fmt"
	"strings"

	"github.com/loadstone-hpc/loadstone/evaluate/predictions"
	"github.com/loadstone-hpc/loadstone/workload/delimited"
)

// Read predicted run times of two predictors. Package evaluate scores such a table.
func ExampleRead() {
	const text = "job_id,predictor,predicted_s\n1,mine,600\n2,mine,90\n1,theirs,300\n2,theirs,120\n"
	rows := delimited.ReadTable("mine.csv", strings.NewReader(text), predictions.Columns())
	table, err := predictions.Read("mine.csv", predictions.OfRunTimes, rows)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range table.Predictors {
		fmt.Println(p.Name, p.Of(0), p.Of(1))
	}
	// Output:
	// mine 600 90
	// theirs 300 120
}
