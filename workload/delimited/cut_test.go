package delimited

import (
	"encoding/csv"
	"io"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// SimpleRecords returns the records of a text up to the first fault, according to encoding/csv.
func SimpleRecords(text string) (records [][]string, err error) {
	r := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\xef\xbb\xbf")))
	r.FieldsPerRecord = -1
	for {
		record, err := r.Read()
		if err == io.EOF {
			return records, nil
		}
		if err != nil {
			return records, err
		}
		records = append(records, record)
	}
}

// CutRecords returns the same records as read by this package, in chunks of about size bytes.
func CutRecords(text string, size int) (records [][]string, err error) {
	lines := parse.NewLines("x", strings.NewReader(text), size, 2)
	lines.Cut = recordsEnd
	for {
		chunk, err := lines.Next()
		if err == io.EOF {
			return records, nil
		}
		if err != nil {
			return records, err
		}
		r := newRecords("x", string(chunk), ',')
		lines.Recycle(chunk)
		for err = r.next(); err == nil; err = r.next() {
			records = append(records, slices.Clone(r.fields))
		}
		if err != io.EOF {
			return records, err
		}
	}
}
