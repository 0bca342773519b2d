package snapshots

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/loadstone-hpc/loadstone/workload"
)

// maxValues bounds the memory that a table takes: rows times features.
const maxValues = 1 << 27

// Reader reads a table from files of comma-separated values.
type Reader struct {
	mapping *Mapping
	table   Table
	groups  map[string]int
}

// NewReader returns a reader of files with the mapping m, which must be valid.
func NewReader(m *Mapping) *Reader {
	return &Reader{mapping: m, table: Table{Mapping: m}, groups: map[string]int{}}
}

// Read adds the rows of a file. name is for messages. A fault of the file is a
// *workload.InputError.
func (r *Reader) Read(name string, from io.Reader) error {
	c := csv.NewReader(from)
	c.ReuseRecord = true
	head, err := c.Read()
	if err != nil {
		return fault(name, err)
	}
	head = slices.Clone(head)
	head[0] = strings.TrimPrefix(head[0], "\ufeff")
	line := line{reader: r, name: name, csv: c}
	if err := line.find(head); err != nil {
		return err
	}
	for {
		record, err := c.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fault(name, err)
		}
		if (len(r.table.Rows)+1)*len(line.features) > maxValues {
			return &workload.InputError{File: name, Saw: fmt.Sprintf("more than %d values", maxValues), Want: "fewer snapshots or features"}
		}
		if err := line.add(record); err != nil {
			return err
		}
	}
}

// Table returns the table of all rows read. It is an error if there are none.
func (r *Reader) Table() (*Table, error) {
	if len(r.table.Rows) == 0 {
		return nil, fmt.Errorf("no row in the snapshots: %w", workload.ErrNoJobs)
	}
	slices.SortStableFunc(r.table.Rows, func(a, b Row) int { return cmp.Compare(a.Time, b.Time) })
	return &r.table, nil
}

// Head returns the column names of the table that from begins with, or nil if
// it is not a table.
func Head(from io.Reader) []string {
	head, err := csv.NewReader(io.LimitReader(from, 1<<16)).Read()
	if err != nil {
		return nil
	}
	head[0] = strings.TrimPrefix(head[0], "\ufeff")
	return head
}

// fault is an error of a file's form.
func fault(name string, err error) error {
	var form *csv.ParseError
	var input *workload.InputError
	switch {
	case errors.As(err, &input):
		return err
	case err == io.EOF:
		return &workload.InputError{File: name, Saw: "nothing", Want: "a table with the names of its columns in the first line"}
	case errors.As(err, &form):
		return &workload.InputError{File: name, Line: int64(form.Line), Want: "comma-separated values, as many in each line", Err: form.Err}
	}
	return &workload.InputError{File: name, Err: err}
}

// line reads the rows of one file.
type line struct {
	reader              *Reader
	name                string
	csv                 *csv.Reader
	time, answer, group int
	features            []int // columns, those of moments first
	head                []string
}

// find finds the columns of the mapping.
func (l *line) find(head []string) error {
	m := l.reader.mapping
	var missing []string
	at := func(column string) int {
		i := slices.Index(head, column)
		if i < 0 {
			missing = append(missing, column)
		}
		return i
	}
	l.head = head
	l.time, l.answer, l.group = at(m.Time), at(m.Answer), at(m.Group)
	for _, column := range m.Features() {
		l.features = append(l.features, at(column))
	}
	if len(missing) == 0 {
		return nil
	}
	saw := "no column " + strings.Join(missing[:min(len(missing), 3)], ", ")
	if more := len(missing) - 3; more > 0 {
		saw += fmt.Sprintf(" and %d more", more)
	}
	return &workload.InputError{File: l.name, Line: 1, Saw: saw, Want: fmt.Sprintf("the columns of the mapping %q", m.Name)}
}

// add adds a record.
func (l *line) add(record []string) error {
	r := l.reader
	row := Row{Wait: math.NaN(), Features: make([]float64, len(l.features))}
	var ok bool
	if row.Time, ok = moment(record[l.time]); !ok {
		return l.fault(l.time, record, "a date and time such as 2021-05-01 12:00:00, or seconds")
	}
	if text := record[l.answer]; text != "" {
		wait, err := strconv.ParseFloat(text, 64)
		if err != nil || !(wait >= 0 && wait <= math.MaxFloat64) {
			return l.fault(l.answer, record, "a time of 0 or more, or nothing where it is not known")
		}
		row.Wait = wait * units[r.mapping.Unit]
	}
	for i, at := range l.features {
		x := math.NaN()
		if i < len(r.mapping.Times) {
			if t, ok := moment(record[at]); ok {
				x = row.Time - t
			} else if record[at] != "" {
				return l.fault(at, record, "a date and time, seconds or nothing")
			}
		} else if v, err := strconv.ParseFloat(record[at], 64); err == nil && !math.IsInf(v, 0) {
			x = v
		} else if err != nil && record[at] != "" {
			return l.fault(at, record, "a number, or nothing where it is missing")
		}
		row.Features[i] = x
	}
	group, known := r.groups[record[l.group]]
	if !known {
		group = len(r.table.Groups)
		name := strings.Clone(record[l.group])
		r.groups[name] = group
		r.table.Groups = append(r.table.Groups, name)
	}
	row.Group = group
	r.table.Rows = append(r.table.Rows, row)
	return nil
}

func (l *line) fault(at int, record []string, want string) error {
	line, _ := l.csv.FieldPos(at)
	return &workload.InputError{File: l.name, Line: int64(line), Field: l.head[at], Saw: workload.Shorten([]byte(record[at])), Want: want}
}

// moment reads a date and time, which counts as UTC, or seconds.
func moment(text string) (float64, bool) {
	if x, err := strconv.ParseFloat(text, 64); err == nil {
		return x, !math.IsNaN(x) && !math.IsInf(x, 0)
	}
	if t, ok := workload.ParseDate(text, time.UTC); ok {
		return float64(t.Unix()), true
	}
	return 0, false
}
