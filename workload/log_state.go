package workload

import "slices"

// LogState is what is known of a log, or of a part of it, after it has been read, without
// its jobs. JoinLogs combines the states of all parts.
type LogState struct {
	Name, Format string // as in Log
	Header       Header
	Lacks        [NumColumns]bool // see Log.Lacks
	Lines        int64            // lines read, where warnings count lines from the start of the share
	Opened       []Warning        // warnings before the first job, the same in every share
	Odd          []Warning        // all warnings, Opened among them
}

// State returns the state of a log that has been read. opened are the warnings that it had
// when it was opened.
func (l *Log) State(opened []Warning) LogState {
	return LogState{l.Name, l.Format, l.Header, l.from.Lacks, l.from.LinesRead, opened, slices.Clone(l.Warnings())}
}

// JoinLogs returns the whole log in its state after reading, from the states of all its
// parts in order. There must be at least one part.
func JoinLogs(parts []LogState) *Log {
	first := parts[0]
	l, r := NewLog(first.Name, first.Format)
	l.Header, r.Lacks = first.Header, first.Lacks
	for _, w := range first.Opened {
		r.Warnings.Count(w)
	}
	for _, p := range parts {
		for _, w := range p.Odd {
			if at := slices.IndexFunc(p.Opened, func(o Warning) bool { return o.Rule == w.Rule }); at >= 0 {
				w.Count -= p.Opened[at].Count
			}
			if w.Line > 0 {
				w.Line += r.LinesRead
			}
			if w.Count > 0 {
				r.Warnings.Count(w)
			}
		}
		r.LinesRead += p.Lines
	}
	return l
}
