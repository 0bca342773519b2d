package site

import (
	"fmt"
	"strconv"
	"strings"
)

// ParsePeak reads a time of day such as 3:00-4:00.
func ParsePeak(text string) (AutomaticPeak, error) {
	p := AutomaticPeak{Name: text}
	from, to, ok := strings.Cut(text, "-")
	if !ok {
		return p, fmt.Errorf("want two times of day, such as 3:00-4:00")
	}
	var err error
	if p.From, err = parseHalfHour(from); err != nil {
		return p, err
	}
	if p.To, err = parseHalfHour(to); err != nil {
		return p, err
	}
	if p.From >= p.To {
		return p, fmt.Errorf("it ends before it begins: want two times of one day, such as 3:00-4:00")
	}
	return p, nil
}

// parseHalfHour reads a full or half hour of the day, from 0:00 to 24:00.
func parseHalfHour(text string) (float64, error) {
	text = strings.TrimSpace(text)
	hour, minute, ok := strings.Cut(text, ":")
	h, err := strconv.Atoi(hour)
	if !ok || err != nil || h < 0 || h > 24 || minute != "00" && minute != "30" || h == 24 && minute != "00" {
		return 0, fmt.Errorf("saw %q, want a full or half hour from 0:00 to 24:00", text)
	}
	if minute == "30" {
		return float64(h) + 0.5, nil
	}
	return float64(h), nil
}
