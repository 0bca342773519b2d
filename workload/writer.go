package workload

// Writer writes batches of jobs in one format. Close ends the file's content
// (footers, buffered text) and leaves the file under it open. After an error
// only Close may be called.
type Writer interface {
	// Write writes a batch, which it does not keep.
	Write(b *Batch) error
	// Close ends the content, after errors too.
	Close() error
}
