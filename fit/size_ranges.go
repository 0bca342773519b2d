package fit

import (
	"fmt"
	"strconv"
	"strings"
)

// ParseSizeRanges reads ranges of sizes such as 1-4,5-100.
func ParseSizeRanges(text string) ([]SizeRange, error) {
	if text == "" {
		return nil, nil
	}
	var ranges []SizeRange
	for _, part := range strings.Split(text, ",") {
		part = strings.TrimSpace(part)
		from, to, dash := strings.Cut(part, "-")
		if !dash {
			to = from
		}
		a, err1 := strconv.ParseInt(from, 10, 64)
		b, err2 := strconv.ParseInt(to, 10, 64)
		if err1 != nil || err2 != nil || a < 1 || b < a {
			return nil, fmt.Errorf("saw %q, want a size, or two such as 5-100", part)
		}
		ranges = append(ranges, SizeRange{From: a, To: b})
	}
	return ranges, nil
}
