package sched

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Sites are the processors of the machine of each partition, as Config.Sites has them: nil
// is one machine for all, and none of them a machine of equal size for each.
type Sites map[int64]int64

// String writes the sizes as Set reads them.
func (s *Sites) String() string {
	if *s != nil && len(*s) == 0 {
		return "all"
	}
	var items []string
	for _, partition := range slices.Sorted(maps.Keys(*s)) {
		items = append(items, fmt.Sprintf("%d=%d", partition, (*s)[partition]))
	}
	return strings.Join(items, ",")
}

// Type names the value of a flag.
func (s *Sites) Type() string { return "string" }

// Set reads "all" or sizes, such as "1=64,2=128". An error is a *workload.OptionError.
func (s *Sites) Set(text string) error {
	sites := Sites{}
	for _, item := range workload.SplitList(text) {
		if text == "all" {
			break
		}
		name, size, _ := strings.Cut(item, "=")
		partition, errName := strconv.ParseInt(name, 10, 64)
		n, errSize := strconv.ParseInt(size, 10, 64)
		if _, twice := sites[partition]; errName != nil || errSize != nil || n < 1 || twice {
			return workload.OptionFault("sites", strconv.Quote(item), "all, or partitions with their processors, each once, such as 1=64,2=128")
		}
		sites[partition] = n
	}
	*s = sites
	return nil
}
