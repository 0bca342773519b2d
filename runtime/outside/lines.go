package outside

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// The protocols with their versions.
const (
	RunTimeProtocol = "loadstone.run-time-predictor/1"
	WaitProtocol    = "loadstone.wait-predictor/1"
)

// submitted contains the fields of a submission, atStart and atEnd the additional fields of a
// start and of an end.
var submitted, atStart, atEnd = fields()

func fields() (submitted, atStart, atEnd []*workload.Column) {
	for i := range workload.Columns() {
		c := workload.ColumnAt(i)
		if c.Submitted() {
			submitted = append(submitted, c)
			continue
		}
		if i == workload.ColWaitTime || i == workload.ColAllocatedProcessors {
			atStart = append(atStart, c)
		}
		atEnd = append(atEnd, c)
	}
	return append(submitted, workload.FindColumn("size")), atStart, atEnd
}

// appendBegin appends the first line. quantiles are the quantiles of waits to be bounded; nil for
// predictors of run times, which are sent no starts.
func appendBegin(b []byte, quantiles []float64) []byte {
	protocol, asked := RunTimeProtocol, ""
	if quantiles != nil {
		list, _ := json.Marshal(quantiles)
		protocol, asked = WaitProtocol, `"quantiles":`+string(list)+","
	}
	b = fmt.Appendf(b, `{"begin":{"protocol":%q,%s"submit":`, protocol, asked)
	b = appendUnits(b, submitted)
	if quantiles != nil {
		b = appendUnits(append(b, `,"start":`...), atStart)
	}
	b = appendUnits(append(b, `,"end":`...), atEnd)
	return append(b, "}}\n"...)
}

func appendUnits(b []byte, columns []*workload.Column) []byte {
	b = append(b, `{"row":"1"`...)
	for _, c := range columns {
		b = append(b, `,"`+c.Name+`":"`+c.Unit+`"`...)
	}
	return append(b, '}')
}

// appendEvent appends the line of an event, with the known values of a job's submitted and
// more columns.
func appendEvent(b []byte, event string, j *workload.Job, more []*workload.Column) []byte {
	b = append(b, `{"`+event+`":{"row":`...)
	b = strconv.AppendInt(b, j.Row+1, 10)
	b = appendFields(b, submitted, j)
	return append(appendFields(b, more, j), "}}\n"...)
}

func appendFields(b []byte, columns []*workload.Column, j *workload.Job) []byte {
	for _, c := range columns {
		if x := c.Number(j); x-x == 0 { // neither NaN nor an infinity is JSON
			b = strconv.AppendFloat(append(b, `,"`+c.Name+`":`...), x, 'g', -1, 64)
		} else if n := c.Int(j); n != workload.Unknown {
			b = strconv.AppendInt(append(b, `,"`+c.Name+`":`...), n, 10)
		}
	}
	return b
}

// Answer is a program's answer to a submission.
type Answer struct {
	workload.Prediction           // Seconds is NaN if it has none
	Bounds              []float64 // bounds of the wait by quantile, s; NaN for one not given, nil if none is
}

// parseAnswer reads the answer to the submission of a row.
func parseAnswer(line []byte, row int64, quantiles []float64) (a Answer, err error) {
	var fields struct {
		Row       *int64            `json:"row"`
		Predicted json.RawMessage   `json:"predicted_s"`
		Bounds    []json.RawMessage `json:"bounds_s"`
		History   int               `json:"history_n"`
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	err = d.Decode(&fields)
	if err == nil {
		_, err = d.Token()
	}
	switch {
	case err != io.EOF, fields.Row == nil, fields.Predicted == nil:
		return a, fmt.Errorf("saw %s, expected %s, or null for SECONDS", shown(line), expected(row, quantiles))
	case *fields.Row != row:
		return a, fmt.Errorf("row: saw %d, expected %d, the row of the submission that awaits its answer", *fields.Row, row)
	case fields.History < 0:
		return a, fmt.Errorf("history_n: saw %d, expected 0 or more", fields.History)
	case fields.Bounds != nil && len(fields.Bounds) != len(quantiles):
		return a, fmt.Errorf("bounds_s: saw %d bounds, expected %d: one for each of the quantiles %v", len(fields.Bounds), len(quantiles), quantiles)
	}
	a.Observations = fields.History
	if a.Seconds, err = parseSeconds("predicted_s", fields.Predicted); err != nil {
		return a, err
	}
	for _, text := range fields.Bounds {
		bound, err := parseSeconds("bounds_s", text)
		if err != nil {
			return a, err
		}
		a.Bounds = append(a.Bounds, bound)
	}
	return a, nil
}

// expected returns the form of an answer, for messages.
func expected(row int64, quantiles []float64) string {
	bounds := ""
	if n := len(quantiles); n > 0 {
		bounds = `,"bounds_s":[` + strings.Repeat("SECONDS,", n-1) + "SECONDS]"
	}
	return fmt.Sprintf(`{"row":%d,"predicted_s":SECONDS%s}`, row, bounds)
}

// parseSeconds parses a time of 0 or more; null is NaN.
func parseSeconds(field string, text json.RawMessage) (seconds float64, err error) {
	if string(text) == "null" {
		return math.NaN(), nil
	}
	if err := json.Unmarshal(text, &seconds); err != nil || seconds < 0 {
		return 0, fmt.Errorf("%s: saw %s, expected seconds of 0 or more, or null", field, text)
	}
	return seconds, nil
}

// shown quotes the first line of text, at most 80 bytes of it, for messages.
func shown(text []byte) string {
	const most = 80
	line, _, _ := bytes.Cut(text, []byte("\n"))
	line = bytes.TrimRight(line, "\r")
	if len(line) > most {
		return fmt.Sprintf("%q...", line[:most])
	}
	return fmt.Sprintf("%q", line)
}
