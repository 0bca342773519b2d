package dist

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// benched are the laws whose speed matters to fits and generators.
var benched = []Law{
	UniformLog{3.254, 128841},
	Gamma{4.2, 0.94},
	Gamma{639.1, 0.0156},
	HyperGamma{Gamma{4.2, 0.94}, Gamma{312, 0.03}, 0.78},
	Ln{Inner: HyperGamma{Gamma{4.2, 0.94}, Gamma{312, 0.03}, 0.78}, MaxLn: 12},
}

func benchLaws(b *testing.B, f func(b *testing.B, l Law)) {
	for _, l := range benched {
		name := fmt.Sprintf("law=%s", FamilyOf(l))
		if g, ok := l.(Gamma); ok {
			name += fmt.Sprintf("/shape=%g", g.Shape)
		}
		if _, ok := l.(Ln); ok {
			name = "law=ln-" + FamilyOf(l)
		}
		b.Run(name, func(b *testing.B) { f(b, l) })
	}
}

func BenchmarkLogPDF(b *testing.B) {
	benchLaws(b, func(b *testing.B, l Law) {
		for b.Loop() {
			l.LogPDF(9)
		}
	})
}

func BenchmarkLogDensity(b *testing.B) {
	benchLaws(b, func(b *testing.B, l Law) {
		f := LogDensity(l)
		for b.Loop() {
			f(9)
		}
	})
}

func BenchmarkGammaDensity(b *testing.B) {
	d := NewGammaDensity(Gamma{4.2, 0.94})
	b.Run("logarithm=computed", func(b *testing.B) {
		for b.Loop() {
			d.LogPDF(9)
		}
	})
	b.Run("logarithm=given", func(b *testing.B) {
		for b.Loop() {
			d.At(9, 2.2)
		}
	})
}

func BenchmarkCDF(b *testing.B) {
	benchLaws(b, func(b *testing.B, l Law) {
		for b.Loop() {
			l.CDF(9)
		}
	})
}

func BenchmarkQuantile(b *testing.B) {
	benchLaws(b, func(b *testing.B, l Law) {
		for b.Loop() {
			l.Quantile(0.3)
		}
	})
}

func BenchmarkRand(b *testing.B) {
	benchLaws(b, func(b *testing.B, l Law) {
		rng := rand.New(rand.NewPCG(1, 2))
		for b.Loop() {
			l.Rand(rng)
		}
	})
}
