package workload

import (
	"bytes"
	"encoding/binary"
	"io"
)

// asked and given are what a job has in optional columns, in one piece for the
// file of them; Has says which of the two there is.
type jobMore struct {
	HasAsked, HasGiven bool
	Asked              Asked
	Given              Given
}

var (
	moreBytes = int64(binary.Size(jobMore{}))
	blockMore = moreBytes * jobsPerBlock
)

// writeMore writes the optional columns of a block, if a job has any or the
// file of them has been begun.
func (f *JobFile) writeMore(b *jobBlock) (err error) {
	any := f.more != nil
	var more [jobsPerBlock]jobMore
	for i := range b.jobs {
		j := &b.jobs[i]
		more[i] = jobMore{j.Asked != nil, j.Given != nil, j.Asked.Value(), j.Given.Value()}
		any = any || j.Asked != nil || j.Given != nil
	}
	if !any {
		return nil
	}
	if f.more == nil {
		if f.more, err = UnlinkedFile(); err != nil {
			return err
		}
	}
	var buf bytes.Buffer
	if err := binary.Write(&buf, binary.LittleEndian, &more); err != nil {
		return err
	}
	_, err = f.more.WriteAt(buf.Bytes(), b.number*blockMore)
	return err
}

// readMore reads the optional columns of a block. Blocks that were written
// before the file of them was begun are zero there, or behind its end.
func (f *JobFile) readMore(b *jobBlock) error {
	if f.more == nil {
		return nil
	}
	buf := make([]byte, blockMore)
	if _, err := f.more.ReadAt(buf, b.number*blockMore); err != nil && err != io.EOF {
		return err
	}
	var more [jobsPerBlock]jobMore
	if err := binary.Read(bytes.NewReader(buf), binary.LittleEndian, &more); err != nil {
		return err
	}
	for i := range b.jobs {
		if more[i].HasAsked {
			b.jobs[i].Asked = &more[i].Asked
		}
		if more[i].HasGiven {
			b.jobs[i].Given = &more[i].Given
		}
	}
	return nil
}
