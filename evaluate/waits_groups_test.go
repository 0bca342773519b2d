package evaluate

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// A bound depends only on the jobs of its own group: jobs of sizes 1, 4, 5 and 9 always wait 10,
// 40, 50 and 90 s, and are in queues 1 to 4. The bound that covers 60 % of the waits is the
// longer of a group's two waits, and the third of all four.
func TestWaitsGroups(t *testing.T) {
	var b strings.Builder
	b.WriteString("; MaxProcs: 16\n; Queue: 1 q1s\n; Queue: 2 q4s\n; Queue: 3 q5l\n; Queue: 4 q9l\n")
	sizes := []int{1, 4, 5, 9}
	for i := range 1600 {
		n := sizes[i%4]
		fmt.Fprintf(&b, "%d %d %d 1 %d -1 -1 %d 400 -1 1 7 1 1 %d 1 -1 -1\n", i+1, 1000*i, 10*n, n, n, 1+i%4)
	}
	named := []workload.NamedClass{{Name: "short", Values: []string{"q*s"}}}
	for _, c := range []struct {
		groups []string
		want   map[string]float64 // bounds of the groups, s
	}{
		{[]string{"size:4"}, map[string]float64{"size<=4": 40, "size>4": 90}},
		{[]string{"size:1:8"}, map[string]float64{"size<=1": 10, "size=2-8": 50, "size>8": 90}},
		{[]string{"class"}, map[string]float64{"short": 40, "other": 90}},
		{[]string{"all"}, map[string]float64{"all": 50}},
		{nil, map[string]float64{"1-4": 40, "5-16": 90}},
	} {
		got := map[string]float64{}
		_, err := Waits(context.Background(), open(t, b.String()), WaitsOptions{
			Predictors: []string{"bmbp"}, Groups: c.groups, Named: named, Quantile: .6, Confidence: .9,
			Predicted: func(p WaitPrediction) error {
				got[p.Group] = p.Seconds // the last bound, from the longest history
				return nil
			},
		})
		if err != nil || !maps.Equal(got, c.want) {
			t.Errorf("%v: %v %v, want %v", c.groups, err, got, c.want)
		}
	}
}
