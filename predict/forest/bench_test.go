package forest

import "testing"

func BenchmarkTrain(b *testing.B) {
	t := made(20_000, 30, 1)
	for b.Loop() {
		if _, err := Train(t, Options{Workers: 1}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAt(b *testing.B) {
	t := made(20_000, 30, 1)
	f, err := Train(t, Options{})
	if err != nil {
		b.Fatal(err)
	}
	var s Sample
	row := make([]float64, 30)
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		for c := range row {
			row[c] = t.Columns[c][i]
		}
		i = (i + 1) % 20_000
		f.At(row, &s)
		s.Quantile(0.5)
		s.Quantile(0.95)
	}
}
