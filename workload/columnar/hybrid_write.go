package columnar

import "encoding/binary"

// appendLevels appends a page's definition levels of a column that is
// optional: they are its validity bitmap, behind a head. bitmap begins with
// the page's first row; set is how many of the rows are set.
func appendLevels(dst, bitmap []byte, rows, set int) []byte {
	start := len(dst)
	dst = append(dst, 0, 0, 0, 0)
	switch set {
	case 0:
		dst = append(binary.AppendUvarint(dst, uint64(rows)<<1), 0)
	case rows:
		dst = append(binary.AppendUvarint(dst, uint64(rows)<<1), 1)
	default:
		groups := (rows + 7) / 8
		dst = binary.AppendUvarint(dst, uint64(groups)<<1|1)
		dst = append(dst, bitmap[:groups]...)
		if rest := rows & 7; rest > 0 {
			dst[len(dst)-1] &= 1<<rest - 1
		}
	}
	binary.LittleEndian.PutUint32(dst[start:], uint32(len(dst)-start-4))
	return dst
}

// appendIndices appends a page's dictionary indices, behind their width.
func appendIndices(dst []byte, indices []uint16, width uint) []byte {
	dst = append(dst, byte(width))
	same := true
	for _, x := range indices {
		if x != indices[0] {
			same = false
			break
		}
	}
	if same && len(indices) > 0 {
		dst = binary.AppendUvarint(dst, uint64(len(indices))<<1)
		dst = append(dst, byte(indices[0]))
		if width > 8 {
			dst = append(dst, byte(indices[0]>>8))
		}
		return dst
	}
	groups := (len(indices) + 7) / 8
	dst = binary.AppendUvarint(dst, uint64(groups)<<1|1)
	end := len(dst) + groups*int(width)
	var (
		word uint64
		have uint
	)
	for _, x := range indices {
		word |= uint64(x) << have
		have += width
		if have >= 32 {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(word))
			word >>= 32
			have -= 32
		}
	}
	for len(dst) < end { // the last group is filled up with zeros
		dst = append(dst, byte(word))
		word >>= 8
	}
	return dst[:end]
}
