package logfile

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/batsim"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
	"github.com/loadstone-hpc/loadstone/workload/gwf"
	"github.com/loadstone-hpc/loadstone/workload/mapping"
	"github.com/loadstone-hpc/loadstone/workload/slurm"
	"github.com/loadstone-hpc/loadstone/workload/swf"
)

// formats are all formats. A content is of the first that it fits: squeue's and
// sacct's header lines are also the first line of a table of separated values. A
// mapping that the user names comes before them, as do the columns of a published
// source.
var formats = []*workload.Format{
	&mapping.Text, &mapping.Table,
	&swf.Format, &slurm.SacctJSON, &slurm.SqueueJSON, &slurm.OtherJSON, &slurm.Scontrol, &slurm.Jobcomp,
	&slurm.Squeue, &slurm.Sacct, &gwf.Format,
	&columnar.Parquet, &columnar.Arrow, &columnar.ArrowStream,
	&mapping.CSV, &batsim.Format,
}

// folders are the formats of folders.
var folders = []*workload.Format{&mapping.Table, &columnar.Parquet}

// Formats are the names of the formats that can be written; each is the
// extension of its files too, but for "batsim", the workload file of that
// simulator, whose names end in .batsim.json. A text format may have .gz or .zst
// behind it.
func Formats() []string {
	var names []string
	for _, f := range formats {
		if f.Create != nil {
			names = append(names, f.Name)
		}
	}
	return names
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
	for _, f := range formats {
		if slices.ContainsFunc(f.Extensions, func(ext string) bool { return strings.HasSuffix(name, ext) }) {
			format = f.Name
		}
	}
	if format == "json" {
		return "", fmt.Errorf("%s: jobs are written as JSON for the simulator Batsim only: want a name that ends in .batsim.json", path)
	}
	if _, _, err := splitFormat(format + pack); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return format + pack, nil
}

// splitFormat takes a format apart: "swf.gz" is that of "swf" and "gz".
func splitFormat(format string) (f *workload.Format, pack string, err error) {
	base, pack, _ := strings.Cut(format, ".")
	var all, texts []string
	for _, f := range formats {
		if f.Create == nil {
			continue
		}
		all = append(all, f.Extensions[0])
		if f.Text {
			texts = append(texts, f.Extensions[0])
		}
		if base != f.Name {
			continue
		}
		switch {
		case pack == "":
			return f, pack, nil
		case !f.Text:
			return nil, "", fmt.Errorf("%s files are compressed already: leave .%s away", base, pack)
		case pack == "gz" || pack == "zst":
			return f, pack, nil
		}
	}
	last := len(texts) - 1
	return nil, "", fmt.Errorf("unknown format %q, want one of %s (%s and %s also with .gz or .zst behind it)",
		format, strings.Join(all, ", "), strings.Join(texts[:last], ", "), texts[last])
}
