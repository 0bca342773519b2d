package mapping

import (
	"bufio"
	"io"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/delimited"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// CSV is the format of CSV tables with a header line. Columns are found by the names of the
// job table, by common other names for the same values, or by Options.Map.
var CSV = workload.Format{
	Name:       "csv",
	Extensions: []string{".csv"},
	Text:       true,
	Sniff:      sniffCSV,
	Open: func(name string, r *bufio.Reader, o workload.Options) (*workload.Log, error) {
		return openCSV(name, r, o, 0)
	},
	Create: func(w io.Writer, _ workload.Header, o workload.WriteOptions) (workload.Writer, error) {
		return delimited.NewWriter(w, o.Columns), nil
	},
	HeaderLast:   true, // there is none
	HeaderLosses: func(h workload.Header) []workload.Loss { return delimited.HeaderLosses(&h) },
}

func sniffCSV(name string, r *bufio.Reader, _ workload.Options) bool {
	head, _ := r.Peek(parse.Sniffed)
	return delimited.Sniff(name, head)
}

// openCSV opens a log in CSV. Its columns are found by Options.Map and by their names.
func openCSV(name string, r io.Reader, o workload.Options, chunk int) (*workload.Log, error) {
	s, err := csvSource(name, r, o, chunk)
	if err != nil {
		return nil, err
	}
	m, err := fromPairs("csv", name, namesOf(s.columns), o.Map)
	if e, ok := err.(*workload.InputError); ok && e.Err == nil {
		e.Line = 1
	}
	if err != nil {
		return nil, err
	}
	return open(m, s, o)
}
