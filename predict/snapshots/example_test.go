package snapshots_test

import (
	"fmt"
	"math"
	"strings"

	"github.com/loadstone-hpc/loadstone/predict/snapshots"
)

// Learn from two days how long jobs still wait in each partition, and predict a third day.
// Predictions are logarithms to the base 10: the mean of a partition is a geometric one.
func Example() {
	m := &snapshots.Mapping{Schema: snapshots.MappingSchema, Name: "example", Time: "t", Answer: "wait", Unit: "s", Group: "partition", Numbers: []string{"cpus"}}
	r := snapshots.NewReader(m)
	const text = `t,partition,cpus,wait
2024-05-01 12:00:00,batch,16,100
2024-05-01 12:00:00,debug,4,10
2024-05-02 12:00:00,batch,64,10000
2024-05-02 12:00:00,debug,4,10
2024-05-03 12:00:00,batch,32,
2024-05-03 12:00:00,debug,1,
`
	if err := r.Read("queued.csv", strings.NewReader(text)); err != nil {
		fmt.Println(err)
		return
	}
	table, err := r.Table()
	if err != nil {
		fmt.Println(err)
		return
	}
	moments := table.Snapshots()
	now := moments[2]
	p := snapshots.NewGroupMeans(0.5)
	if err := p.Learn(append(moments[0], moments[1]...), now[0].Time); err != nil {
		fmt.Println(err)
		return
	}
	out := make([]snapshots.Prediction, len(now))
	p.Predict(now, out)
	for i, row := range now {
		fmt.Printf("%s: %.0f s\n", table.Groups[row.Group], math.Pow(10, out[i].Log))
	}
	// Output:
	// batch: 1000 s
	// debug: 10 s
}
