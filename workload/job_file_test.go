package workload

import (
	"math/rand/v2"
	"reflect"
	"testing"
)

// filled is a job whose every field, of any name, holds another number.
func filled(seed int) Job {
	var j Job
	n := int64(seed)
	var fill func(v reflect.Value)
	fill = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				fill(v.Field(i))
			}
		case reflect.Float64:
			n++
			v.SetFloat(float64(n) + 0.5)
		case reflect.Int64:
			n++
			v.SetInt(-n)
		default:
			panic("a job has a field that JobFile does not know: " + v.Type().String())
		}
	}
	fill(reflect.ValueOf(&j).Elem())
	return j
}

// A file gives back every field of every job, in any order, whether or not all
// jobs are kept in memory.
func TestJobFileAgainstSlice(t *testing.T) {
	for _, n := range []int{0, 1, jobsPerBlock, 3 * jobsPerBlock, 3*jobsPerBlock + 1, 40*jobsPerBlock + 7} {
		f := JobFile{keep: 3}
		var want []Job
		for i := range n {
			j := filled(1000 * i)
			want = append(want, j)
			if err := f.Append(&j); err != nil {
				t.Fatal(err)
			}
		}
		if f.Len() != int64(n) || (f.f != nil) != (n > 3*jobsPerBlock) {
			t.Fatalf("%d jobs: length %d, in a file %t", n, f.Len(), f.f != nil)
		}
		rng := rand.New(rand.NewPCG(1, 2))
		for i := range 3 * n {
			at := i
			if i >= n {
				at = rng.IntN(n)
			}
			got, err := f.At(int64(at))
			if err != nil || !reflect.DeepEqual(*got, want[at]) {
				t.Fatalf("job %d of %d: got %+v, %v; want %+v", at, n, got, err, want[at])
			}
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}
