package allocate

import (
	"fmt"
	"testing"
)

// BenchmarkStudy is 120 days, both sides of one strategy, on one core.
func BenchmarkStudy(b *testing.B) {
	jobs, err := PaperWorkload().Jobs(1)
	if err != nil {
		b.Fatal(err)
	}
	for _, s := range Strategies()[:5] {
		b.Run(fmt.Sprintf("strategy=%s/jobs=%d", s.Name, len(jobs)), func(b *testing.B) {
			study := Study{Machine: paperMachine(), Strategies: []Strategy{s}, Workers: 1}
			for b.Loop() {
				if _, err := study.Run(jobs); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkReplicate is all strategies on 20 seeds of 120 days, on all cores.
func BenchmarkReplicate(b *testing.B) {
	study := Study{Machine: paperMachine(), Strategies: Strategies()}
	b.Run("seeds=20", func(b *testing.B) {
		for b.Loop() {
			if _, err := study.Replicate(PaperWorkload(), 1, 20, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkTune is a search of all 720 points on 30 days.
func BenchmarkTune(b *testing.B) {
	jobs, err := short(30).Jobs(1)
	if err != nil {
		b.Fatal(err)
	}
	b.Run(fmt.Sprintf("points=720/jobs=%d", len(jobs)), func(b *testing.B) {
		for b.Loop() {
			if _, err := paperMachine().Tune([][]Job{jobs}, DefaultGrid(), 0, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}
