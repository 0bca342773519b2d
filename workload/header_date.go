package workload

import (
	"strings"
	"time"
)

// ParseHeaderDate reads the dates of the header lines StartTime and EndTime: the output of
// the program date, "Tue Feb 21 18:44:15 IST 2006", and ISO 8601. Abbreviations of zones
// are ambiguous, so the date is in the given zone unless it has UTC or an offset in hours;
// the abbreviation only distinguishes the two hours that are the same when daylight saving
// time ends. utc reports that the date did not need the zone.
func ParseHeaderDate(text string, zone *time.Location) (t time.Time, ok, utc bool) {
	words := strings.Fields(text)
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02"} {
		if t, err := time.ParseInLocation(layout, strings.Join(words, " "), zone); err == nil {
			return t, true, layout == time.RFC3339
		}
	}
	if len(words) < 5 || len(words) > 6 {
		return t, false, false
	}
	word := ""
	if len(words) == 6 {
		word = words[4]
		words = append(words[:4:4], words[5])
	}
	switch word {
	case "UTC", "GMT", "Z":
		// In Britain's winter both are the same.
		zone, utc = time.UTC, true
	}
	const layout = "Mon Jan 2 15:04:05 2006"
	t, err := time.ParseInLocation(layout, strings.Join(words, " "), zone)
	if err != nil {
		return t, false, false
	}
	if name, _ := t.Zone(); word != "" && name != word {
		for _, hour := range []time.Duration{-time.Hour, time.Hour} {
			other := t.Add(hour)
			if name, _ := other.Zone(); name == word && other.Format(layout) == t.Format(layout) {
				return other, true, utc
			}
		}
	}
	return t, true, utc
}
