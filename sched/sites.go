package sched

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Sites holds the number of processors of each partition's machine, as a value of a flag for
// Config.Sites. nil means one machine for all partitions, and an empty map a machine of
// Config.Processors for each.
type Sites map[int64]int64

// String returns the sites in the form that Set accepts.
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

// Type returns "string", the type of the flag's value.
func (s *Sites) Type() string { return "string" }

// Set parses "all" or a list of sizes, such as "1=64,2=128". Errors are of type
// *workload.OptionError.
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
