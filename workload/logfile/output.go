package logfile

import (
	"bufio"
	"cmp"
	"io"
	"slices"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// packedWriter is a writer whose output is compressed.
type packedWriter struct {
	workload.Writer
	packer io.Closer
}

// Close completes the content, then the compression.
func (p *packedWriter) Close() error { return cmp.Or(p.Writer.Close(), p.packer.Close()) }

// NewWriter returns a writer to w in the named format (see Formats), such as "swf.gz". Its
// Close completes the output but does not close w. "arrow" is the Arrow file format, which
// needs random access for reading; "arrows" is the Arrow stream format.
func NewWriter(format string, w io.Writer, h workload.Header, o workload.WriteOptions) (workload.Writer, error) {
	f, pack, err := splitFormat(format, o.Formats)
	if err != nil {
		return nil, err
	}
	for _, f := range among(o.Formats) {
		if f.Check == nil {
			continue
		}
		if err := f.Check(o); err != nil {
			return nil, err
		}
	}
	var packer io.WriteCloser
	switch pack {
	case "":
		return f.Create(w, h, o)
	case "gz":
		packer = gzip.NewWriter(w)
	case "zst":
		// The frames must not depend on the number of cores.
		if packer, err = zstd.NewWriter(w, zstd.WithEncoderConcurrency(1)); err != nil {
			return nil, err
		}
	}
	out, err := f.Create(packer, h, o)
	if err != nil {
		return nil, err
	}
	return &packedWriter{out, packer}, nil
}

// Output is a file of jobs that is being written. It appears under its name when Commit has
// completed it. Until then, and after Abort, the target is as it was before, so it may be
// the file from which the jobs are read.
type Output struct {
	Format string // name of the format, with .gz or .zst appended if compressed

	format  *workload.Format
	options workload.WriteOptions
	header  workload.Header

	file   *File
	w      workload.Writer // nil while the jobs are in the spool
	spool  *spool          // for a format that begins with the header, if that comes last
	losses []workload.Loss
}

// Create opens a file for jobs in the format of its extension (see FormatOf). Write the
// jobs with WriteAll or Write, then call Commit; a deferred Abort cleans up after an error.
// An unknown extension, a missing folder (errors.Is fs.ErrNotExist) and a file without
// write permission are reported here.
func Create(path string, h workload.Header, o workload.WriteOptions) (*Output, error) {
	format, err := FormatOf(path, o.Formats)
	if err != nil {
		return nil, err
	}
	f, err := NewFile(path)
	if err != nil {
		return nil, err
	}
	out, err := newOutput(format, f, h, o)
	if err != nil {
		f.Abort()
	}
	return out, err
}

// NewOutput returns an Output that writes to w in the named format (see Formats) and counts what
// the format cannot hold. Commit completes the output but does not close w.
//
// With WriteOptions.HeaderLast, the header is complete only after the jobs have been written: it
// may list what a filter removed, or the names that a reader found. In formats that begin with
// the header, the jobs are kept in a temporary file until then.
func NewOutput(format string, w io.Writer, h workload.Header, o workload.WriteOptions) (*Output, error) {
	return newOutput(format, &File{buf: bufio.NewWriterSize(w, 1<<16)}, h, o)
}

func newOutput(format string, f *File, h workload.Header, o workload.WriteOptions) (out *Output, err error) {
	out = &Output{Format: format, options: o, header: h, file: f}
	if out.format, _, err = splitFormat(format, o.Formats); err != nil {
		return nil, err
	}
	if o.HeaderLast && !out.format.HeaderLast {
		out.spool, err = newSpool()
	} else {
		out.w, err = NewWriter(format, f, h, o)
	}
	return out, err
}

// SetHeader replaces the header before Commit. It panics unless the output was created with
// WriteOptions.HeaderLast.
func (o *Output) SetHeader(h workload.Header) {
	if !o.options.HeaderLast {
		panic("logfile: SetHeader of an output without HeaderLast")
	}
	o.header = h
}

// Write writes a batch. It does not retain it. After Finish, Commit or Abort it returns
// ErrEnded.
func (o *Output) Write(b *workload.Batch) error {
	if err := o.file.ended(); err != nil {
		return err
	}
	o.lose(o.lossesOf(b))
	if o.spool != nil {
		return o.spool.Write(b)
	}
	return o.w.Write(b)
}

// Finish completes the file under its temporary name. On an error the temporary file is
// removed. A second call does nothing; a call after Abort returns ErrEnded.
func (o *Output) Finish() error {
	if o.file.ended() == nil {
		if err := o.end(); err != nil {
			o.file.Abort()
			return err
		}
	}
	return o.file.Finish()
}

// end writes the header and, if they had to wait for it, the jobs.
func (o *Output) end() (err error) {
	if o.spool != nil {
		defer o.spool.free()
		if o.w, err = NewWriter(o.Format, o.file, o.header, o.options); err != nil {
			return err
		}
		jobs, err := o.spool.log()
		if err != nil {
			return err
		}
		waiting := Output{w: o.w, options: o.options, file: new(File)}
		if err := waiting.WriteAll(jobs.Batches()); err != nil {
			o.w.Close()
			return err
		}
	} else if w, ok := o.w.(interface{ SetHeader(workload.Header) error }); ok && o.options.HeaderLast {
		err = w.SetHeader(o.header)
	}
	return cmp.Or(err, o.w.Close())
}

// Place returns File.Place of the output's file; it is "" for a stream.
func (o *Output) Place() string { return o.file.Place() }

// Commit finishes the file and renames it to its target. On an error the temporary file is
// removed. A second call does nothing; a call after Abort returns ErrEnded.
func (o *Output) Commit() error {
	if err := o.Finish(); err != nil {
		return err
	}
	return o.file.Commit()
}

// Abort removes the temporary file. After Commit it does nothing, so it can be deferred.
func (o *Output) Abort() {
	if o.spool != nil {
		o.spool.free()
	}
	o.file.Abort()
}

// lossesOf returns the values of a batch that the format cannot hold.
func (o *Output) lossesOf(b *workload.Batch) []workload.Loss {
	if o.format == nil || o.format.Losses == nil {
		return nil
	}
	return o.format.Losses(b)
}

// lose adds losses to those counted so far.
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

// Losses returns what the format could not hold of the jobs written so far and of the
// header, in the order of the columns. Lost header lines come first, under the column
// "header". Parquet and Arrow lose nothing.
func (o *Output) Losses() []workload.Loss {
	var all []workload.Loss
	if o.format.HeaderLosses != nil {
		all = o.format.HeaderLosses(o.header)
	}
	all = append(all, o.losses...)
	slices.SortStableFunc(all, func(a, b workload.Loss) int { return workload.ColumnIndex(a.Column) - workload.ColumnIndex(b.Column) })
	return all
}

// WriteAll writes a stream of batches. Text formats are formatted on several cores; the output
// does not depend on their number. After Finish, Commit or Abort it returns ErrEnded without
// reading the stream.
func (o *Output) WriteAll(batches workload.BatchSeq) error {
	if err := o.file.ended(); err != nil {
		return err
	}
	w, workers := o.w, par.Workers(o.options.Workers)
	if p, ok := w.(*packedWriter); ok {
		w = p.Writer
	}
	text, ok := w.(*parse.Writer)
	if !ok || workers < 2 {
		for b, err := range batches {
			if err != nil {
				return err
			}
			if err := o.Write(b); err != nil {
				return err
			}
		}
		return nil
	}
	type lines struct {
		text   []byte
		losses []workload.Loss
	}
	// Buffers are reused: there are only as many as batches under way.
	free := sync.Pool{New: func() any { return new([]byte) }}
	format := func(b *workload.Batch) (lines, error) {
		if err := text.Check(b); err != nil {
			return lines{}, err
		}
		to := *free.Get().(*[]byte)
		return lines{text.Format(to[:0], b), o.lossesOf(b)}, nil
	}
	for l, err := range par.Map(workers, batches, format, nil) {
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

// WriteAll writes a stream of batches to w. It does not close w.
func WriteAll(w workload.Writer, batches workload.BatchSeq) error {
	o := Output{w: w, file: new(File)}
	return o.WriteAll(batches)
}
