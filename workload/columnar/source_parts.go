package columnar

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// join adds the counts of another part, whose columns must be those of the first: the same
// names, with values of the same kind. A column of nulls alone matches any kind.
func (s *Source) join(p *parquetReader, partitions []partition, columns []sourceColumn) error {
	same := func(a, b partition) bool { return a.name == b.name }
	if first := s.parts[0].partitions; !slices.EqualFunc(first, partitions, same) {
		return p.fault("partitions", partitionNames(partitions), fmt.Sprintf("%s, as %s has", partitionNames(first), s.first), nil)
	}
	for i := range s.columns {
		a := &s.columns[i]
		at := slices.IndexFunc(columns, func(b sourceColumn) bool { return b.Name == a.Name })
		if at < 0 {
			return p.fault(a.Name, "no such column", fmt.Sprintf("%s, as %s has", a.what(), s.first), nil)
		}
		b := columns[at]
		if !b.null && !a.null && (a.Nested != b.Nested || a.Kind != b.Kind) {
			return p.fault(a.Name, b.what(), fmt.Sprintf("%s, as %s has", a.what(), s.first), nil)
		}
		if a.null {
			a.FileColumn, a.null = b.FileColumn, b.null
		}
		a.values += b.values
	}
	for _, b := range columns {
		if !slices.ContainsFunc(s.columns, func(a sourceColumn) bool { return a.Name == b.Name }) {
			return p.fault(b.Name, b.what(), fmt.Sprintf("no such column, as in %s", s.first), nil)
		}
	}
	return nil
}

// what describes a column and its type, for a message.
func (c *sourceColumn) what() string {
	if c.Nested {
		return c.Type
	}
	return fmt.Sprintf("%s (%s)", c.Kind, c.Type)
}

func partitionNames(partitions []partition) string {
	var names []string
	for _, p := range partitions {
		names = append(names, strconv.Quote(p.name))
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// addPartitions adds the columns that the paths of the parts give: whole numbers
// where all are, else texts.
func (s *Source) addPartitions() {
	for i, first := range s.parts[0].partitions {
		c := sourceColumn{FileColumn: workload.FileColumn{Name: first.name, Kind: workload.TableWhole, Type: "partition"}, values: s.rows}
		for _, part := range s.parts {
			p := part.partitions[i]
			if _, err := strconv.ParseInt(p.value, 10, 64); err != nil && !p.null {
				c.Kind = workload.TableText
			}
		}
		s.columns = append(s.columns, c)
	}
}

// kindOf is the kind of a column.
func (s *Source) kindOf(name string) workload.TableKind {
	at := slices.IndexFunc(s.columns, func(c sourceColumn) bool { return c.Name == name })
	return s.columns[at].Kind
}

// withPartitions are the names of a file's columns, without those that its path
// gives, and the names of these.
func withPartitions(names []string, partitions []partition) []string {
	for _, p := range partitions {
		for i, name := range names {
			if strings.EqualFold(name, p.name) {
				names[i] = ""
			}
		}
	}
	for _, p := range partitions {
		names = append(names, p.name)
	}
	return names
}

// fill gives the rows of a batch the value of the partition.
func (f *sourceField) fill(b *sourceBatch, i int) {
	to := &b.rows.Columns[i]
	whole, number := workload.Unknown, math.NaN()
	if n, err := strconv.ParseInt(f.partition.value, 10, 64); err == nil {
		whole, number = n, float64(n)
	}
	text := f.partition.value
	if f.partition.null {
		text = ""
	}
	to.Whole, to.Number, to.Text = to.Whole[:0], to.Number[:0], to.Text[:0]
	for range b.rows.Rows {
		switch f.Kind {
		case workload.TableWhole:
			to.Whole = append(to.Whole, whole)
		case workload.TableText:
			to.Text = append(to.Text, text)
		default:
			to.Number = append(to.Number, number)
		}
	}
}
