package logfile

import (
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/loadstone-hpc/loadstone/workload"
)

// packedWriter is a writer through a compression.
type packedWriter struct {
	workload.Writer
	packer io.Closer
}

// Close ends the content, then the compression.
func (p *packedWriter) Close() error {
	err := p.Writer.Close()
	if p.packer != nil {
		if e := p.packer.Close(); err == nil {
			err = e
		}
		p.packer = nil
	}
	return err
}

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
		// Frames that do not depend on the number of cores.
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
