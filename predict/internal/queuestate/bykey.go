package queuestate

import (
	"bytes"
	"encoding/gob"
	"maps"
	"slices"
)

// ByKey is a map that package encoding/gob writes in the order of its keys, so that
// the same state is the same bytes.
type ByKey[T any] map[int64]T

type keyed[T any] struct {
	Keys []int64
	Of   []T
}

// GobEncode writes the map.
func (m ByKey[T]) GobEncode() ([]byte, error) {
	k := keyed[T]{Keys: slices.Sorted(maps.Keys(m))}
	for _, key := range k.Keys {
		k.Of = append(k.Of, m[key])
	}
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(k)
	return b.Bytes(), err
}

// GobDecode reads the map.
func (m *ByKey[T]) GobDecode(data []byte) error {
	var k keyed[T]
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(&k); err != nil {
		return err
	}
	*m = make(ByKey[T], len(k.Keys))
	for i, key := range k.Keys {
		if i < len(k.Of) {
			(*m)[key] = k.Of[i]
		}
	}
	return nil
}
