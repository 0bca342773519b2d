package journal

import "os"

// Size returns the total size of the store's files in bytes; 0 if it cannot be
// read.
func (j *Journal) Size() int64 {
	all, err := segments(j.dir)
	if err != nil {
		return 0
	}
	sum := int64(0)
	for _, s := range all {
		if info, err := os.Stat(s.path()); err == nil {
			sum += info.Size()
		}
	}
	return sum
}
