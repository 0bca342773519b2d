package figure

import (
	"io"
	"path/filepath"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

// SubmissionsName is the name of the picture of a description.
const SubmissionsName = "submissions"

// OfDescription returns figure 1 of Sonmez and others (2009) for a log.
func OfDescription(d *inspect.Description) []Picture {
	if d.Bursts.Jobs == 0 {
		return []Picture{absent(SubmissionsName, "no time of submission is known")}
	}
	return []Picture{{Name: SubmissionsName, Draw: func(w io.Writer, format string) error {
		source := filepath.Base(d.Log.Name) + ", " + words.Counted(d.Bursts.Jobs-d.Bursts.LeftOut, "job")
		return SubmissionsOf(w, format, source, d)
	}}}
}

// SubmissionsOf draws the submissions of a description, below a source line.
func SubmissionsOf(w io.Writer, format, source string, d *inspect.Description) error {
	var at func(seconds float64) time.Time
	if d.Clock.Dates(float64(d.Log.FirstSubmit), float64(d.Log.LastSubmit)) {
		at = d.Clock.At
	}
	peaks := d.Bursts.Peaks
	return Submissions(w, format, source, Counts{Start: peaks.Start, Width: peaks.Width, Max: peaks.Max}, at)
}
