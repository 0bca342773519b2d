package workload

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
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
	for _, n := range []int{0, 1, 3, 4, 327} {
		f := JobFile{keep: 3}
		var want []Job
		for i := range n {
			j := filled(1000 * i)
			want = append(want, j)
			if err := f.Append(&j); err != nil {
				t.Fatal(err)
			}
		}
		if (f.file != nil) != (n > 3) {
			t.Fatalf("%d jobs: in a file %t", n, f.file != nil)
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

// An error of a temporary file names the folder and the variable that chooses it, not the
// file, whose name nobody knows. An error of what is copied into it stays as it is.
func TestTempFileFaults(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	f, err := UnlinkedFile()
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("the tape is torn")
	if _, err := f.ReadFrom(iotest.ErrReader(broken)); err != broken {
		t.Errorf("copied from a broken reader: %v, want %v", err, broken)
	}
	f.Close()
	_, of := f.Write([]byte("x"))
	_, at := f.WriteAt([]byte("x"), 7)
	_, from := f.ReadFrom(strings.NewReader("x"))
	want := "temporary files cannot be written in " + dir + " (TMPDIR names another folder): file already closed"
	for _, err := range []error{of, at, from} {
		if err == nil || err.Error() != want || !errors.Is(err, fs.ErrClosed) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
