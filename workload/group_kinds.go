package workload

import (
	"slices"
	"strings"
)

// The names of the two kinds of jobs.
const (
	KindInteractive = "interactive"
	KindBatch       = "batch"
)

// Kinds says which jobs are interactive: those with one of some values in a
// column. Jobs with any other known value are batch jobs. Lublin and Feitelson
// (2003), section 8.1.
type Kinds struct {
	Column      string // the name of an identifier, such as "partition_id"
	Interactive []int64
}

// FindKinds looks for a partition, else a queue, whose name in the header
// holds the word "interactive", beside others whose name does not; false where
// there is none.
func FindKinds(h *Header) (Kinds, bool) {
	for _, col := range []int{ColPartition, ColQueue} {
		names := h.Names(NameKey(col))
		k := Kinds{Column: columns[col].Name}
		for v, name := range names {
			if strings.Contains(strings.ToLower(name), KindInteractive) {
				k.Interactive = append(k.Interactive, v)
			}
		}
		if n := len(k.Interactive); n > 0 && n < len(names) {
			slices.Sort(k.Interactive)
			return k, true
		}
	}
	return Kinds{}, false
}

// ClassColumn returns the column with the two kinds, interactive and batch, as classes.
func (k Kinds) ClassColumn() ClassColumn {
	c := ClassColumn{Column: k.Column, Groups: map[int64]string{}, Other: KindBatch}
	for _, v := range k.Interactive {
		c.Groups[v] = KindInteractive
	}
	return c
}

// kinds is what the word stands for.
func (g Grouping) kinds() (ClassColumn, error) {
	if g.Header == nil {
		return Kinds{Column: columns[ColQueue].Name}.ClassColumn(), nil
	}
	k, ok := FindKinds(g.Header)
	if !ok {
		return ClassColumn{}, &OptionError{"classes", KindWord + ": no partition or queue in the header is called interactive", "named classes, such as `class` interactive=1"}
	}
	return k.ClassColumn(), nil
}
