package slurm

import "bytes"

// findKey finds "key=" at the start of a text or behind a blank: where it begins, and
// where its value does; -1 for none.
func findKey(text []byte, key string) (at, end int) {
	for from := 0; ; {
		i := bytes.Index(text[from:], []byte(key))
		if i < 0 {
			return -1, -1
		}
		at, end = from+i, from+i+len(key)
		if (at == 0 || text[at-1] == ' ') && end < len(text) && text[end] == '=' {
			return at, end + 1
		}
		from = at + 1
	}
}

// withoutNumber returns a name without the number that Slurm appends in brackets:
// "alice(1001)".
func withoutNumber(name []byte) []byte {
	if i := bytes.LastIndexByte(name, '('); i > 0 && bytes.HasSuffix(name, []byte{')'}) {
		return name[:i]
	}
	return name
}
