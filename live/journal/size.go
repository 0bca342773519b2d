package journal

import "os"

// Size returns the bytes of the store's files; 0 where they cannot be seen.
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
