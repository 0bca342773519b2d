package mapping

import (
	"iter"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/delimited"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// Jobs are the keys of a mapping of lines for a text that has several records of one job.
type Jobs struct {
	// Job names the fields that identify a job. Of several rows of one, such as of its
	// restarts, the last counts, where they lie within 32,768 records.
	Job []string `opt:"job" repeat:"true"`
	// Parts has regular expressions by column: records that are left out, but belong to a job,
	// match them all.
	Parts map[string]string `opt:"parts"`
	// Gather says what columns of a job become of those of its parts: "sum", "list", of all
	// texts with blanks between them, or "any", where the row itself has none.
	Gather map[string]string `opt:"gather"`
}

// check returns an error for the value at path.
func (j *Jobs) check() (path string, err *workload.OptionError) {
	for column, how := range j.Gather {
		if !slices.Contains([]string{"sum", "list", "any"}, how) {
			return "gather." + column, &workload.OptionError{Saw: how, Want: "sum, list or any"}
		}
	}
	return "", nil
}

// isPart reports whether a record belongs to a job.
func (l *Lines) isPart(value func(column string) string) bool {
	return len(l.parts) > 0 && !slices.ContainsFunc(l.parts, func(r rowRule) bool { return !r.pattern.MatchString(value(r.column)) })
}

// nearby is how many records are held back, because one to come may be of the same job.
const nearby = 1 << 15

// oneJob is what is known of a job whose records are held back.
type oneJob struct {
	rows     *delimited.Rows // that have the job's last record; nil if it has parts alone so far
	row      int
	touched  *delimited.Rows // that had the last of its records, or parts
	gathered map[string]string
}

// recordJoiner puts the records of each job together.
type recordJoiner struct {
	*lineDecoder
	columns int // that are wanted
	jobs    map[string]*oneJob
	held    []*delimited.Rows
	records int // held
}

// join yields rows of one record a job, with the first columns alone.
func (d *lineDecoder) join(rows iter.Seq2[*delimited.Rows, error], columns int) iter.Seq2[*delimited.Rows, error] {
	return func(yield func(*delimited.Rows, error) bool) {
		j := &recordJoiner{lineDecoder: d, columns: columns, jobs: map[string]*oneJob{}}
		for r, err := range rows {
			if err != nil {
				yield(nil, err)
				return
			}
			j.hold(r)
			for j.records-j.held[0].Rows >= nearby {
				if !yield(j.release(), nil) {
					return
				}
			}
		}
		for len(j.held) > 0 {
			if !yield(j.release(), nil) {
				return
			}
		}
	}
}

// value returns a text of a record.
func (j *recordJoiner) value(r *delimited.Rows, row int) func(column string) string {
	return func(column string) string { return r.Columns[j.places[column]].TextAt(row) }
}

// key identifies the job of a record.
func (j *recordJoiner) key(r *delimited.Rows, row int) string {
	var parts []string
	for _, name := range j.mapping.Job {
		parts = append(parts, j.value(r, row)(name))
	}
	return strings.Join(parts, "\x00")
}

// hold takes records. Those that are no jobs lose their line.
func (j *recordJoiner) hold(r *delimited.Rows) {
	j.held, j.records = append(j.held, r), j.records+r.Rows
	for i := range r.Rows {
		key := j.key(r, i)
		job := j.jobs[key]
		if job == nil {
			job = &oneJob{gathered: map[string]string{}}
			j.jobs[key] = job
		}
		job.touched = r
		value := j.value(r, i)
		if j.mapping.isPart(value) {
			for column, how := range j.mapping.Gather {
				job.gathered[column] = gather(how, job.gathered[column], value(column))
			}
			r.Lines[i] = 0
			continue
		}
		if job.rows != nil {
			r.Warnings.Add("earlier-record", "records of jobs that have a later one, as of a restart: left out", job.rows.Lines[job.row], "")
			job.rows.Lines[job.row] = 0
		}
		job.rows, job.row = r, i
	}
}

// gather adds a value to what was gathered.
func gather(how, so, value string) string {
	switch {
	case so == "" || value == "":
		return so + value
	case how == "sum":
		x, _ := parse.Number([]byte(so))
		y, _ := parse.Number([]byte(value))
		return parse.FormatNumber(x + y)
	case how == "list":
		return so + " " + value
	}
	return so
}

// release gives out the records that were held first.
func (j *recordJoiner) release() *delimited.Rows {
	r := j.held[0]
	j.held, j.records = j.held[1:], j.records-r.Rows
	var kept []int
	gathered := map[string][]string{} // by column, of the rows that are kept
	keys := make([]string, r.Rows)
	for i := range keys {
		if keys[i] = j.key(r, i); r.Lines[i] == 0 {
			continue
		}
		kept = append(kept, i)
		job := j.jobs[keys[i]]
		for column, how := range j.mapping.Gather {
			gathered[column] = append(gathered[column], gather(how, j.value(r, i)(column), job.gathered[column]))
		}
		job.rows = nil
	}
	for _, key := range keys {
		if job := j.jobs[key]; job != nil && job.touched == r {
			delete(j.jobs, key)
		}
	}
	for column, texts := range gathered {
		if at := j.places[column]; at < j.columns {
			r.Columns[at].Text, r.Columns[at].Spans = texts, nil
		}
	}
	r.Columns = r.Columns[:j.columns]
	for i, row := range kept {
		r.Lines[i] = r.Lines[row]
		for k := range r.Columns {
			if v := &r.Columns[k]; v.Spans != nil {
				v.Spans[i] = v.Spans[row]
			}
		}
	}
	r.Rows = len(kept)
	return r
}
