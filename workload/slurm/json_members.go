package slurm

import "strings"

// jsonMember is a member of a job, or of a step, that stands for a column of the text.
type jsonMember[F ~int] struct {
	path  string // its name, behind those of the objects around it: "time.start"
	field F
	read  func(*jsonReader) []byte
}

// jsonMembers are the members that are read of an object, by their names.
type jsonMembers map[string]jsonMemberReader

// jsonMemberReader reads a value into a field, or, where read is nil, the members of an
// object.
type jsonMemberReader struct {
	field   int
	read    func(*jsonReader) []byte
	members jsonMembers
}

// newJSONMembers lays out a list of members as a tree.
func newJSONMembers[F ~int](list []jsonMember[F]) jsonMembers {
	root := jsonMembers{}
	for _, m := range list {
		names, at := strings.Split(m.path, "."), root
		for _, object := range names[:len(names)-1] {
			if at[object].members == nil {
				at[object] = jsonMemberReader{members: jsonMembers{}}
			}
			at = at[object].members
		}
		at[names[len(names)-1]] = jsonMemberReader{field: int(m.field), read: m.read}
	}
	return root
}

// values reads the object that comes next, at a level of the path: the members into values, by
// their fields. Of several members of one field the first counts that is not empty.
func (r *jsonReader) values(members jsonMembers, level int, values [][]byte) {
	if !r.Enter('{') {
		return
	}
	for r.next(level) {
		switch m, wanted := members[string(r.Key())]; {
		case !wanted, m.read == nil && r.Kind() == 'n': // null
			r.Skip()
		case m.read == nil:
			r.values(m.members, level+1, values)
		case len(values[m.field]) == 0:
			values[m.field] = m.read(r)
		default:
			r.Skip()
		}
	}
}
