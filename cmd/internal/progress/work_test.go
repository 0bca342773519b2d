package progress

import (
	"bytes"
	"strings"
	"testing"
)

// TestWork: of all that a command is at, the line shows the last
// begun that is not done, and says how much of it is.
func TestWork(t *testing.T) {
	var w bytes.Buffer
	line := New(&w)
	shown := func() string {
		w.Reset()
		line.Show()
		return w.String()
	}
	read := int64(5)
	line.Begin(&Task{Label: "reading log.swf", Unit: Bytes, State: func() (int64, int64) { return read, 10 }})
	one, end := line.Work("simulating", "simulations", 0)
	if got := shown(); !strings.Contains(got, "reading log.swf") {
		t.Errorf("before the first simulation: %q", got)
	}
	one()
	if got := shown(); !strings.Contains(got, "simulating") {
		t.Errorf("after the first simulation: %q", got)
	}
	end()
	read = 10
	one, end = line.Work("replicates of a distribution", "replicates", 4)
	one()
	endLater := line.Begin(&Task{Label: "later", Unit: "jobs", State: func() (int64, int64) { return 0, notYet }})
	if got := shown(); !strings.Contains(got, "replicates of a distribution  25%") || !strings.Contains(got, "1/4") {
		t.Errorf("a quarter of the replicates: %q", got)
	}
	endLater()
	for range 3 {
		one()
	}
	if got := shown(); !strings.Contains(got, "computing") {
		t.Errorf("all replicates: %q", got)
	}
	end()

	line.End()
	if one, end := line.Work("late", "jobs", 4); one != nil {
		t.Error("a line that has ended counts")
	} else {
		end()
	}
}
