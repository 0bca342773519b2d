package generate

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// header is what the log says of itself: the machine, the classes, and what
// it takes to make it again.
func header(site, scaled model.Site, o Options) (h workload.Header, err error) {
	var file bytes.Buffer
	if err := model.Encode(&file, site); err != nil {
		return h, err
	}
	processors := strconv.FormatInt(scaled.Processors, 10)
	h.Add("Version", "2.2")
	h.Add("Computer", "none: a synthetic log for "+processors+" processors")
	h.Add("Conversion", "Loadstone, generate")
	if o.Jobs > 0 {
		h.Add("MaxJobs", strconv.FormatInt(o.Jobs, 10))
		h.Add("MaxRecords", strconv.FormatInt(o.Jobs, 10))
	}
	if !o.Start.IsZero() {
		h.Add("UnixStartTime", strconv.FormatInt(o.Start.Unix(), 10))
		h.Add("TimeZoneString", o.Start.Location().String())
	}
	h.Add("MaxNodes", processors)
	h.Add("MaxProcs", processors)
	longest := 0.0
	for _, c := range scaled.Classes {
		longest = max(longest, math.Exp(limitLn(c.RunTimes.MaxLn, o)))
	}
	h.Add("MaxRuntime", strconv.FormatInt(int64(longest), 10))
	classLines(&h, scaled.Classes)
	h.Add("Note", "model "+site.Name)
	if site.Source != "" {
		h.Add("Note", "model from: "+site.Source)
	}
	h.Add("Note", fmt.Sprintf("model file, %s: sha256 %x", site.Schema, sha256.Sum256(file.Bytes())))
	h.Add("Note", "generated with "+o.flags())
	return h, nil
}

// classLines names the values of the column that tells the classes.
func classLines(h *workload.Header, classes []model.Class) {
	key := map[string]string{"queue_id": "Queue", "partition_id": "Partition"}[classes[0].Column]
	if key != "" {
		h.Add("Max"+key+"s", strconv.Itoa(len(classes)))
	}
	for _, c := range classes {
		switch {
		case key != "":
			h.Add(key, fmt.Sprintf("%d %s", c.Value, c.Name))
		case c.Column != "":
			h.Add("Note", fmt.Sprintf("class %s: %s %d", c.Name, c.Column, c.Value))
		}
	}
}

// flags writes the options as the command's flags.
func (o Options) flags() string {
	var f []string
	if o.Jobs > 0 {
		f = append(f, fmt.Sprintf("--jobs %d", o.Jobs))
	} else {
		f = append(f, fmt.Sprintf("--days %g", o.Days))
	}
	if o.Processors > 0 {
		f = append(f, fmt.Sprintf("--procs %d", o.Processors))
	}
	if o.Load > 0 {
		f = append(f, fmt.Sprintf("--load %g", o.Load))
	}
	f = append(f, fmt.Sprintf("--seed %d", o.Seed))
	if o.Exact {
		f = append(f, "(exact: times not rounded and not cut)")
	}
	if o.OriginalClock {
		f = append(f, "(original clock)")
	}
	return strings.Join(f, " ")
}
