package swf_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/swf"
)

// The line of a row is where its text stands, however the text is cut into
// chunks and whatever stands between the jobs: each job's id is its line.
func TestLine(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	var text strings.Builder
	line := 1
	for ; line <= 400; line++ {
		switch rng.IntN(4) {
		case 0:
			text.WriteString("; remark\n")
		case 1:
			text.WriteString("\n")
		default:
			fmt.Fprintf(&text, "%d%s\n", line, strings.Repeat(" 1", 17))
		}
	}
	for _, size := range []int{64, 1000, 1 << 20} {
		l, err := swf.OpenChunks("x.swf", bytes.NewReader([]byte(text.String())), workload.Options{}, size)
		if err != nil {
			t.Fatal(err)
		}
		row := int64(0)
		for rec, err := range l.Batches() {
			if err != nil {
				t.Fatal(err)
			}
			for i := rec.Rows - 1; i >= 0; i-- {
				if got, want := l.Line(row+int64(i)), rec.Int(workload.ColJobID, i); got != want {
					t.Fatalf("chunks of %d: row %d is in line %d, want %d", size, row+int64(i), got, want)
				}
			}
			row += int64(rec.Rows)
		}
		if row < 100 {
			t.Fatalf("%d rows", row)
		}
	}
	if got := (&workload.Log{}).Line(3); got != 0 {
		t.Errorf("line %d of a format without lines, want 0", got)
	}
}
