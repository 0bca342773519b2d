package workload

import "github.com/apache/arrow/go/v15/arrow"

// Writer writes batches of jobs in one format. Close ends the file's content
// (footers, buffered text) and leaves the file under it open. After an error
// only Close may be called.
type Writer interface {
	// Write writes a batch, which it does not keep.
	Write(rec arrow.Record) error
	// Close ends the content, after errors too.
	Close() error
}
