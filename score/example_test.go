package score_test

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Score predicted run times. A job without a prediction lowers the coverage only.
func ExampleRunTimeTally() {
	var tally score.RunTimeTally
	tally.Add(100, 200) // accuracy 1/2
	tally.Add(300, 300) // accuracy 1
	tally.Add(900, 600) // accuracy 2/3
	tally.Add(math.NaN(), 50)
	s := tally.Result()
	fmt.Printf("%d of %d jobs predicted, accuracy %.3f, mean error %.0f s\n",
		s.Predicted, s.Jobs, s.AccuracyMean, s.AbsoluteErrorMean)
	// Output:
	// 3 of 4 jobs predicted, accuracy 0.722, mean error 133 s
}

// Score a schedule of two jobs on 4 processors. Bounded slowdown is the time from
// submission to end over the run time, which counts as 10 s or more.
func ExampleScheduleTally() {
	tally := score.ScheduleTally{Processors: 4}
	for _, wait := range []float64{0, 100} {
		j := workload.UnknownJob()
		j.Submit, j.Wait, j.Run, j.Size = 0, wait, 100, 2
		tally.Add(&j)
	}
	s := tally.Result()
	fmt.Printf("mean wait %g s, bounded slowdown %g, utilisation %g\n", s.Wait.Mean, s.BoundedSlowdown.Mean, s.Utilisation)
	// Output:
	// mean wait 50 s, bounded slowdown 1.5, utilisation 0.5
}

// Compare two workloads, attribute by attribute: here the second has all run times doubled.
func ExampleCompare() {
	a := score.NewProfile(score.ProfileOptions{Name: "a"})
	b := score.NewProfile(score.ProfileOptions{Name: "b"})
	for i := range 100 {
		j := workload.UnknownJob()
		j.Submit, j.Run, j.Size = float64(600*i), float64(60*(i%10+1)), 4
		a.Add(&j)
		j.Run *= 2
		b.Add(&j)
	}
	for _, c := range score.Compare(a, b).Attributes {
		if c.Why == "" {
			fmt.Printf("%s: medians %g and %g, distance D %.2f\n", c.Name, c.A.Median, c.B.Median, c.D)
		}
	}
	// Output:
	// run_time_s: medians 330 and 660, distance D 0.50
	// size_processors: medians 4 and 4, distance D 0.00
	// work_processor_s: medians 1320 and 2640, distance D 0.50
	// interarrival_s: medians 600 and 600, distance D 0.00
}
