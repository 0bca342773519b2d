package journal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/loadstone-hpc/loadstone/workload"
)

// maxLine bounds a line, so that a reader's memory is bounded too.
const maxLine = 1 << 20

const sumDigits = 8

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksum returns that of the rest of a line.
func checksum(rest []byte) []byte {
	return fmt.Appendf(nil, "%0*x", sumDigits, crc32.Checksum(rest, castagnoli))
}

// record is the JSON of a line: one of these.
type record struct {
	Begin  *begin  `json:"begin,omitempty"`
	Name   *name   `json:"name,omitempty"`
	Expect *Expect `json:"expect,omitempty"`
	Submit *event  `json:"submit,omitempty"`
	Start  *event  `json:"start,omitempty"`
	Finish *event  `json:"finish,omitempty"`
}

type begin struct {
	Version int       `json:"version"`
	Origin  time.Time `json:"origin,omitzero"` // in UTC
	Zone    string    `json:"zone,omitempty"`
	Source  string    `json:"source,omitempty"`
}

type name struct {
	Key    string `json:"key"`
	Number int64  `json:"number"`
	Text   string `json:"text,omitempty"`
	Bytes  []byte `json:"bytes,omitempty"` // in place of a text that is no UTF-8
}

type event struct {
	Event
	Row     int64   `json:"row,omitempty"`
	Columns columns `json:"job"`
}

func (e *Begin) record() (record, error) {
	b := &begin{Version: Version, Origin: e.Origin.UTC(), Source: e.Source}
	if zone := e.Origin.Location().String(); knownZone(zone) != nil {
		b.Zone = zone
	}
	return record{Begin: b}, nil
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

func (e *Name) record() (record, error) {
	n := &name{Key: e.Key, Number: e.Number, Text: e.Text}
	if !utf8.ValidString(e.Text) {
		n.Text, n.Bytes = "", []byte(e.Text)
	}
	return record{Name: n}, nil
}

func (e *Expect) record() (record, error) { return record{Expect: e}, nil }

func (e *Event) record() (r record, err error) {
	out := &event{Event: *e, Row: e.Job.Row, Columns: columnsOf(&e.Job, fieldsOf(e.Kind))}
	if e.Kind != workload.Submit {
		out.Label, out.Answers, out.AnsweredAt, out.Scored = "", nil, 0, false
	}
	switch e.Kind {
	case workload.Submit:
		r.Submit = out
	case workload.Start:
		r.Start = out
	case workload.Finish:
		r.Finish = out
	default:
		err = fmt.Errorf("an event of the kind %d, want Submit, Start or Finish", e.Kind)
	}
	return r, err
}

// entry returns what a line says; nil for what no version has written.
func (r *record) entry() (Entry, error) {
	switch {
	case r.Begin != nil:
		if n := r.Begin.Version; n < 1 || n > Version {
			return nil, fmt.Errorf("a store of version %d, and this one reads those up to %d", n, Version)
		}
		e := &Begin{r.Begin.Origin, r.Begin.Source}
		if r.Begin.Zone != "" {
			zone := knownZone(r.Begin.Zone)
			if zone == nil {
				return nil, fmt.Errorf("the time zone %q is not known here", r.Begin.Zone)
			}
			e.Origin = e.Origin.In(zone)
		}
		return e, nil
	case r.Name != nil:
		return &Name{r.Name.Key, r.Name.Number, r.Name.Text + string(r.Name.Bytes)}, nil
	case r.Expect != nil:
		return r.Expect, nil
	case r.Submit != nil:
		return r.Submit.entry(workload.Submit)
	case r.Start != nil:
		return r.Start.entry(workload.Start)
	case r.Finish != nil:
		return r.Finish.entry(workload.Finish)
	}
	return nil, errors.New("no begin, name, expect, submit, start or finish")
}

func (r *event) entry(kind workload.EventKind) (Entry, error) {
	e := &r.Event
	e.Kind, e.Job = kind, workload.UnknownJob()
	e.Job.Row = r.Row
	if kind != workload.Submit {
		e.AnsweredAt = Number(math.NaN())
	}
	return e, r.Columns.enter(&e.Job, fieldsOf(kind))
}

// appendLine adds the line of an entry, the store's line of that number.
func appendLine(b []byte, number int64, e Entry) ([]byte, error) {
	r, err := e.record()
	var text []byte
	if err == nil {
		text, err = json.Marshal(r)
	}
	if n := len(text) + 2*sumDigits + 20; err == nil && n > maxLine {
		err = fmt.Errorf("an entry of %d bytes, want fewer than %d", n, maxLine)
	}
	if err != nil {
		return b, fmt.Errorf("journal: %w", err)
	}
	text = append(append(strconv.AppendInt(nil, number, 10), ' '), text...)
	b = append(append(b, checksum(text)...), ' ')
	return append(append(b, text...), '\n'), nil
}

// lines reads the lines of a segment.
type lines struct {
	name string
	r    *bufio.Reader
	done func() error

	line  int64  // number of the line read last
	count int64  // its number in the store; before the first, that of the line before; -1: not known
	json  []byte // of it, valid until the next
}

// errTorn reports that a segment ends within a line.
var errTorn = errors.New("the file ends within a line: it is damaged")

// next reads the next line; io.EOF at the end, errTorn where the last line has no end.
func (l *lines) next() error {
	text, err := l.r.ReadSlice('\n')
	if err == io.EOF && len(text) == 0 {
		return io.EOF
	}
	l.line++
	switch {
	case err == io.EOF:
		return errTorn
	case err == bufio.ErrBufferFull:
		return l.fault("", fmt.Sprintf("a line of more than %d bytes", maxLine), "one that is not damaged")
	case err != nil:
		return &workload.InputError{File: l.name, Line: l.line, Err: err}
	}
	text = text[:len(text)-1]
	sum, rest, _ := bytes.Cut(text, []byte{' '})
	digits, json, whole := bytes.Cut(rest, []byte{' '})
	if len(sum) != sumDigits || !whole {
		return l.fault("", workload.Shorten(text), "a checksum of 8 hexadecimal digits, a number and JSON, with spaces between them")
	}
	if want := checksum(rest); !bytes.Equal(want, sum) {
		return l.fault("checksum", workload.Shorten(sum), string(want)+", that of the line: it is damaged")
	}
	number, err := strconv.ParseInt(string(digits), 10, 64)
	switch {
	case err != nil || number < 1:
		return l.fault("number", workload.Shorten(digits), "the number of the line in the store")
	case l.count >= 0 && number != l.count+1:
		return l.fault("number", string(digits), fmt.Sprintf("%d: lines of the store are missing or out of order", l.count+1))
	}
	l.count, l.json = number, json
	return nil
}

// entry decodes the line.
func (l *lines) entry(first bool) (Entry, error) {
	var r record
	err := json.Unmarshal(l.json, &r)
	var e Entry
	if err == nil {
		e, err = r.entry()
	}
	if err != nil {
		return nil, &workload.InputError{File: l.name, Line: l.line, Saw: workload.Shorten(l.json), Want: "an entry of a store", Err: err}
	}
	if _, begin := e.(*Begin); begin != (first && l.line == 1) {
		return nil, l.fault("", workload.Shorten(l.json), "a begin entry in the first line of the store, and only there")
	}
	return e, nil
}

// fault is an error about the line.
func (l *lines) fault(field, saw, want string) error {
	return &workload.InputError{File: l.name, Line: l.line, Field: field, Saw: saw, Want: want}
}
