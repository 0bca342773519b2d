package tables

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// numbered is a row for the tests.
type numbered struct {
	ID     int64   `json:"id" help:"a number"`
	Name   string  `json:"name" help:"a text"`
	Run    float64 `json:"run_s" help:"a time"`
	Failed bool    `json:"failed"`
	Memory int64   `json:"memory" unit:"KB" help:"left out"`
}

func TestWriteRows(t *testing.T) {
	rows := []numbered{
		{1, "a", 1.0 / 3, true, 2}, {workload.Unknown, "b, c", math.NaN(), false, 2}, {3, `d"`, math.Inf(-1), false, 2}, {4, "=1+1", 1e300, false, 2},
	}
	want := `id,name,run_s,failed
1,a,0.3333333333333333,true
,"b, c",,false
3,"d""",,false
4,'=1+1,1e+300,false
`
	var b strings.Builder
	err := WriteRows(&b, func(save func(numbered) error) (err error) {
		for _, row := range rows {
			err = errors.Join(err, save(row))
		}
		return err
	}, "memory")
	if err != nil || b.String() != want {
		t.Errorf("got %v\n%s\nwant\n%s", err, &b, want)
	}
}

var errTorn = errors.New("torn")

// tornWriter fails after some bytes.
type tornWriter struct{ left int }

func (w *tornWriter) Write(b []byte) (int, error) {
	if w.left -= len(b); w.left < 0 {
		return 0, errTorn
	}
	return len(b), nil
}

func TestWriteRowsFaults(t *testing.T) {
	for _, rows := range []int{1, 1 << 20} { // written at the end, and when the buffer is full
		saved := 0
		err := WriteRows(&tornWriter{left: 10}, func(save func(numbered) error) (err error) {
			for ; err == nil && saved < rows; saved++ {
				err = save(numbered{ID: int64(saved)})
			}
			return err
		})
		if !errors.Is(err, errTorn) || saved == 1<<20 {
			t.Errorf("%v after %d rows, want the error of a torn file", err, saved)
		}
	}
	if err := WriteRows(&strings.Builder{}, func(func(numbered) error) error { return errTorn }); err != errTorn {
		t.Errorf("%v, want the error of the rows", err)
	}
}
