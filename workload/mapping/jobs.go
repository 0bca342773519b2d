package mapping

import (
	"slices"
	"strings"
	"unsafe"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/delimited"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// Jobs holds the keys of a mapping of lines for a text that has several records of one job.
type Jobs struct {
	// Job names the fields that identify a job. Of several records of one job, such as those of its
	// restarts, the last counts, provided that they lie within 32,768 records and 32 MB of text.
	Job []string `opt:"job" repeat:"true"`
	// Parts has regular expressions by column. Records that match all of them are parts of a job
	// rather than jobs: they are left out, apart from Gather.
	Parts map[string]string `opt:"parts"`
	// Gather states how the values of a job's parts are added to its own, by column: "sum"; "list",
	// all texts separated by blanks; or "any", the first known value if the job's own record has
	// none.
	Gather map[string]string `opt:"gather"`
}

// check returns the path of an invalid value and the error, or nil.
func (j *Jobs) check() (path string, err *workload.OptionError) {
	for column, how := range j.Gather {
		if !slices.Contains([]string{"sum", "list", "any"}, how) {
			return "gather." + column, &workload.OptionError{Saw: how, Want: "sum, list or any"}
		}
	}
	return "", nil
}

// isPart reports whether a record is a part of a job. value returns its value of a column.
func (l *Lines) isPart(value func(column string) string) bool {
	return len(l.parts) > 0 && !slices.ContainsFunc(l.parts, func(r rowRule) bool { return !r.pattern.MatchString(value(r.column)) })
}

// nearby is the number of records that are held back in case a later one is of the same job, and
// maxHeld the largest size in bytes of the batches that hold them.
const (
	nearby  = 1 << 15
	maxHeld = 1 << 26
)

// sizeOf returns the number of bytes that a batch keeps in memory: the texts of its rows and the
// capacity of their spans, which far exceeds the number of rows if few lines are rows.
func sizeOf(r *workload.TableRows) int {
	c := r.Columns[0]
	return len(c.Piece) + len(r.Columns)*cap(c.Spans)*int(unsafe.Sizeof(workload.Span{}))
}

// record is a record that is held back.
type record struct {
	rows      *workload.TableRows
	row       int
	job       *recordsOfJob
	isLeftOut bool // it is a part, or a later record of the job replaces it
}

// recordsOfJob is the state of a job whose records are held back.
type recordsOfJob struct {
	key      string
	whole    *record           // the job's last record that is not a part; nil for none
	newest   *record           // the job's last record, including parts
	gathered map[string]string // values of its parts, by column
}

// recordJoiner joins the records of each job.
type recordJoiner struct {
	*lineDecoder
	columns int // number of columns in the result: the first ones
	jobs    map[string]*recordsOfJob
	held    []*record
	bytes   int // size of their batches, as in sizeOf
}

// join yields one row per job, with only the first columns of rows; columns is their number.
func (d *lineDecoder) join(rows workload.Table, columns int) workload.Table {
	return func(yield func(*workload.TableRows, error) bool) {
		j := &recordJoiner{lineDecoder: d, columns: columns, jobs: map[string]*recordsOfJob{}}
		for r, err := range rows {
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range r.Rows {
				j.hold(&record{rows: r, row: i})
			}
			j.bytes += sizeOf(r)
			// Many records are released at once: the date and the forms of the log are found from
			// the first batch.
			n := 0
			switch {
			case len(j.held) >= 2*nearby:
				n = len(j.held) - nearby
			case j.bytes > maxHeld:
				n = (len(j.held) + 1) / 2
			}
			if released := j.release(n); released.Rows > 0 && !yield(released, nil) {
				return
			}
		}
		if released := j.release(len(j.held)); released.Rows > 0 {
			yield(released, nil)
		}
	}
}

// hold holds a record back and updates the state of its job.
func (j *recordJoiner) hold(r *record) {
	value := func(column string) string { return r.rows.Columns[j.places[column]].TextAt(r.row) }
	parts := make([]string, 0, 4)
	for _, name := range j.mapping.Job {
		parts = append(parts, value(name))
	}
	key := strings.Join(parts, "\x00")
	job := j.jobs[key]
	if job == nil {
		job = &recordsOfJob{key: key}
		j.jobs[key] = job
	}
	r.job, job.newest, j.held = job, r, append(j.held, r)
	if r.isLeftOut = j.mapping.isPart(value); r.isLeftOut {
		if job.gathered == nil {
			job.gathered = map[string]string{}
		}
		for column, how := range j.mapping.Gather {
			job.gathered[column] = gather(how, job.gathered[column], value(column))
		}
		return
	}
	if job.whole != nil {
		j.warnings.Add("earlier-record", "records of jobs that have a later one, as of a restart: left out", job.whole.rows.Line(job.whole.row), "")
		job.whole.isLeftOut = true
	}
	job.whole = r
}

// gather adds a value to the one gathered so far.
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

// release removes the first n records held and returns the rows of those not left out.
func (j *recordJoiner) release(n int) *workload.TableRows {
	rows, row := delimited.NewRows(j.file, j.columns, n, 0), make([]string, j.columns)
	for i, r := range j.held[:n] {
		if i+1 == len(j.held) || j.held[i+1].rows != r.rows {
			j.bytes -= sizeOf(r.rows)
		}
		if r.job.newest == r {
			delete(j.jobs, r.job.key)
		}
		if r.isLeftOut {
			continue
		}
		r.job.whole = nil
		for c := range row {
			row[c] = r.rows.Columns[c].TextAt(r.row)
		}
		for column, text := range r.job.gathered {
			if at := j.places[column]; at < j.columns {
				row[at] = gather(j.mapping.Gather[column], row[at], text)
			}
		}
		rows.Add(r.rows.Line(r.row), row)
	}
	j.held = slices.Delete(j.held, 0, n)
	return rows.Table(0)
}
