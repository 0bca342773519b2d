package swf

import (
	"bytes"

	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// The logs of Frontier (Maheshwari, Klusáček, Suter and Brewer, "Workload Traces from
// the Frontier Exascale Supercomputer", JSSPP 2026) have 21 fields a line: field 19 is
// the GPUs used, 20 a soft limit of the run time, and 21 says where the job ran, as in
// frontier:excl:2500x112, on 2500 nodes. Fields 5 and 8 are nodes in some lines and
// hardware threads or cores in others, so that they are not taken for processors.
const (
	frontierFields = 21
	frontierLines  = 50 // that are looked at for the form, more where one has its fields
)

// frontierNodes reads the nodes of field 21, site:exclusive:NxM.
func frontierNodes(field []byte) (nodes int64, ok bool) {
	parts := bytes.Split(field, []byte{':'})
	if len(parts) != 3 || len(parts[0]) == 0 || len(parts[1]) == 0 || parts[0][0]-'0' <= 9 {
		return 0, false
	}
	n, rest := parse.Digits(parts[2])
	if len(rest) == len(parts[2]) || len(rest) < 2 || rest[0] != 'x' {
		return 0, false
	}
	_, rest = parse.Digits(rest[1:])
	return n, len(rest) == 0
}

// isFrontier reports whether a text has lines of that form: 21 fields, numbers in 19 and
// 20, and a place in 21. Jobs that did not start have no place, and lines of another
// form are counted when they are read. Other logs with 21 fields have other things there.
func isFrontier(text []byte) bool {
	lines, shaped := 0, false
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == ';' {
			continue
		}
		place, ok := frontierShape(line)
		if _, is := frontierNodes(place); ok && is {
			return true
		}
		shaped = shaped || ok
		if lines++; lines >= frontierLines && !shaped {
			break
		}
	}
	return false
}

// frontierShape returns field 21 of a line of 21 fields with numbers in 19 and 20.
func frontierShape(line []byte) (place []byte, ok bool) {
	fields := bytes.Fields(line)
	if len(fields) != frontierFields {
		return nil, false
	}
	for _, field := range fields[18:20] {
		if _, want := parse.Number(field); want != "" {
			return nil, false
		}
	}
	return fields[20], true
}

// frontierRows are the fields behind the eighteenth of a chunk's jobs.
type frontierRows struct {
	gpus, nodes            []int64
	softLimits, processors int64 // values left out
	odd                    workload.Warnings
}

// add takes the fields of the next job, of a line.
func (f *frontierRows) add(extra []byte, line int64) {
	fields := bytes.Fields(extra)
	gpus, nodes := workload.Unknown, workload.Unknown
	if len(fields) != frontierFields-parse.Fields {
		f.odd.Add("frontier-fields", "lines without 21 fields, in a log of Frontier's form: nodes and GPUs left unknown", line, words.Counted(len(fields)+parse.Fields, "field"))
	} else {
		if n, want := parse.Whole(fields[0]); want != "" {
			f.odd.Add("frontier-gpus", "values of field 19, the GPUs used, that are not whole numbers: left unknown", line, workload.Shorten(fields[0]))
		} else if n >= 0 {
			gpus = n
		}
		if string(fields[1]) != "-1" {
			f.softLimits++
		}
		if n, ok := frontierNodes(fields[2]); ok {
			nodes = n
		} else if string(fields[2]) != "-1" {
			f.odd.Add("frontier-place", "values of field 21 that do not give nodes, as in frontier:excl:2500x112: left unknown", line, workload.Shorten(fields[2]))
		}
	}
	f.gpus, f.nodes = append(f.gpus, gpus), append(f.nodes, nodes)
}

// apply puts the fields into a chunk's jobs, in place of their processors.
func (f *frontierRows) apply(b *workload.Batch) {
	f.processors = int64(b.Known(workload.ColAllocatedProcessors) + b.Known(workload.ColRequestedProcessors))
	b.Ints[workload.ColAllocatedProcessors], b.Ints[workload.ColRequestedProcessors] = nil, nil
	b.Ints[workload.ColAllocatedNodes], b.Ints[workload.ColAllocatedGPUs] = f.nodes, f.gpus
}

// count counts what is left out of a chunk; before is the number of lines before it.
func (f *frontierRows) count(w *workload.Warnings, before int64) {
	for _, odd := range f.odd.List() {
		odd.Line += before
		w.Count(odd)
	}
	if f.processors > 0 {
		w.Count(workload.Warning{Rule: "frontier-processors", Text: "values of fields 5 and 8 left out: they are nodes in some lines and cores or hardware threads in others; field 21 gives allocated_nodes", Count: f.processors})
	}
	if f.softLimits > 0 {
		w.Count(workload.Warning{Rule: "left-out-soft_walltime", Text: "values of a column that the job table does not have", Count: f.softLimits, Saw: "soft_walltime"})
	}
}
