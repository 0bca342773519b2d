package workload

// chunkNames numbers the texts of one chunk, from 0 and by column.
type chunkNames struct {
	columns [NumColumns]struct {
		numbers map[string]int32
		texts   []string
		recent  [64]int32 // number of a text that was met with such a look
	}
}

// number returns the number of a text. Neighbouring records often have the
// same few, which are found without a map.
func (c *chunkNames) number(column int, text []byte) int32 {
	col := &c.columns[column]
	look := &col.recent[(uint(text[len(text)-1])+uint(text[len(text)/2])<<2+uint(len(text))<<4)%uint(len(col.recent))]
	if n := *look; int(n) < len(col.texts) && col.texts[n] == string(text) {
		return n
	}
	n, ok := col.numbers[string(text)]
	if !ok {
		if col.numbers == nil {
			col.numbers = map[string]int32{}
		}
		n = int32(len(col.texts))
		s := string(text)
		col.numbers[s] = n
		col.texts = append(col.texts, s)
	}
	*look = n
	return n
}
