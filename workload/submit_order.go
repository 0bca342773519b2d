package workload

import (
	"math"

	"github.com/apache/arrow/go/v15/arrow"
)

// submitOrder counts the jobs of a log submitted before the one above them, as
// far as both times are known.
type submitOrder struct {
	last  float64
	begun bool
}

// count looks at the next batch; line is the line, or row, of each of its rows.
func (o *submitOrder) count(rec arrow.Record, w *Warnings, line func(row int) int64) {
	if !o.begun {
		o.begun, o.last = true, math.Inf(-1)
	}
	v := NewView(rec)
	name, text := swfRule(swfBackStep)
	odd := Warning{Rule: name, Text: text}
	for i := range v.Len() {
		submit := v.Float(ColSubmitTime, i)
		if submit < o.last {
			if odd.Count++; odd.Count == 1 {
				odd.Line, odd.Saw = line(i), formatNumber(submit)+" s after "+formatNumber(o.last)+" s"
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
