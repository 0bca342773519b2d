package workload

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Formats are the names of the formats that can be written; each is the
// extension of its files too, but for "batsim", the workload file of that
// simulator, whose names end in .batsim.json. A text format may have .gz or .zst
// behind it.
func Formats() []string {
	return []string{"swf", "gwf", "parquet", "arrow", "arrows", "csv", "batsim"}
}

// FormatOf returns the format that a file's name asks for by its extension,
// such as "parquet" or "swf.gz".
func FormatOf(path string) (string, error) {
	name := strings.ToLower(filepath.Base(path))
	pack := ""
	for _, p := range []string{".gz", ".zst"} {
		if strings.HasSuffix(name, p) {
			name, pack = strings.TrimSuffix(name, p), p
		}
	}
	format := strings.TrimPrefix(filepath.Ext(name), ".")
	switch format {
	case "json":
		if !strings.HasSuffix(name, ".batsim.json") {
			return "", fmt.Errorf("%s: jobs are written as JSON for the simulator Batsim only: want a name that ends in .batsim.json", path)
		}
		format = "batsim"
	case "pq":
		format = "parquet"
	case "feather", "ipc":
		format = "arrow"
	}
	if _, _, err := splitFormat(format + pack); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return format + pack, nil
}

// splitFormat takes a format apart: "swf.gz" is "swf" and "gz".
func splitFormat(format string) (base, pack string, err error) {
	base, pack, _ = strings.Cut(format, ".")
	for _, f := range Formats() {
		if base != f {
			continue
		}
		switch {
		case pack == "":
			return base, pack, nil
		case base != "swf" && base != "gwf" && base != "csv" && base != "batsim":
			return "", "", fmt.Errorf("%s files are compressed already: leave .%s away", base, pack)
		case pack == "gz" || pack == "zst":
			return base, pack, nil
		}
	}
	return "", "", fmt.Errorf("unknown format %q, want one of %s (.swf, .gwf, .csv and .batsim.json also with .gz or .zst behind it)",
		format, strings.Replace("."+strings.Join(Formats(), ", ."), ".batsim", ".batsim.json", 1))
}

// NewWriter returns a writer of a format (see Formats) to w, which Close
// leaves open. "arrow" is a file, which readers jump about in; "arrows" is a
// stream.
func NewWriter(format string, w io.Writer, h Header) (Writer, error) {
	return newWriter(format, w, h, WriteOptions{})
}

func newWriter(format string, w io.Writer, h Header, o WriteOptions) (Writer, error) {
	base, pack, err := splitFormat(format)
	if err != nil {
		return nil, err
	}
	delay, err := batsimDelay(o.Batsim)
	if err != nil {
		return nil, err
	}
	var packer io.WriteCloser
	switch pack {
	case "gz":
		packer = gzip.NewWriter(w)
	case "zst":
		// Frames that do not depend on the number of cores.
		if packer, err = zstd.NewWriter(w, zstd.WithEncoderConcurrency(1)); err != nil {
			return nil, err
		}
	}
	if packer != nil {
		w = packer
	}
	switch base {
	case "parquet":
		return newParquetWriter(w, h, o.Workers)
	case "arrow":
		return newArrowFileWriter(w, h)
	case "arrows":
		return newArrowStreamWriter(w, h)
	case "gwf":
		return newTextWriter(w, packer, appendGWFHeader(nil, h), "#", newGWFFormat(h).append), nil
	case "batsim":
		return newBatsimWriter(w, packer, h, delay), nil
	case "csv":
		return newTextWriter(w, packer, AppendCSVHeader(nil), "", AppendCSV), nil
	default:
		return newTextWriter(w, packer, AppendSWFHeader(nil, h), ";", AppendSWF), nil
	}
}
