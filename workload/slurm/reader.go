package slurm

import (
	"bytes"
	"io"
	"iter"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/jsontext"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// reader is what reading accounting and reading a queue have in common.
type reader struct {
	name    string
	workers int
	zone    *time.Location
	sure    bool // the zone was given
	log     *workload.Log
	from    *workload.Reading
	source  source
	layout  *layout
	spare   chan *batch // to use again
	line    int64       // lines read so far, 0 where the source counts
	local   bool        // there were local times

	names  parse.Names
	global [workload.NumColumns][]int32 // a chunk's numbers to the log's; 0: not yet met
}

func newReader(name, format string, o workload.Options) (*reader, error) {
	zone, err := o.Zone()
	if err != nil {
		return nil, err
	}
	r := &reader{name: name, workers: par.Workers(o.Workers), zone: zone, sure: o.TimeZone != ""}
	r.spare = make(chan *batch, 2*r.workers+2)
	r.log, r.from = workload.NewLog(name, format)
	r.from.Names = &r.names.Names
	return r, nil
}

func (r *reader) decode(c jsontext.Chunk) (*batch, error) {
	var b *batch
	select {
	case b = <-r.spare:
		b.reset()
	default:
		b = &batch{}
	}
	return b, r.source.decode(c, b)
}

// batches decodes the chunks, several at a time, and yields what became of them in order.
func (r *reader) batches() iter.Seq2[*batch, error] {
	chunks := func(yield func(jsontext.Chunk, error) bool) {
		for {
			c, err := r.source.next()
			if err == io.EOF || !yield(c, err) || err != nil {
				return
			}
		}
	}
	return par.Map(r.workers, chunks, r.decode, nil)
}

// take begins to take over a batch: its warnings and the numbers of lines.
func (r *reader) take(b *batch) {
	for _, w := range b.warnings.List() {
		w.Line += r.line
		r.from.Warnings.Count(w)
	}
	if b.local && !r.local && !r.sure {
		r.from.Warnings.Add("no-time-zone", "local times without a zone, read as UTC: name the zone by --timezone, such as Europe/Zurich", 0, "")
	}
	r.local = r.local || b.local
	for col := range r.global {
		r.global[col] = append(r.global[col][:0], make([]int32, b.names[col].Len()+1)...)
	}
	for i := range b.rows {
		b.rows[i].line += r.line
	}
	for i := range b.steps {
		b.steps[i].line += r.line
	}
}

// finish ends what take began.
func (r *reader) finish(b *batch) {
	r.line += b.lines
	select {
	case r.spare <- b:
	default:
	}
}

// number is the log's number of a chunk's, 0 for none.
func (r *reader) number(b *batch, col int, n int32, line int64) int32 {
	if n == 0 {
		return 0
	}
	if g := r.global[col][n]; g != 0 {
		return g
	}
	text := b.names[col].At(int64(n))
	before := r.names.Len(col)
	id, known := r.names.Find(col, string(text))
	if !known {
		if bytes.ContainsAny(text, "\r\n") {
			text = []byte(workload.OneLine(string(text)))
		}
		id, known = r.names.NumberOf(col, text)
	}
	if !known {
		r.names.LeftOut(col, line)
		return 0
	}
	if col == clusterColumn && 0 < before && before < r.names.Len(col) {
		r.from.Warnings.Add("several-clusters", "clusters beyond the first in one log: their jobs may share numbers", line, workload.Shorten(text))
	}
	r.global[col][n] = int32(id)
	return int32(id)
}

// setNames gives a job the log's numbers of its names.
func (r *reader) setNames(b *batch, j *row) {
	for i, col := range nameColumns {
		if n := r.number(b, col, j.names[i], j.line); n != 0 {
			workload.ColumnAt(col).SetInt(&j.Job, int64(n))
		}
	}
}

// midnight is the beginning, at the site, of the day of a moment: where the log's seconds
// begin.
func (r *reader) midnight(moment float64) float64 {
	y, m, d := time.Unix(int64(moment), 0).In(r.zone).Date()
	return float64(time.Date(y, m, d, 0, 0, 0, 0, r.zone).Unix())
}

// writeClock begins the header. Where all times are instants and no zone was given, the site's
// hours are not known.
func (r *reader) writeClock(h *workload.Header, start float64, hours bool) {
	h.Add("UnixStartTime", parse.FormatNumber(start))
	if hours || r.sure {
		h.Add("TimeZoneString", r.zone.String())
	}
}

// taken sets the moment at which the log was written, since 1970, 0 where it is not known.
func (r *reader) taken(moment, start float64) {
	if at := moment - start; moment > 0 && at == at && !(r.from.TakenKnown && at <= r.from.Taken) {
		r.from.Taken, r.from.TakenKnown = at, true
	}
}

// batchOf makes a batch of n rows, whose times become seconds from start: of the columns of the
// standard workload format that Slurm has, and of optional ones. It also returns their lines.
func batchOf(n int, at func(i int) *row, start float64, has workload.ColumnSet) (*workload.Batch, *workload.RowLines) {
	b := &workload.Batch{Rows: n}
	var columns []int
	for col := range workload.NumColumns {
		if !has.Has(col) {
			continue
		}
		columns = append(columns, col)
		if workload.ColumnAt(col).Float() {
			b.Floats[col] = make([]float64, n)
		} else {
			b.Ints[col] = make([]int64, n)
		}
	}
	lines, last := &workload.RowLines{}, int64(0)
	for i := range n { // not by columns, each of which would fetch all rows from memory
		r := at(i)
		if i == 0 {
			lines.Line = r.line - 1
		} else if gap := r.line - last - 1; gap != 0 {
			lines.Gaps = append(lines.Gaps, workload.LineGap{Row: i, Lines: int(gap)})
		}
		last = r.line
		r.MoveTo(r.Submit - start)
		for _, col := range columns {
			if c := workload.ColumnAt(col); b.Floats[col] != nil {
				b.Floats[col][i] = c.Number(&r.Job)
			} else {
				b.Ints[col][i] = c.Int(&r.Job)
			}
		}
	}
	return b, lines
}
