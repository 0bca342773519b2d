package sessions_test

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/sessions"
)

// A user submits two jobs at once, a third one 5 minutes after both have ended, and a fourth on the
// next day.
func ExampleTracker() {
	tracker := sessions.NewTracker()
	for i, of := range [][2]float64{{0, 600}, {10, 900}, {1210, 60}, {86400, 60}} {
		j := workload.UnknownJob()
		j.ID, j.Row, j.User = int64(i+1), int64(i), 7
		j.Submit, j.Wait, j.Run = of[0], 0, of[1]
		p := tracker.Add(&j)
		fmt.Printf("job %d: session %d, batch %d", j.ID, p.Session, p.Batch)
		if p.PrecedingID != workload.Unknown {
			fmt.Printf(", %g s after the end of job %d", p.Think, p.PrecedingID)
		}
		fmt.Println()
	}
	// Output:
	// job 1: session 0, batch 0
	// job 2: session 0, batch 0
	// job 3: session 0, batch 1, 300 s after the end of job 2
	// job 4: session 1, batch 0, 1200 s after the end of job 3
}
