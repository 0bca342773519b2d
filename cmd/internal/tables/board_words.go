package tables

import (
	"fmt"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/evaluate/board"
	"github.com/loadstone-hpc/loadstone/evaluate/predictions"
)

// boardWords describes the scores.
func boardWords(b *board.Board) string {
	words := "Accuracy over the jobs that all predictors answered"
	if b.Of == predictions.OfWaits {
		words = fmt.Sprintf("Pinball loss (minutes) of %s bounds over the jobs that all predictors of bounds bounded", present.Level(b.Quantile))
	}
	words += ", with the rank on each log."
	if b.FirstJobs > 0 {
		words += fmt.Sprintf(" Of each log the first %d jobs alone.", b.FirstJobs)
	}
	if b.Replicates > 0 {
		words += fmt.Sprintf(" A star: the 95 %% interval of the difference from the log's best, of %s with seed %d, includes 0.", boardDraws(b), b.Seed)
	}
	return words
}

// boardDraws describes how the intervals were drawn.
func boardDraws(b *board.Board) string {
	if b.Of == predictions.OfWaits {
		return fmt.Sprintf("%d draws of weeks (days of a short sample)", b.Replicates)
	}
	return fmt.Sprintf("%d draws of users", b.Replicates)
}

// boardMade names the version and the options that made a scoreboard.
func boardMade(b *board.Board) string {
	command := "runtime"
	if b.Of == predictions.OfWaits {
		command = "predict"
	}
	return fmt.Sprintf("Made by loadstone %s: %s", b.Version, strings.Join(append([]string{command + " LOG LOG..."}, b.Options...), " "))
}

// boardBehindWords describes the differences.
func boardBehindWords(b *board.Board) string {
	words := "The score less that of the log's best predictor"
	if b.Replicates > 0 {
		words += fmt.Sprintf(", with a 95 %% interval of %s with seed %d, the same for both", boardDraws(b), b.Seed)
	}
	return words + "."
}
