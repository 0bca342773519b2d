package logfile

import (
	"io"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// Output is a file of jobs that is being written. It appears under its name
// with Commit, whole; until then, and after Abort, there is nothing, or what
// was there before. So the output may be the very file that is read.
type Output struct {
	Format string // its name, with .gz or .zst behind it where it is compressed

	format *workload.Format

	file    *File // nil where it is a stream
	w       workload.Writer
	late    *LateWriter // w, where the header may come last
	header  workload.Header
	workers int
	losses  []workload.Loss
	whole   bool        // after Finish
	gone    atomic.Bool // after Abort, unless committed before, or an error of Finish
	done    bool        // after Commit
}

// Create opens a file for jobs, in the format of its extension (see FormatOf). Write the
// jobs by WriteAll or Write, then Commit; a deferred Abort removes what an error left. An
// unknown extension, a missing folder (errors.Is fs.ErrNotExist) and a file that may not
// be written are errors before anything is written.
func Create(path string, h workload.Header, o workload.WriteOptions) (*Output, error) {
	format, err := FormatOf(path, o.Formats)
	if err != nil {
		return nil, err
	}
	f, err := NewFile(path)
	if err != nil {
		return nil, err
	}
	out, err := NewOutput(format, f, h, o)
	if err != nil {
		f.Abort()
		return nil, err
	}
	out.file = f
	return out, nil
}

// NewOutput writes jobs in a format (see Formats) to a stream as they come,
// and counts what the format cannot hold. Commit ends it and leaves w open.
func NewOutput(format string, w io.Writer, h workload.Header, o workload.WriteOptions) (*Output, error) {
	out := &Output{Format: format, header: h, workers: par.Workers(o.Workers)}
	var err error
	if out.format, _, err = splitFormat(format, o.Formats); err != nil {
		return out, err
	}
	if o.HeaderLast {
		out.late, err = NewLateWriter(format, w, h, o)
		out.w = out.late
	} else {
		out.w, err = NewWriter(format, w, h, o)
	}
	return out, err
}

// SetHeader replaces the header, up to Commit, of an output created with
// HeaderLast; of another it is a programmer's error.
func (o *Output) SetHeader(h workload.Header) {
	if o.late == nil {
		panic("logfile: SetHeader of an output without HeaderLast")
	}
	o.header = h
}

// ended returns ErrEnded with the output's name.
func (o *Output) ended() error {
	if o.file == nil {
		return ErrEnded
	}
	return o.file.ended()
}

// Write writes a batch, which it does not keep. After Finish, Commit or Abort it is
// ErrEnded.
func (o *Output) Write(rec workload.Batch) error {
	if o.whole || o.gone.Load() {
		return o.ended()
	}
	o.lose(o.lossesOf(rec))
	return o.w.Write(rec)
}

// Finish ends the file: it is whole, but not yet in its place. After an error
// nothing is left of it. A second call does nothing; one after Abort is ErrEnded.
func (o *Output) Finish() error {
	switch {
	case o.gone.Load():
		return o.ended()
	case o.whole:
		return nil
	}
	if o.late != nil {
		o.late.SetHeader(o.header)
	}
	err := o.w.Close()
	switch {
	case err == nil && o.file != nil:
		err = o.file.Finish()
	case o.file != nil:
		o.file.Abort()
	}
	o.whole = err == nil
	o.gone.Store(err != nil)
	return err
}

// Place is File.Place; empty of a stream.
func (o *Output) Place() string {
	if o.file == nil {
		return ""
	}
	return o.file.Place()
}

// Commit finishes the file and puts it in its place. After an error nothing is
// left of it. A second call does nothing; one after Abort is ErrEnded.
func (o *Output) Commit() error {
	err := o.Finish()
	if err == nil && o.file != nil {
		err = o.file.Commit()
	}
	o.done = err == nil
	o.gone.Store(err != nil)
	return err
}

// Abort removes what was written. After Commit it does nothing, so that it can
// be deferred.
func (o *Output) Abort() {
	o.gone.Store(!o.done)
	if o.late != nil {
		o.late.Discard()
	}
	if o.file != nil {
		o.file.Abort()
	}
}

// lossesOf is what the format leaves out of a record.
func (o *Output) lossesOf(rec workload.Batch) []workload.Loss {
	if o.format == nil || o.format.Losses == nil {
		return nil
	}
	return o.format.Losses(rec)
}

func (o *Output) lose(more []workload.Loss) {
	for _, l := range more {
		i := slices.IndexFunc(o.losses, func(x workload.Loss) bool { return x.Column == l.Column && x.Why == l.Why })
		if i < 0 {
			o.losses = append(o.losses, l)
			continue
		}
		o.losses[i].Values += l.Values
	}
}

// Losses returns what of the jobs written so far, and of the header, the format
// could not hold, in the order of the columns; the header, whose values are
// its lines, comes first under the column "header". Parquet and Arrow hold
// everything.
func (o *Output) Losses() []workload.Loss {
	var all []workload.Loss
	if o.format.HeaderLosses != nil {
		all = o.format.HeaderLosses(o.header)
	}
	all = append(all, o.losses...)
	slices.SortStableFunc(all, func(a, b workload.Loss) int { return workload.ColumnIndex(a.Column) - workload.ColumnIndex(b.Column) })
	return all
}

// WriteAll writes a stream of batches. Batches of a text format are formatted
// on several cores at once; the bytes are the same. After Finish, Commit or Abort it is
// ErrEnded, and the stream is not read.
func (o *Output) WriteAll(batches workload.BatchSeq) error {
	if o.whole || o.gone.Load() {
		return o.ended()
	}
	w := o.w
	if p, ok := w.(*packedWriter); ok {
		w = p.Writer
	}
	text, ok := w.(*parse.Writer)
	if !ok || o.workers < 2 {
		for rec, err := range batches {
			if err != nil {
				return err
			}
			if err := o.Write(rec); err != nil {
				return err
			}
		}
		return nil
	}
	type lines struct {
		text   []byte
		losses []workload.Loss
	}
	// Buffers are used again: there are as many as batches under way.
	free := sync.Pool{New: func() any { return new([]byte) }}
	kept := func(yield func(workload.Batch, error) bool) {
		for rec, err := range batches {
			if err == nil {
				// The stream releases it while it is being formatted.
				rec.Retain()
			}
			if !yield(rec, err) {
				if err == nil {
					rec.Release()
				}
				return
			}
		}
	}
	format := func(rec workload.Batch) (lines, error) {
		defer rec.Release()
		if err := text.Check(rec); err != nil {
			return lines{}, err
		}
		b := *free.Get().(*[]byte)
		return lines{text.Format(b[:0], rec), o.lossesOf(rec)}, nil
	}
	for l, err := range par.Map(o.workers, kept, format, nil) {
		if err != nil {
			return err
		}
		o.lose(l.losses)
		if err := text.WriteLines(l.text); err != nil {
			return err
		}
		free.Put(&l.text)
	}
	return nil
}

// WriteAll writes a stream of batches to w and leaves it open.
func WriteAll(w workload.Writer, batches workload.BatchSeq) error {
	o := Output{w: w, workers: par.Workers(0)}
	return o.WriteAll(batches)
}
