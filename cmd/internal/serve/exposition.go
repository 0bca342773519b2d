package serve

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// exposition collects samples for Prometheus' text format, version 0.0.4, in which all samples of
// a metric are grouped below its help and its type. It maps a metric to its lines.
type exposition map[string][]string

// labels are the labels of a sample and their values.
type labels map[string]string

var escapeLabel = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// add adds a sample of a metric. suffix is "" or, for a histogram, _bucket, _sum or _count.
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

// String returns the text: the metrics sorted by name, the samples of each in the order in which
// they were added.
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
