package columnar

// pageHeader is the header of a Parquet page.
type pageHeader struct {
	kind         int64 // 0 data, 1 index, 2 dictionary, 3 data of version 2
	uncompressed int64 // bytes
	compressed   int64 // bytes
	checksum     int64 // CRC-32 of the bytes stored
	hasChecksum  bool
	values       int64 // nulls included
	encoding     int64
	levels       int64 // encoding of the definition levels (version 1)
	levelBytes   int64 // length of the definition levels (version 2)
	repeatBytes  int64 // length of the repetition levels (version 2)
	plain        bool  // not compressed (version 2)
}

// The kinds of pages.
const (
	dataPage       = 0
	dictionaryPage = 2
	dataPageV2     = 3
)

// readPageHeader decodes the header that b begins with and returns its length.
// errCompact may mean that b is too short.
func readPageHeader(b []byte) (h pageHeader, n int, err error) {
	w := compactWalker{b: b}
	h = pageHeader{kind: -1, uncompressed: -1, compressed: -1, values: -1, encoding: -1}
	set := func(fields map[int16]*int64) func(int16, byte) (bool, error) {
		return func(id int16, kind byte) (bool, error) {
			to := fields[id]
			if to == nil || kind != compactI32 {
				if id == 7 && kind == compactFalse {
					h.plain = true // is_compressed, of version 2 alone
				}
				return false, nil
			}
			var err error
			*to, err = w.zigzag()
			return true, err
		}
	}
	err = w.fields(0, func(id int16, kind byte) (bool, error) {
		if kind == compactI32 {
			var to *int64
			switch id {
			case 1:
				to = &h.kind
			case 2:
				to = &h.uncompressed
			case 3:
				to = &h.compressed
			case 4:
				to, h.hasChecksum = &h.checksum, true
			default:
				return false, nil
			}
			var err error
			*to, err = w.zigzag()
			return true, err
		}
		if kind != compactStruct {
			return false, nil
		}
		switch id {
		case 5:
			return true, w.fields(1, set(map[int16]*int64{1: &h.values, 2: &h.encoding, 3: &h.levels}))
		case 7:
			return true, w.fields(1, set(map[int16]*int64{1: &h.values, 2: &h.encoding}))
		case 8:
			return true, w.fields(1, set(map[int16]*int64{1: &h.values, 4: &h.encoding, 5: &h.levelBytes, 6: &h.repeatBytes}))
		}
		return false, nil
	})
	return h, len(b) - len(w.b), err
}
