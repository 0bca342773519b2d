package logfile

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/links"
	"github.com/loadstone-hpc/loadstone/live/journal"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/batsim"
	"github.com/loadstone-hpc/loadstone/workload/mapping"
	"github.com/loadstone-hpc/loadstone/workload/slurm"
	"github.com/loadstone-hpc/loadstone/workload/swf"
)

// Formats returns the formats of this module in the order in which Open tries them; callers
// can add their own (workload.Options.Formats, workload.WriteOptions.Formats). Open takes
// the first format that recognises the content. The order matters because the header lines
// of squeue and sacct, for example, are also valid header lines of CSV. Put a text format
// of your own at the front.
func Formats() []*workload.Format {
	return []*workload.Format{
		&mapping.Text,
		&swf.Format, &slurm.SacctJSON, &slurm.SqueueJSON, &slurm.Scontrol,
		&slurm.Squeue, &slurm.Sacct,
		&mapping.Parquet, &mapping.Arrow, &mapping.ArrowStream, &mapping.CSV,
		&batsim.Format, &journal.Format,
	}
}

// among returns the formats of a caller's options, or Formats() if they are nil.
func among(given []*workload.Format) []*workload.Format {
	if given == nil {
		return Formats()
	}
	return given
}

// ErrUnknownFormat is the cause of the error for a name whose extension belongs to no format
// that can be written.
var ErrUnknownFormat = errors.New("unknown format")

// FormatOf returns the name of the format that the extension of path selects among formats,
// or among Formats() if that is nil: "parquet", or "swf.gz" for a compressed text format.
// A device, a pipe and an open descriptor (/dev/stdout) without such an extension get swf.
// The error for an unknown extension wraps ErrUnknownFormat and lists the known ones.
func FormatOf(path string, formats []*workload.Format) (string, error) {
	name := strings.ToLower(filepath.Base(path))
	pack := ""
	for _, p := range []string{".gz", ".zst"} {
		if strings.HasSuffix(name, p) {
			name, pack = strings.TrimSuffix(name, p), p
		}
	}
	format := strings.TrimPrefix(filepath.Ext(name), ".")
	for _, f := range among(formats) {
		if slices.ContainsFunc(f.Extensions, func(ext string) bool { return strings.HasSuffix(name, ext) }) {
			format = f.Name
		}
	}
	if format == "json" {
		return "", fmt.Errorf("%s: jobs are written as JSON for the simulator Batsim only: want a name that ends in .batsim.json", path)
	}
	_, _, err := splitFormat(format+pack, formats)
	if err != nil && links.Direct(path) {
		format, pack = "swf", ""
		_, _, err = splitFormat(format, formats)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return format + pack, nil
}

// splitFormat splits the name of a format and its compression, such as "swf.gz", into both.
func splitFormat(format string, formats []*workload.Format) (f *workload.Format, pack string, err error) {
	base, pack, _ := strings.Cut(format, ".")
	var all, texts []string
	for _, f := range among(formats) {
		if f.Create == nil {
			continue
		}
		all = append(all, f.Extensions...)
		if f.Text {
			texts = append(texts, f.Extensions...)
		}
		if base != f.Name {
			continue
		}
		switch {
		case pack == "":
			return f, pack, nil
		case !f.Text:
			return nil, "", fmt.Errorf("%s files are already compressed: remove .%s from the name", base, pack)
		case pack == "gz" || pack == "zst":
			return f, pack, nil
		}
	}
	last := len(texts) - 1
	return nil, "", fmt.Errorf("%w %q, want one of %s (%s and %s may end in .gz or .zst as well)",
		ErrUnknownFormat, format, strings.Join(all, ", "), strings.Join(texts[:last], ", "), texts[last])
}
