package generate

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
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
		h.AddStart(o.Start)
	}
	h.Add("MaxNodes", processors)
	h.Add("MaxProcs", processors)
	longest := 0.0
	for _, c := range scaled.Classes {
		longest = max(longest, min(longestRun(c, o), c.LongestRun()))
	}
	if longest <= model.MaxSecondsLimit {
		h.Add("MaxRuntime", strconv.FormatInt(int64(longest), 10))
	}
	classLines(&h, scaled.Classes)
	h.Add("Note", "model "+site.Name)
	if site.Source != "" {
		h.Add("Note", "model from: "+site.Source)
	}
	for _, line := range append(scaledNotes(scaled), estimateNotes(scaled)...) {
		h.Add("Note", line)
	}
	h.Add("Note", fmt.Sprintf("%s, %s: sha256 %x", noteSum, site.Schema, sha256.Sum256(file.Bytes())))
	var compact bytes.Buffer
	if err := json.Compact(&compact, file.Bytes()); err != nil {
		return h, err
	}
	for _, piece := range pieces(compact.String()) {
		h.Add("Note", noteFile+" "+piece)
	}
	if o.By != "" {
		h.Add("Note", noteBy+" "+o.By)
	}
	h.Add("Note", noteFlags+" "+o.flags())
	return h, nil
}

// longestRun is the longest run time of a class, in seconds; +Inf where there
// is none.
func longestRun(c model.Class, o Options) float64 {
	switch r := c.RunTimes.(type) {
	case model.SecondsRunTimes:
		top := r.First.Quantile(1)
		if r.Second != nil {
			top = max(top, r.Second.Quantile(1))
		}
		return min(limitSeconds(r.Max, o), top)
	case model.WorkRunTimes:
		return math.Exp(limitLn(r.MaxLn, o))
	case model.LnRunTimes:
		return math.Exp(limitLn(r.MaxLn, o))
	}
	return c.Malleable.SequentialTime.Quantile(1)
}

// scaledNotes say what readers must know of jobs that are not as usual.
func scaledNotes(s model.Site) (notes []string) {
	for _, c := range s.Classes {
		switch {
		case c.Malleable == nil:
			continue
		case c.Malleable.Allocation == model.NoAllocation:
			return append(notes, "malleable jobs: a job's size and run time follow from an allocation, by sequential_time_s, average_parallelism and sigma")
		}
		return append(notes, "malleable jobs on as many processors as their average parallelism, rounded up")
	}
	return notes
}

// classLines names the values of the column that tells the classes, and says how
// many queues or partitions there are: of no other values does SWF have a count.
func classLines(h *workload.Header, classes []model.Class) {
	column := workload.FindColumn(classes[0].Column)
	if column == nil {
		return
	}
	if column.Name == workload.ColumnAt(workload.ColQueue).Name || column.Name == workload.ColumnAt(workload.ColPartition).Name {
		h.Add("Max"+column.NameKey+"s", strconv.Itoa(len(classes)))
	}
	for _, c := range classes {
		h.Add(column.NameKey, fmt.Sprintf("%d %s", c.Value, c.Name))
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
	for _, option := range []struct{ flag, value string }{{"method", string(o.Method)}, {"cycle", string(o.Cycle)}, {"week", string(o.Week)}} {
		if option.value != "" {
			f = append(f, fmt.Sprintf("--%s %s", option.flag, option.value))
		}
	}
	if o.Bursts > 0 {
		f = append(f, fmt.Sprintf("--bursts %g", o.Bursts))
	}
	if o.BagSize > 0 {
		f = append(f, fmt.Sprintf("--bag-size %g", o.BagSize))
	}
	if o.Users > 0 {
		f = append(f, fmt.Sprintf("--users %d", o.Users))
	}
	if o.Sessions {
		f = append(f, "--sessions")
	}
	if o.Estimates != "" {
		f = append(f, fmt.Sprintf("--estimates %s", o.Estimates))
	}
	if o.EstimateFactor > 0 {
		f = append(f, fmt.Sprintf("--estimate-factor %g", o.EstimateFactor))
	}
	if o.MaxEstimate > 0 {
		f = append(f, fmt.Sprintf("--max-estimate %.10g", o.MaxEstimate))
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
