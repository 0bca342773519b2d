package figure

import (
	"fmt"
	"io"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/score"
)

// TwinPicture is a picture of a log and its twins.
type TwinPicture struct{ Name, What, Curve string }

// TwinPictures are the pictures of a verdict.
func TwinPictures() []TwinPicture {
	return []TwinPicture{
		{"twin-load", "offered load by day of a log and its twins", score.LoadByDay},
		{"twin-users", "jobs by user of a log and its twins", score.JobsByUser},
		{"twin-queue", "the queue's length by day, of a log and its twins", score.QueuedByDay},
		{"twin-waits", "distribution of the waits of a log and its twins", score.WaitsUpTo},
	}
}

// ofTwins are the pictures of a verdict. Those of its first schedule have plain
// names, those of others end in the policy and the loop.
func ofTwins(c *evaluate.CompareResult) []Picture {
	var all []Picture
	for _, p := range TwinPictures() {
		found := false
		for _, curve := range c.Curves {
			if curve.Name != p.Curve {
				continue
			}
			name, under := p.Name, ""
			if curve.Policy != "" {
				under = fmt.Sprintf(", %s, %s estimates, %s", curve.Policy, c.Verdict.Estimates, curve.Loop)
				if found {
					name += "-" + curve.Policy + "-" + curve.Loop
				}
			}
			found = true
			all = append(all, Picture{Name: name, Draw: func(w io.Writer, format string) error {
				source := fmt.Sprintf("%s: %d jobs%s", c.Workloads[0].Name, c.Workloads[0].Jobs, under)
				return Twins(w, format, source, c.Workloads[0].Name, curve)
			}})
		}
		if !found {
			all = append(all, absent(p.Name, "needs "+map[string]string{
				score.LoadByDay: "the machine's processors, sizes and run times", score.JobsByUser: "users",
				score.QueuedByDay: "a schedule (--schedule)", score.WaitsUpTo: "a schedule (--schedule)"}[p.Curve]))
		}
	}
	return all
}
