package parse

import (
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// SubmitOrder counts the jobs of a log submitted before the one above them, as
// far as both times are known.
type SubmitOrder struct {
	last  float64
	begun bool
}

// Count looks at the next batch; line is the line, or row, of each of its rows.
func (o *SubmitOrder) Count(b *workload.Batch, w *workload.Warnings, line func(row int) int64) {
	if !o.begun {
		o.begun, o.last = true, math.Inf(-1)
	}
	name, text := ruleText(ruleBackStep)
	odd := workload.Warning{Rule: name, Text: text}
	for i, submit := range b.Floats[workload.ColSubmitTime] {
		if submit < o.last {
			if odd.Count++; odd.Count == 1 {
				odd.Line, odd.Saw = line(i), FormatNumber(submit)+" s after "+FormatNumber(o.last)+" s"
			}
		}
		if !math.IsNaN(submit) {
			o.last = submit
		}
	}
	if odd.Count > 0 {
		w.Count(odd)
	}
}
