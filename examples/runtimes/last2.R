#!/usr/bin/env Rscript
# Predicts the mean of the last two run times of the user.
library(jsonlite)

last <- new.env()  # by user, the newest last
key <- function(job) if (is.null(job$user_id)) "unknown" else as.character(job$user_id)

input <- file("stdin", "r")
while (length(line <- readLines(input, n = 1)) > 0) {
  event <- fromJSON(line)
  if (!is.null(event$submit)) {
    job <- event$submit
    runs <- last[[key(job)]]
    answer <- list(row = job$row, predicted_s = if (is.null(runs)) NA else mean(runs))
    cat(toJSON(answer, auto_unbox = TRUE, na = "null", digits = NA), "\n", sep = "")
    flush(stdout())
  } else if (!is.null(event$end)) {
    job <- event$end
    last[[key(job)]] <- tail(c(last[[key(job)]], job$run_time_s), 2)
  }
}
