package columnar

import (
	"fmt"

	"github.com/apache/arrow/go/v15/arrow/bitutil"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// sourceReader is a Parquet file of a table that is being read.
type sourceReader struct {
	*parquetReader
	from   *Source
	fields []sourceField
	row    int64 // of the next row, from 1
}

// readPart reads the columns of a file.
func (s *Source) readPart(part sourcePart, columns []workload.TableColumn, yield func(*sourceBatch, error) bool) (err error) {
	p, done, err := part.open()
	if err != nil {
		return err
	}
	defer done()
	t, err := s.newReader(p, part.partitions, columns)
	if err != nil {
		return err
	}
	defer t.zstd.Close()
	for g := range t.meta.RowGroups {
		if err := t.group(g, yield); err != nil {
			return err
		}
	}
	return nil
}

func (s *Source) newReader(p *parquetReader, partitions []partition, columns []workload.TableColumn) (t *sourceReader, err error) {
	defer catch(p.name, &err)
	t = &sourceReader{parquetReader: p, from: s, row: 1}
	places, missing := workload.FindTableColumns(columns, withPartitions(p.columnNames(), partitions))
	if missing != nil {
		missing.File = p.name
		return nil, missing
	}
	inFile := p.meta.Schema.NumColumns()
	for i, c := range columns {
		f := sourceField{TableColumn: c, at: places[i], clock: parse.Clock{Zone: s.zone}}
		switch {
		case f.at >= inFile:
			f.partition, f.at = &partitions[f.at-inFile], -1
			f.stored.kind = s.kindOf(f.partition.name)
		case f.at >= 0:
			f.stored = typeOf(p.meta.Schema.Column(f.at))
		default:
			f.stored.kind = c.Kind
		}
		if saw := f.stored.accepts(c.Kind); saw != "" {
			return nil, p.fault(c.Name, saw, c.Kind.String(), nil)
		}
		t.fields = append(t.fields, f)
	}
	return t, p.newDecoder()
}

// group decodes a row group, some rows at a time.
func (t *sourceReader) group(g int, yield func(*sourceBatch, error) bool) (err error) {
	defer func() {
		if x := recover(); x != nil {
			err = t.fault("", "", "", damageOf(x))
		}
	}()
	rows := t.meta.RowGroup(g).NumRows()
	readers := make([]*chunkReader, len(t.fields))
	budget := newPageBudget()
	most := int64(workload.DefaultBatchRows)
	for i := range t.fields {
		f := &t.fields[i]
		if f.at < 0 {
			continue
		}
		c, err := t.chunk(g, f.at, f.Name, &f.stored)
		if err != nil {
			return err
		}
		readers[i] = newChunkReader(c, t.file, t.zstd)
		readers[i].budget = budget
		readers[i].word = f.wordOf()
		if f.stored.kind == workload.TableText && c.rows > 0 {
			most = min(most, max(batchTextBytes/(c.uncompressed/c.rows+1), 64))
		}
	}
	for left := rows; left > 0; {
		n := int(min(left, most))
		left -= int64(n)
		b := t.from.batch(t, n)
		errs := make([]error, len(readers))
		par.Each(t.workers, len(readers), func(i int) {
			if t.fields[i].partition != nil {
				t.fields[i].fill(b, i)
			} else if readers[i] != nil {
				errs[i] = t.column(&t.fields[i], readers[i], b, i, left == 0)
			}
		})
		for i, err := range errs {
			if err != nil {
				return t.fault(fmt.Sprintf("%s, row group %d", t.fields[i].Name, g+1), "", "", err)
			}
		}
		t.row += int64(n)
		if !yield(b, nil) {
			return errStop
		}
	}
	return nil
}

// column decodes the next rows of a column chunk.
func (t *sourceReader) column(f *sourceField, r *chunkReader, b *sourceBatch, i int, last bool) (err error) {
	defer func() {
		if x := recover(); x != nil {
			err = damageOf(x)
		}
	}()
	n := b.rows.Rows
	if len(f.words) < n {
		f.words, f.bitmap = make([]uint64, n), make([]byte, bitutil.BytesForBits(int64(n)))
	}
	words := f.words[:n]
	if _, err := r.read(words, f.bitmap); err != nil {
		return err
	}
	if last {
		if err := r.end(); err != nil {
			return err
		}
	}
	to := &b.rows.Columns[i]
	switch f.Kind {
	case workload.TableText:
		to.Text = f.addTexts(to.Text[:0], words)
	case workload.TableWhole:
		to.Whole, err = f.addWholes(to.Whole[:0], words, t.row, &b.warnings[i])
	default:
		if !f.stored.number.local {
			to.Number = f.addNumbers(to.Number[:0], words)
			break
		}
		to.Number = f.addLocal(to.Number[:0], words, t.row, &b.warnings[i])
		if !t.from.placed && t.row == 1 {
			b.warnings[i].Add("time-zone", "local times without a time zone, read as UTC: name the zone by --timezone, such as Europe/Zurich", 0, f.Name)
		}
	}
	return err
}
