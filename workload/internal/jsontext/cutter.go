package jsontext

// cutter finds where elements of an array end, or objects that stand behind one another,
// by strings and depth alone.
type cutter struct {
	at       int // bytes looked at
	depth    int // within the array
	cut      int // behind the last element, 0 where there is none
	elements int // up to cut
	text     bool
	from     int  // where the text begins
	escape   bool // the byte at at is escaped
	stray    int  // a bracket that closes nothing, -1 for none
}

// marks are the bytes that a cutter looks at outside of strings.
var marks = [256]byte{'"': 1, '{': 2, '[': 2, '}': 3, ']': 3}

// run goes on to the end of buf, or to the end of the array, inside '['. It returns the
// last place to cut, and the byte behind the closing bracket, or -1.
func (c *cutter) run(buf []byte, inside byte) (cut, end int) {
	i := c.at
	c.stray = -1
	for i < len(buf) {
		if c.text {
			if i = c.string(buf, i); c.text {
				break
			}
			continue
		}
		switch marks[buf[i]] {
		case 1:
			c.text, c.from = true, i
		case 2:
			c.depth++
		case 3:
			if c.depth == 0 {
				c.at = i + 1
				if buf[i] == ']' && inside == '[' {
					return c.cut, i + 1
				}
				c.stray = i
				return c.cut, -1
			}
			if c.depth--; c.depth == 0 {
				c.cut = i + 1
				c.elements++
			}
		}
		i++
	}
	c.at = i
	return c.cut, -1
}

// string passes the rest of a string and returns the byte behind it.
func (c *cutter) string(buf []byte, i int) int {
	if c.escape {
		c.escape = false
		i++
	}
	for i < len(buf) {
		switch buf[i] {
		case '"':
			c.text = false
			return i + 1
		case '\\':
			i += 2
		default:
			i++
		}
	}
	c.escape = i > len(buf)
	return len(buf)
}
