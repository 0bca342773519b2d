package conformal_test

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/predict/conformal"
	"github.com/loadstone-hpc/loadstone/workload"
)

// longest is a fallback that answers with the longest wait so far.
type longest struct{ wait float64 }

func (l *longest) Bounds(_ *workload.Request, bounds []float64) []float64 {
	return append(bounds, l.wait)
}
func (l *longest) Learn(_ *workload.Request, wait float64, _ []float64) {
	l.wait = max(l.wait, wait)
}

// Bound waits at one quantile while a machine is followed: ask at each submission, and tell
// of submissions, starts and ends. The forest answers when it has learned enough waits.
// Here large jobs wait for 1000 s and more, small ones for less than 60 s.
func Example() {
	p, err := conformal.New(conformal.Options{
		Quantiles: []float64{0.9}, Confidence: 0.95,
		Fallback: func([]float64, float64) (conformal.Fallback, error) { return &longest{wait: math.NaN()}, nil },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range 1500 {
		j := workload.UnknownJob()
		j.ID, j.Row, j.Submit, j.User = int64(i+1), int64(i), float64(3600*i), 1
		j.Size, j.Wait, j.Run = 1, float64(i*7%60), 60
		if i%3 == 0 {
			j.Size, j.Wait = 64, float64(1000+i*7%60)
		}
		bound := p.Bounds(j.Request)[0]
		p.Submit(j.Request)
		p.Start(&j)
		p.End(j.Row, j.End())
		if i >= 1497 {
			fmt.Printf("%d processors: bound above 1000 s: %v\n", j.Size, bound > 1000)
		}
	}
	// Output:
	// 64 processors: bound above 1000 s: true
	// 1 processors: bound above 1000 s: false
	// 1 processors: bound above 1000 s: false
}
