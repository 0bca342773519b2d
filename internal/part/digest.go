package part

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// wholeBytes is the size up to which all bytes of a log are in its digest; of a larger
// one its first and last MiB are and sampled stretches of sampleBytes between them,
// since every part would read the whole log otherwise.
const (
	wholeBytes  = 64 << 20
	samples     = 256
	sampleBytes = 64 << 10
)

// NewLog identifies the log in a file by its size and SHA-256. Of a log above 64 MiB
// the digest is of samples: a change that leaves the size and all samples as they were
// goes unseen.
func NewLog(path string) (Log, error) {
	info, err := os.Stat(path) // before os.Open, which waits for the writer of a named pipe
	if err != nil {
		return Log{}, err
	}
	if !info.Mode().IsRegular() {
		return Log{}, errors.New("want a file: a part is read from its place in it")
	}
	f, err := os.Open(path)
	if err != nil {
		return Log{}, err
	}
	defer f.Close()
	size := info.Size()
	h := sha256.New()
	binary.Write(h, binary.LittleEndian, size)
	add := func(at, n int64) {
		if err == nil {
			_, err = io.Copy(h, io.NewSectionReader(f, at, n))
		}
	}
	if size <= wholeBytes {
		add(0, size)
	} else {
		add(0, 1<<20)
		for i := range int64(samples) {
			add(size/samples*i, sampleBytes)
		}
		add(size-1<<20, 1<<20)
	}
	return Log{Name: path, Bytes: size, Digest: fmt.Sprintf("%x", h.Sum(nil)[:16])}, err
}
