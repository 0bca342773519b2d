package outside

import (
	"strconv"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Protocol names the protocol and its version.
const Protocol = "loadstone.run-time-predictor/1"

// submitted are the fields of a submission, later those that an end has besides.
var submitted, later = fields()

func fields() (submitted, later []*workload.Column) {
	for i := range workload.Columns() {
		if c := workload.ColumnAt(i); c.Submitted() {
			submitted = append(submitted, c)
		} else {
			later = append(later, c)
		}
	}
	return append(submitted, workload.FindColumn("size")), later
}

// appendBegin appends the first line.
func appendBegin(b []byte) []byte {
	units := func(b []byte, columns []*workload.Column) []byte {
		for _, c := range columns {
			b = append(b, `,"`+c.Name+`":"`+c.Unit+`"`...)
		}
		return append(b, '}')
	}
	b = append(b, `{"begin":{"protocol":"`+Protocol+`","submit":{"row":"1"`...)
	b = units(b, submitted)
	b = append(b, `,"end":{"row":"1"`...)
	b = units(b, later)
	return append(b, "}}\n"...)
}

// appendSubmit appends the line of a submission.
func appendSubmit(b []byte, r *workload.Request) []byte {
	j := workload.Job{Request: *r}
	b = append(b, `{"submit":{"row":`...)
	b = strconv.AppendInt(b, r.Row+1, 10)
	return append(appendFields(b, submitted, &j), "}}\n"...)
}

// appendEnd appends the line of a job that has ended.
func appendEnd(b []byte, j *workload.Job) []byte {
	b = append(b, `{"end":{"row":`...)
	b = strconv.AppendInt(b, j.Row+1, 10)
	b = appendFields(b, submitted, j)
	return append(appendFields(b, later, j), "}}\n"...)
}

// appendDone appends the last line.
func appendDone(b []byte, jobs int) []byte {
	b = append(b, `{"done":{"jobs":`...)
	return append(strconv.AppendInt(b, int64(jobs), 10), "}}\n"...)
}

// appendFields appends what is known of a job.
func appendFields(b []byte, columns []*workload.Column, j *workload.Job) []byte {
	for _, c := range columns {
		if c.Float() {
			x := c.Number(j)
			if x-x != 0 { // neither NaN nor an infinity is JSON
				continue
			}
			b = append(b, `,"`...)
			b = append(append(b, c.Name...), `":`...)
			b = strconv.AppendFloat(b, x, 'g', -1, 64)
			continue
		}
		x := c.Int(j)
		if x == workload.Unknown {
			continue
		}
		b = append(b, `,"`...)
		b = append(append(b, c.Name...), `":`...)
		b = strconv.AppendInt(b, x, 10)
	}
	return b
}
