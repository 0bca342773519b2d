package slurm

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/jsontext"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// SacctJSON is the format of the output of sacct --json.
// It is read-only.
var SacctJSON = workload.Format{
	Name:  "sacct",
	JSON:  true,
	Sniff: sniffJSON(jsonSacct),
	Open: func(name string, r *bufio.Reader, o workload.Options) (*workload.Log, error) {
		return openSacctJSON(name, r, o, parse.ChunkSize)
	},
}

// OtherJSON recognises JSON of Slurm that contains no jobs, in order to refuse it with a
// helpful message.
var OtherJSON = workload.Format{
	Name:  "slurm",
	JSON:  true,
	Sniff: sniffJSON(jsonOther),
	Open: func(name string, r *bufio.Reader, _ workload.Options) (*workload.Log, error) {
		return nil, &workload.InputError{File: name, Saw: "Slurm's JSON with " + parse.ListShort(peekJSON(r).members), Want: "jobs: the output of sacct --json, squeue --json or scontrol show job --json"}
	},
}

// openSacctJSON reads what sacct --json prints: the records that openSacct reads, with
// the same meaning. Data parsers 0.0.37 to 0.0.46 are known. Several outputs may stand
// behind one another. Times are seconds since 1970: second 0 is midnight UTC of the day
// on which the first job was submitted, unless a time zone is given.
func openSacctJSON(name string, r *bufio.Reader, o workload.Options, size int) (*workload.Log, error) {
	s, err := newSacctReader(name, "sacct", o)
	if err != nil {
		return nil, err
	}
	j := &sacctJSON{name: name, zone: s.zone, array: newJobArray(r, size, 2*s.workers+2)}
	j.array.Member = func(key string, value []byte) { jsonErrors(key, value, &s.from.Warnings) }
	return s.open(j, sacctJSONLayout)
}

// jsonErrors counts what Slurm says that went wrong, as where the database does not
// answer.
func jsonErrors(key string, value []byte, w *workload.Warnings) {
	if key != "errors" {
		return
	}
	var s jsontext.Scanner
	s.Reset(value, 0, true)
	if s.Kind() != '[' || !s.Enter('[') {
		return
	}
	for s.Next() {
		w.Add("slurm-errors", "Slurm reported errors with the jobs: some jobs may be missing", 0, errorText(s.Raw()))
	}
}

// errorText returns the words of an error in Slurm's JSON: "Failed while looking for jobs:
// Unspecified error (slurm_load_jobs, error -1)".
func errorText(value []byte) string {
	var e struct {
		Description, Error, Source string
		Number                     json.Number `json:"error_number"`
	}
	if json.Unmarshal(value, &e) != nil || e.Description+e.Error == "" {
		return string(bytes.Join(bytes.Fields(value), []byte(" ")))
	}
	text := e.Description
	if e.Error != "" && e.Error != text {
		text = strings.TrimPrefix(text+": "+e.Error, ": ")
	}
	if e.Number != "" && e.Source != "" {
		return fmt.Sprintf("%s (%s, error %s)", text, e.Source, e.Number)
	}
	if e.Number != "" {
		return fmt.Sprintf("%s (error %s)", text, e.Number)
	}
	return text
}

// sacctJSON is the source of such a document's records.
type sacctJSON struct {
	name  string
	zone  *time.Location
	array *jsontext.Array
}

func (j *sacctJSON) next() (jsontext.Chunk, error) {
	c, err := j.array.Next()
	return c, jsonFault(j.name, err)
}

func (j *sacctJSON) decode(c jsontext.Chunk, b *sacctBatch) error {
	defer j.array.Recycle(c)
	d := sacctJSONJob{p: newSacctParser(j.name, sacctJSONLayout, j.zone, c.Text, b)}
	err := d.r.jobs(j.name, c, func(at jsonAt) error {
		bad, want := d.read(at.line)
		if d.r.Fault() != nil || want == "" {
			return nil
		}
		return &workload.InputError{File: j.name, Line: at.line, Field: at.member(sacctJSONLayout.fieldName(bad)), Saw: sawJSON(d.p.values[bad]), Want: want}
	})
	b.rows = b.rows[:d.p.rows]
	return err
}

// unixStart reports whether the log's zone is not known: its times are instants, but not
// which hour of the day they are.
func (s *sacctReader) unixStart() bool {
	_, json := s.source.(*sacctJSON)
	return json && !s.sure && !math.IsNaN(s.table.start)
}
