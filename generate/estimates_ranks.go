package generate

import (
	"math/rand/v2"
	"slices"
)

// headRanks are the popularity ranks of the head's times in four logs
// (SDSC-106, CTC, KTH with its 4 hour jobs, Blue): the maximum's in the first
// row, then by ascending time.
var headRanks = [headBins][4]int{
	{3, 1, 1, 1}, {1, 3, 4, 6}, {4, 4, 10, 5}, {17, 2, 14, 3}, {13, 12, 20, 7},
	{7, 9, 2, 2}, {8, 8, 3, 18}, {18, 18, 7, 19}, {2, 6, 12, 4}, {6, 7, 6, 11},
	{16, 11, 19, 20}, {10, 20, 5, 9}, {5, 16, 18, 10}, {15, 5, 16, 14}, {14, 14, 9, 13},
	{19, 13, 17, 16}, {11, 10, 15, 15}, {12, 15, 13, 17}, {9, 17, 8, 8}, {20, 19, 11, 12},
}

// drawRanks returns the rank of every time. The maximum has the first, unless
// it is given otherwise; a rank that is due, because no later row of any log
// shows it, is taken, the smallest first; the others are the smaller of two
// drawn from the ranks that the rows so far show and that are free.
func (h head) drawRanks(rng *rand.Rand) []int {
	var used [headBins + 1]bool
	for _, rank := range h.ranks {
		used[rank] = true // used[0] is not asked for
	}
	var drawn [headBins + 1]int // row, from 1, that drew a rank
	var last [headBins + 1]int  // row where any log shows a rank
	for row, shown := range headRanks {
		for _, rank := range shown {
			last[rank] = row
		}
	}
	ranks := slices.Clone(h.ranks)
	var pool []int
	for row := range ranks {
		pool = append(pool, headRanks[row][:]...)
		if ranks[row] > 0 {
			continue
		}
		pool = slices.DeleteFunc(pool, func(rank int) bool { return used[rank] })
		rank, free := 0, 0
		for r := headBins; r >= 1; r-- {
			if !used[r] {
				free = r
				if last[r] <= row {
					rank = r
				}
			}
		}
		switch {
		case row == 0:
			rank = free
		case rank > 0:
		case len(pool) == 0:
			rank = free
		default:
			rank = min(pool[rng.IntN(len(pool))], pool[rng.IntN(len(pool))])
		}
		used[rank], drawn[rank] = true, row+1
	}
	// Close up where there are fewer than 20 times.
	free := 1
	for _, row := range drawn {
		if row > 0 {
			for slices.Contains(h.ranks, free) {
				free++
			}
			ranks[row-1] = free
			free++
		}
	}
	return ranks
}
