package forecast

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ParseSizes reads "4", "1,2,4" and "1-64", which doubles. Sizes that ranges
// have in common are taken once. Ranges that begin at or below most end there, and ended
// are those that would not have.
func ParseSizes(text string, most int64) (sizes []int64, ended []string, err error) {
	if text == "" {
		return nil, nil, nil
	}
	add := func(n int64) {
		if !slices.Contains(sizes, n) {
			sizes = append(sizes, n)
		}
	}
	items := workload.SplitList(text)
	for i, item := range items {
		if slices.Contains(items[:i], item) {
			return nil, nil, fmt.Errorf("saw %q twice", item)
		}
		first, last, isRange := strings.Cut(item, "-")
		from, err := strconv.ParseInt(first, 10, 32)
		to := from
		if err == nil && isRange {
			to, err = strconv.ParseInt(last, 10, 32)
		}
		if err != nil || from < 1 || to < from {
			return nil, nil, fmt.Errorf("saw %q, want processor counts of 1 or more, such as 16, or 1,4,16, or 1-64", item)
		}
		if isRange && from <= most && to > most {
			to, ended = most, append(ended, item)
		}
		for n := from; n < to; n *= 2 {
			add(n)
		}
		add(to)
	}
	return sizes, ended, nil
}

// ParseRunTimes reads run times by size, such as "1=7200,4=2400".
func ParseRunTimes(text string) (map[int64]float64, error) {
	table := map[int64]float64{}
	for _, item := range strings.Split(text, ",") {
		size, run, _ := strings.Cut(strings.TrimSpace(item), "=")
		n, err1 := strconv.ParseInt(size, 10, 64)
		x, err2 := opt.Seconds(run)
		if _, twice := table[n]; err1 != nil || err2 != nil || twice || n < 1 || !(x > 0) || math.IsInf(x, 1) {
			return nil, fmt.Errorf("saw %q, want sizes with their seconds above 0, each once, such as 1=7200,4=2400", item)
		}
		table[n] = x
	}
	return table, nil
}
