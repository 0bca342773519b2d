package slurm

import (
	"bufio"
	"bytes"
	"io"
	"sync"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/jsontext"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// reader holds the state that reading accounting and reading a queue have in common.
type reader struct {
	name    string
	workers int
	zone    *time.Location
	sure    bool // the zone was given as an option
	log     *workload.Log
	from    *workload.Reading
	source  source
	layout  *layout
	ahead   []*batch // batches decoded when the log was opened
	line    int64    // lines read so far; 0 if the source counts them
	local   bool     // there are local times
	counted counts
	pending pendingTimes
	order   parse.SubmitOrder // for accounting
	spare   sync.Pool         // batches for reuse

	names  parse.Names
	last   [textCount]int32 // number in the batch of the text of each kind looked up last
	number [textCount]int64 // and its number in the log
}

// newReader opens a listing in any form: of the queue, or of accounting.
func newReader(name, format string, text *bufio.Reader, o workload.Options, size int, queue bool) (*reader, error) {
	zone, err := o.Zone()
	if err != nil {
		return nil, err
	}
	r := &reader{name: name, workers: par.Workers(o.Workers), zone: zone, sure: o.TimeZone != ""}
	r.log, r.from = workload.NewLog(name, format)
	r.from.Names = &r.names.Names
	switch f, _ := formOf(text, o); {
	case f == sacctJSON, f == queueJSON:
		r.openJSON(text, size, queue)
	case f == scontrolText && queue:
		r.openScontrol(text, size)
	default:
		err = r.openLines(text, size, queue)
	}
	return r, err
}

// buffers returns the number of chunks that may be in use at a time.
func (r *reader) buffers() int { return 2*r.workers + 2 }

func (r *reader) decode(c jsontext.Chunk) (*batch, error) {
	b, _ := r.spare.Get().(*batch)
	if b == nil {
		b = &batch{}
	}
	b.reset()
	return b, r.source.decode(c, b)
}

// batches decodes the chunks, several at a time, and yields the batches in order, with lines
// counted over the whole log.
func (r *reader) batches(yield func(*batch, error) bool) {
	use := func(b *batch) bool {
		r.take(b)
		more := yield(b, nil)
		r.line += b.lines
		r.spare.Put(b)
		return more
	}
	for _, b := range r.ahead {
		if !use(b) {
			return
		}
	}
	r.ahead = nil
	chunks := func(yield func(jsontext.Chunk, error) bool) {
		for {
			c, err := r.source.next()
			if err == io.EOF || !yield(c, err) || err != nil {
				return
			}
		}
	}
	for b, err := range par.Map(r.workers, chunks, r.decode, nil) {
		if err != nil {
			yield(nil, parse.AtLine(err, r.line))
			return
		}
		if !use(b) {
			return
		}
	}
}

// take adds the warnings of a batch to those of the log, and makes its line numbers absolute.
func (r *reader) take(b *batch) {
	b.warnings.MoveLines(r.line)
	r.from.Warnings.Merge(&b.warnings)
	if b.local && !r.local && !r.sure {
		r.from.Warnings.Add("no-time-zone", "local times without a zone, read as UTC: name the zone by --timezone, such as Europe/Zurich", 0, "")
	}
	r.local = r.local || b.local
	for i := range b.rows {
		b.rows[i].line += r.line
	}
	r.last = [textCount]int32{}
}

// numberOf returns the log's number for a name of a row, workload.Unknown if there is none.
func (r *reader) numberOf(b *batch, j *row, name int) int64 {
	n := j.texts[name]
	switch n {
	case 0:
		return workload.Unknown
	case r.last[name]:
		return r.number[name]
	}
	col, text := nameColumns[name], b.text(n)
	before := r.names.Len(col)
	id, known := r.names.Find(col, string(text))
	if !known {
		if bytes.ContainsAny(text, "\r\n") {
			text = []byte(workload.OneLine(string(text)))
		}
		id, known = r.names.NumberOf(col, text)
	}
	if !known {
		r.names.LeftOut(col, j.line)
		return workload.Unknown
	}
	if col == clusterColumn && 0 < before && before < r.names.Len(col) {
		r.from.Warnings.Add("several-clusters", "clusters beyond the first in one log: their jobs may share numbers", j.line, workload.Shorten(text))
	}
	r.last[name], r.number[name] = n, id
	return id
}

// setNames sets the columns of a job that hold the log's numbers for names.
func (r *reader) setNames(b *batch, j *row) {
	for name, col := range nameColumns[:clusterText] {
		if n := r.numberOf(b, j, name); n != workload.Unknown {
			workload.ColumnAt(col).SetInt(&j.Job, n)
		}
	}
}

// midnight returns the start, in the site's time zone, of the day of a moment: second 0 of the
// log.
func (r *reader) midnight(moment float64) float64 {
	y, m, d := time.Unix(int64(moment), 0).In(r.zone).Date()
	return float64(time.Date(y, m, d, 0, 0, 0, 0, r.zone).Unix())
}

// writeClock adds the start of the log and the time zone to the header. hours reports whether
// the log has local times. If it has none, the site's zone is not known, unless one is given
// (workload.Log.PlaceIn).
func (r *reader) writeClock(start float64, hours bool) {
	r.log.Header.Add("UnixStartTime", parse.FormatNumber(start))
	if hours {
		r.log.Header.Add("TimeZoneString", r.zone.String())
	}
}

// taken sets the time at which the log was written, from seconds since 1970; 0 means unknown.
func (r *reader) taken(moment, start float64) {
	if at := moment - start; moment > 0 && at == at && !(r.from.TakenKnown && at <= r.from.Taken) {
		r.from.Taken, r.from.TakenKnown = at, true
	}
}

// batchesOf returns the batches of a log. each calls a function for every job, with its line,
// until that returns false. The jobs' times become seconds from start.
func (r *reader) batchesOf(start float64, each func(func(j *workload.Job, line int64) bool) error) workload.BatchSeq {
	var at []int64 // lines of the jobs in the next batch
	jobs := func(yield func(workload.Job, error) bool) {
		err := each(func(j *workload.Job, line int64) bool {
			j.MoveTo(j.Submit - start)
			at = append(at, line)
			return yield(*j, nil)
		})
		if err != nil {
			yield(workload.Job{}, err)
		}
	}
	return func(yield func(*workload.Batch, error) bool) {
		row := int64(0)
		for b, err := range workload.Batches(jobs) {
			if err == nil {
				r.from.Lines = workload.NewRowLines(row, len(at), func(i int) int64 { return at[i] })
				if !r.layout.queue {
					r.order.Count(b, &r.from.Warnings, func(i int) int64 { return at[i] })
				}
				row, at = row+int64(b.Rows), at[:0]
			}
			if !yield(b, err) {
				return
			}
		}
	}
}
