package journal

import (
	"fmt"
	"hash/crc32"
	"math"
	"strconv"
	"time"

	"github.com/loadstone-hpc/loadstone/workload"
)

// maxLine bounds a line, so that a reader's memory is bounded too.
const maxLine = 1 << 20

const sumDigits = 8

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// appendLine adds the line of an entry, the store's line of that number.
func appendLine(b []byte, number int64, e Entry) ([]byte, error) {
	start := len(b)
	b = append(b, "00000000 "...)
	text := len(b)
	b, err := e.appendTo(append(strconv.AppendInt(b, number, 10), ' '))
	if err != nil {
		return b[:start], err
	}
	if len(b)-start >= maxLine {
		return b[:start], fmt.Errorf("journal: an entry of %d bytes, want fewer than %d", len(b)-start, maxLine)
	}
	putSum(b[start:], crc32.Checksum(b[text:], castagnoli))
	return append(b, '\n'), nil
}

func putSum(b []byte, sum uint32) {
	for i := sumDigits - 1; i >= 0; i-- {
		b[i] = "0123456789abcdef"[sum&15]
		sum >>= 4
	}
}

func (e *Begin) appendTo(b []byte) ([]byte, error) {
	b = append(b, `{"e":"begin","version":`...)
	b = strconv.AppendInt(b, Version, 10)
	utc := e.Origin.UTC()
	if !utc.IsZero() {
		b = appendTextField(b, "origin", utc.Format(time.RFC3339Nano))
	}
	if zone := e.Origin.Location().String(); zone != "UTC" && knownZone(zone) != nil {
		b = appendTextField(b, "zone", zone)
	}
	b = appendTextField(b, "source", e.Source)
	b = append(b, '}')
	if utc.Year() < 0 || utc.Year() > 9999 {
		return b, fmt.Errorf("journal: a store that begins in the year %d, want one of four digits", utc.Year())
	}
	return b, nil
}

// knownZone returns the zone of a name of the IANA database, nil for another name:
// that of a fixed offset, or Local, which is another zone on another machine.
func knownZone(name string) *time.Location {
	zone, err := workload.Options{TimeZone: name}.Zone()
	if name == "" || err != nil {
		return nil
	}
	return zone
}

func (e *Name) appendTo(b []byte) ([]byte, error) {
	b = append(b, `{"e":"name"`...)
	b = appendTextField(b, "key", e.Key)
	b = appendIntField(b, "number", e.Number)
	b = appendTextField(b, "text", e.Text)
	return append(b, '}'), nil
}

func (e *Expect) appendTo(b []byte) ([]byte, error) {
	b, err := appendHead(b, "expect", e.At)
	b = appendIdentity(b, e.ID, e.Submit, e.Row)
	b = appendFloatField(b, "ours", e.Ours)
	b = appendFloatField(b, "theirs", e.Theirs)
	b = appendFloats(b, "quantiles", e.Quantiles)
	b = appendFloats(b, "bounds", e.Bounds)
	b = appendFloats(b, "raw", e.Raw)
	return append(b, '}'), err
}

// appendIdentity adds what identifies a job.
func appendIdentity(b []byte, id int64, submit float64, row int64) []byte {
	b = appendIntField(b, "job", id)
	b = appendFloatField(b, "submit", submit)
	if row != 0 {
		b = appendIntField(b, "row", row)
	}
	return b
}

func (e *Event) appendTo(b []byte) ([]byte, error) {
	if e.Kind > workload.Start {
		return b, fmt.Errorf("journal: an event of the kind %d, want Submit, Start or Finish", e.Kind)
	}
	b, err := appendHead(b, e.Kind.String(), e.Time)
	b = appendIdentity(b, e.Job.ID, e.Job.Submit, e.Job.Row)
	if e.Kind == workload.Submit && e.Label != "" {
		b = appendTextField(b, "label", e.Label)
	}
	fields := fieldsOf(e.Kind)
	for i := range fields {
		if f := &fields[i]; f.float {
			b = appendFloatField(b, f.key, f.Number(&e.Job))
		} else if n := f.Int(&e.Job); n != workload.Unknown {
			b = appendIntField(b, f.key, n)
		}
	}
	if e.Kind == workload.Submit {
		b = e.appendAnswers(b)
	}
	return append(b, '}'), err
}

func (e *Event) appendAnswers(b []byte) []byte {
	if e.Scored {
		b = append(b, `,"scored":true`...)
	}
	b = appendFloatField(b, "answered", e.AnsweredAt)
	if len(e.Answers) == 0 {
		return b
	}
	b = append(b, `,"answers":[`...)
	for i := range e.Answers {
		a := &e.Answers[i]
		if i > 0 {
			b = append(b, ',')
		}
		b = appendText(append(b, '['), a.Predictor)
		b = appendFloat(append(b, ','), a.Quantile)
		b = appendFloat(append(b, ','), a.Seconds)
		b = strconv.AppendInt(append(b, ','), int64(a.Observations), 10)
		if a.Group != "" {
			b = appendText(append(b, ','), a.Group)
		}
		b = append(b, ']')
	}
	return append(b, ']')
}

func appendHead(b []byte, kind string, at float64) ([]byte, error) {
	var err error
	if math.IsNaN(at) || math.IsInf(at, 0) {
		err = fmt.Errorf("journal: a %s at the time %g, want a finite number", kind, at)
	}
	b = append(append(b, `{"e":"`...), kind...)
	return appendFloat(append(b, `","t":`...), at), err
}

func appendKey(b []byte, key string) []byte {
	return append(append(append(b, ',', '"'), key...), '"', ':')
}

func appendTextField(b []byte, key, text string) []byte {
	return appendText(appendKey(b, key), text)
}

func appendIntField(b []byte, key string, n int64) []byte {
	return strconv.AppendInt(appendKey(b, key), n, 10)
}

// appendFloatField leaves out what is unknown.
func appendFloatField(b []byte, key string, x float64) []byte {
	if x != x {
		return b
	}
	return appendFloat(appendKey(b, key), x)
}

func appendFloats(b []byte, key string, all []float64) []byte {
	if len(all) == 0 {
		return b
	}
	b = appendKey(b, key)
	for i, x := range all {
		if i > 0 {
			b = append(b, ',')
		} else {
			b = append(b, '[')
		}
		b = appendFloat(b, x)
	}
	return append(b, ']')
}

// appendFloat writes NaN as null, and the infinities, for which JSON has no number, as
// texts.
func appendFloat(b []byte, x float64) []byte {
	switch {
	case x != x:
		return append(b, "null"...)
	case x > math.MaxFloat64:
		return append(b, `"inf"`...)
	case x < -math.MaxFloat64:
		return append(b, `"-inf"`...)
	}
	return strconv.AppendFloat(b, x, 'g', -1, 64)
}

// appendText quotes a text. Bytes that are no UTF-8 stand as they are, so that any text
// is read back as it was.
func appendText(b []byte, s string) []byte {
	b = append(b, '"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c < ' ':
			b = append(b, `\u00`...)
			b = append(b, "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}
