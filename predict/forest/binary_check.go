package forest

import (
	"errors"
	"math"
)

// check returns an error where a tree that was read could lead At astray.
func (t *tree) check(columns int) error {
	for i, x := range t.values {
		if math.IsNaN(x) || math.IsInf(x, 0) || i > 0 && x <= t.values[i-1] {
			return errors.New("answers that do not rise")
		}
	}
	if err := t.checkNodes(columns); err != nil {
		return err
	}
	if t.leaves[0] != 0 || int(t.leaves[len(t.leaves)-1]) != len(t.members) {
		return errors.New("leaves that do not hold the members")
	}
	for i, begin := range t.leaves[:len(t.leaves)-1] {
		end := t.leaves[i+1]
		if begin >= end || int(end) > len(t.members) {
			return errors.New("leaves that do not hold the members")
		}
		for j, m := range t.members[begin:end] {
			if int(m.value) >= len(t.values) || j > 0 && m.value <= t.members[int(begin)+j-1].value || !(m.weight > 0 && m.weight <= 2) {
				return errors.New("a leaf whose members do not rise")
			}
		}
	}
	return nil
}

// checkNodes checks that the nodes are a tree in the order of a walk.
func (t *tree) checkNodes(columns int) error {
	var rights []int32 // of the nodes whose left side the walk is in
	leaves := int32(0)
	for i, n := range t.nodes {
		switch {
		case n.column >= 0:
			if int(n.column) >= columns || n.cut != n.cut {
				return errors.New("a cut of no column or at no value")
			}
			rights = append(rights, n.right)
			continue
		case len(rights) == 0:
			if i != len(t.nodes)-1 {
				return errors.New("nodes after the last leaf")
			}
		case int(rights[len(rights)-1]) != i+1 || i+1 == len(t.nodes):
			return errors.New("nodes that are no tree")
		default:
			rights = rights[:len(rights)-1]
		}
		t.nodes[i].right = leaves
		leaves++
	}
	if len(t.nodes) == 0 || t.nodes[len(t.nodes)-1].column >= 0 || int(leaves)+1 != len(t.leaves) {
		return errors.New("nodes that are no tree of these leaves")
	}
	return nil
}
