package columnar

import (
	"fmt"
	"sync/atomic"

	"github.com/apache/arrow/go/v15/parquet"
)

// maxGroupBytes bounds what the decompressed pages of all columns of a row
// group take at a time: each of them may be large, not all of them.
const maxGroupBytes = 192 << 20

// pageBudget is what is left of that. The columns of a row group share one; its
// zero value is used up, nil is without bounds.
type pageBudget struct{ left atomic.Int64 }

func newPageBudget() *pageBudget {
	b := &pageBudget{}
	b.left.Store(maxGroupBytes)
	return b
}

// charge takes what a page needs beyond what the column holds already. Memory
// is kept for the next page, so that nothing is given back.
func (c *chunkReader) charge(h pageHeader) error {
	if c.budget == nil {
		return nil
	}
	need := h.uncompressed
	isBytes := c.typ.physical == parquet.Types.ByteArray || c.typ.width > 0
	switch {
	case h.kind == dictionaryPage && isBytes:
		// The values are kept beside the page, and so are their bytes.
		c.kept = entryBytes*min(h.values, h.uncompressed) + h.uncompressed
	case h.kind == dictionaryPage:
		c.kept = 8 * min(h.values, h.uncompressed)
	default:
		switch parquet.Encoding(h.encoding) {
		case parquet.Encodings.DeltaBinaryPacked, parquet.Encodings.DeltaLengthByteArray:
			need += 8 * min(h.values, maxDeltaValues)
		case parquet.Encodings.DeltaByteArray:
			need += 16 * min(h.values, maxDeltaValues)
		}
	}
	more := max(need, c.pages) + max(c.kept, 0) - c.held
	if more <= 0 {
		return nil
	}
	if c.budget.left.Add(-more) < 0 {
		return fmt.Errorf("the pages of a row group take more than %d MiB together", maxGroupBytes>>20)
	}
	c.pages, c.held = max(need, c.pages), c.held+more
	return nil
}
