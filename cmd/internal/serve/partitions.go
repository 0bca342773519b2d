package serve

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/live"
)

// A machine may have thousands of partitions: those with the most jobs have labels of
// their own.
const (
	mostPartitions = 50 // with counts
	mostPredicted  = 16 // with predicted waits
	otherLabel     = "other"
)

// sizeClasses are the sizes, in processors, of requests whose wait is predicted.
var sizeClasses = []int64{1, 8, 64, 512, 4096}

// partitions adds the counts, and returns the partitions by their jobs.
func (s *series) partitions(all []live.Partition) []live.Partition {
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b live.Partition) int {
		return cmp.Or(cmp.Compare(b.Running+b.Pending, a.Running+a.Pending), strings.Compare(a.Name, b.Name))
	})
	type counts struct {
		running, pending int
		processors       int64
	}
	sums := map[string]*counts{} // by label: two names may have the same one
	var labels []string
	for i, p := range all {
		name := otherLabel
		if i < mostPartitions {
			name = label(p.Name)
		}
		sum := sums[name]
		if sum == nil {
			sum = &counts{}
			sums[name] = sum
			labels = append(labels, name)
		}
		sum.running, sum.pending, sum.processors = sum.running+p.Running, sum.pending+p.Pending, sum.processors+p.Processors
	}
	for _, name := range labels {
		s.gauge(partJobsDesc, float64(sums[name].running), name, "running")
		s.gauge(partJobsDesc, float64(sums[name].pending), name, "pending")
		s.gauge(partProcDesc, float64(sums[name].processors), name)
	}
	return all
}

// waits adds the recommended predictor's bounds of hypothetical requests of the partitions
// with the most jobs, and why partitions start no jobs.
func (s *series) waits(ctx context.Context, service Service, crowded []live.Partition) {
	seen := map[string]bool{}
	for _, p := range crowded[:min(len(crowded), mostPredicted)] {
		if seen[label(p.Name)] {
			continue
		}
		seen[label(p.Name)] = true
		for _, size := range sizeClasses {
			if p.MaxSize > 0 && size > p.MaxSize {
				break
			}
			answer, err := service.Wait(ctx, live.Question{Size: size, Partition: p.Name})
			if err != nil {
				continue
			}
			if size == 1 {
				s.blocked(label(p.Name), answer.Withheld)
			}
			if answer.Withheld != nil {
				break // so are larger ones
			}
			if answer.Recommended == "" {
				continue
			}
			for _, b := range answer.Predictions[0].Bounds {
				s.gauge(waitDesc, float64(b.Seconds), label(p.Name), strconv.FormatInt(size, 10), quantileLabel(b.Quantile))
			}
		}
	}
}

// blocked adds whether new jobs of a partition can start.
func (s *series) blocked(partition string, why *live.Withheld) {
	if why == nil {
		s.gauge(blockedDesc, 0, partition, "")
		return
	}
	s.gauge(blockedDesc, 1, partition, why.Reason)
}

// label is a name as the value of a label: valid, and not long.
func label(name string) string {
	const most = 64
	if len(name) > most {
		name = name[:most]
	}
	return strings.ToValidUTF8(name, "?")
}
