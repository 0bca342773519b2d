package serve

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// exposition gathers samples for Prometheus' text format, version 0.0.4, in which all samples of
// a metric stand together, below its help and its type.
type exposition map[string][]string // the lines of each metric

// labels are the labels of a sample and their values.
type labels map[string]string

var escapeLabel = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// add adds a sample of a metric. suffix is "", or _bucket, _sum or _count of a histogram.
func (e exposition) add(metric, suffix string, x float64, all labels) {
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		pairs = append(pairs, name+`="`+escapeLabel.Replace(all[name])+`"`)
	}
	line := "loadstone_" + metric + suffix
	if pairs != nil {
		line += "{" + strings.Join(pairs, ",") + "}"
	}
	e[metric] = append(e[metric], line+" "+strconv.FormatFloat(x, 'g', -1, 64))
}

// String is the text: metrics by name, the samples of each in the order in which they were added.
func (e exposition) String() string {
	var b strings.Builder
	for _, metric := range slices.Sorted(maps.Keys(e)) {
		kind := "gauge"
		switch {
		case metric == requestSeconds:
			kind = "histogram"
		case strings.HasSuffix(metric, "_total"):
			kind = "counter"
		}
		fmt.Fprintf(&b, "# HELP loadstone_%s %s\n# TYPE loadstone_%[1]s %[3]s\n", metric, metricHelp[metric], kind)
		for _, line := range e[metric] {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}
