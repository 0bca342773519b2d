package logtest

import (
	"bytes"
	"math"
	"math/rand/v2"

	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/mapping"
)

// OpenParquetBytes opens a Parquet file in memory.
func OpenParquetBytes(b []byte, o workload.Options) (*workload.Log, error) {
	return mapping.Parquet.OpenAt("x.parquet", bytes.NewReader(b), int64(len(b)), o)
}

// RandomBatches draws batches whose columns are known never, always, or now and then, with few
// or many different values.
func RandomBatches(t *rapid.T) []*workload.Batch {
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 7))
	var known [workload.NumColumns]float64
	var spread [workload.NumColumns]int64
	for i := range known {
		known[i] = rapid.SampledFrom([]float64{0, 1, 1, 0.5, 0.01, 0.99}).Draw(t, "known")
		spread[i] = rapid.SampledFrom([]int64{1, 2, 3, 300, 1 << 40, math.MaxInt64}).Draw(t, "spread")
	}
	var batches []*workload.Batch
	for range rapid.IntRange(0, 4).Draw(t, "batches") {
		rows := rapid.SampledFrom([]int{0, 1, 7, 8, 9, 64, 500, 1025, 5000}).Draw(t, "rows")
		b := &workload.Batch{Rows: rows}
		for i := range workload.NumColumns {
			for range rows {
				n := rng.Int64N(spread[i])
				if rng.IntN(2) == 0 {
					n = -n
				}
				x := float64(n) / 4
				if rng.Float64() >= known[i] {
					n, x = workload.Unknown, math.NaN()
				}
				if workload.ColumnAt(i).Float() {
					b.Floats[i] = append(b.Floats[i], x)
				} else {
					b.Ints[i] = append(b.Ints[i], n)
				}
			}
		}
		batches = append(batches, b.Slice(rapid.IntRange(0, min(rows, 13)).Draw(t, "from"), rows))
	}
	return batches
}

// Sequence yields the batches of a slice.
func Sequence(batches []*workload.Batch) workload.BatchSeq {
	return func(yield func(*workload.Batch, error) bool) {
		for _, b := range batches {
			if !yield(b, nil) {
				return
			}
		}
	}
}
