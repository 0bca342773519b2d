package workload

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// timeForm is how the format writes StartTime and EndTime: as date(1) does.
const timeForm = "Mon Jan _2 15:04:05 MST 2006"

// Complete updates the header with f: MaxJobs, MaxRecords, EndTime, and UnixStartTime and
// StartTime if the start was moved. A line that is already right is not changed, nor is
// EndTime if the header does not give the start of the log. A Note says what was changed by
// whom; by is what made the change, such as "loadstone clean".
func (h *Header) Complete(f Facts, by string) {
	var changed []string
	set := func(key, value string) {
		if h.Get(key) != value {
			h.Set(key, value)
			changed = append(changed, key)
		}
	}
	count := func(key string, n int64) {
		if old, ok := h.Int(key); n != Unknown && (!ok || old != n) {
			set(key, strconv.FormatInt(n, 10))
		}
	}
	count("MaxJobs", f.Jobs)
	count("MaxRecords", f.Records)
	start, known := h.Int("UnixStartTime")
	if shift := math.Round(f.Shift); known && shift != 0 && !math.IsNaN(shift) && math.Abs(shift) < 1<<52 {
		set("UnixStartTime", strconv.FormatInt(start+int64(shift), 10))
		clock, _ := h.Clock()
		set("StartTime", clock.Start.Format(timeForm))
	}
	if clock, _ := h.Clock(); clock.Known && math.Abs(f.End) < 1<<52 {
		end := clock.At(math.Floor(f.End))
		if old, err := time.ParseInLocation(timeForm, h.Get("EndTime"), clock.Start.Location()); err != nil || !old.Equal(end) {
			set("EndTime", end.Format(timeForm))
		}
	}
	if len(changed) > 0 {
		h.Add("Note", list(changed)+" recomputed by "+by)
	}
}

// list joins words as a sentence does.
func list(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
