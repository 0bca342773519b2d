package slurm

// jobTRES reads what a job asked for or was given.
func (r *jsonReader) jobTRES() []byte { return r.tres("M") }

// tres reads a list of resources, [{"type": "gres", "name": "gpu", "count": 4}], as
// sacct prints it: "gres/gpu=4". Memory of a job is in MB, that which a step used in
// bytes: unit is put behind it.
func (r *jsonReader) tres(unit string) []byte {
	from := len(r.scratch)
	if r.Kind() != '[' {
		return r.scalar()
	}
	r.Enter('[')
	for r.Next() {
		var kind, name, count []byte
		if !r.Enter('{') {
			break
		}
		for r.Next() {
			switch string(r.Key()) {
			case "type":
				kind = r.scalar()
			case "name":
				name = r.scalar()
			case "count":
				count = r.scalar()
			default:
				r.Skip()
			}
		}
		if isNoValue(count) {
			continue
		}
		if len(r.scratch) > from {
			r.scratch = append(r.scratch, ',')
		}
		r.scratch = append(r.scratch, kind...)
		if len(name) > 0 {
			r.scratch = append(append(r.scratch, '/'), name...)
		}
		r.scratch = append(append(r.scratch, '='), count...)
		if string(kind) == "mem" {
			r.scratch = append(r.scratch, unit...)
		}
	}
	return r.scratch[from:len(r.scratch):len(r.scratch)]
}
