# Loadstone in R: job logs of batch machines, models and predictors, as data frames.
#
#   source("loadstone.R")
#   jobs <- loadstone$read("log.swf")
#
# Every function runs the command loadstone, which is on the path or named by the
# environment variable LOADSTONE; nothing is computed in R. It needs the package jsonlite.
# A log is a file in any format that the command reads, or a data frame. Named arguments
# are the command's flags: wait_from = "eligible" is --wait-from=eligible, a vector is
# joined by commas, a named one is NAME=VALUE pairs, and TRUE is a flag without a value.

loadstone <- local({
  # Words of the column status, in the order of its codes.
  status <- c("failed", "completed", "partial", "last_completed", "last_failed", "cancelled")

  # Columns whose numbers have names in a log's header, by the keys of those lines.
  named <- c(User = "user_id", Group = "group_id", Application = "application_id", Queue = "queue_id",
             Partition = "partition_id", GPUType = "gpu_type_id", Account = "account_id", QOS = "qos_id")

  # Lines of a header that no longer hold once jobs were left out or changed.
  stale <- c("MaxJobs", "MaxRecords", "EndTime", names(named))

  # Columns of the job table, those that every job table has first.
  columns <- scan(quiet = TRUE, what = "", text = "
    job_id submit_time_s wait_time_s run_time_s allocated_processors cpu_time_s used_memory_kb requested_processors
    requested_time_s requested_memory_kb status user_id group_id application_id queue_id partition_id preceding_job_id
    think_time_s sequential_time_s average_parallelism sigma requested_nodes allocated_nodes requested_gpus
    allocated_gpus gpu_type_id gpu_share_milli requested_memory_total_kb used_memory_total_kb energy_j account_id qos_id
    priority array_id exit_code eligible_time_s preempted_count requeued_count")

  always <- columns[1:18]
  fractional <- c(grep("_s$|_kb$", columns, value = TRUE), "average_parallelism", "sigma", "energy_j")

  # Columns of results that are text, and those that are yes or no; others are numbers.
  text <- scan(quiet = TRUE, what = "", text = "
    attribute by check class classes column command compared_as default estimates family field figure file filter group
    identity kind ks_method lacks log logs loop meaning measure method missing month name parameter partition policy
    predictor predicts quantity rule saw severity side site source statistic status strategy swept_parameter transform unit
    want weekday what why worst_class")
  logicals <- scan(quiet = TRUE, what = "", text = "differs feedback in_model inside no_difference pinned ready recommended")

  # Flags whose values may contain commas: a vector repeats the flag.
  repeated <- c("exec", "filter", "require", "set")

  # parsed reads a model, and keeps its text, whose numbers have more digits than jsonlite writes.
  parsed <- function(text) structure(jsonlite::fromJSON(text, simplifyVector = FALSE), text = paste(text, collapse = "\n"))

  model_text <- function(model) {
    text <- attr(model, "text")
    if (!is.null(text) && identical(parsed(text), model)) return(text)
    jsonlite::toJSON(model, auto_unbox = TRUE, digits = NA, null = "null", pretty = TRUE)
  }

  # input returns the file of a data frame, a fit or a model, which it writes into a
  # folder, else the input.
  input <- function(x, folder, reading = list()) {
    if (is.data.frame(x)) return(frame_file(x, folder, reading))
    if (inherits(x, "loadstone_fit")) x <- x$model
    if (is.list(x) && !is.null(x$schema)) {
      file <- tempfile("model-", folder, ".json")
      writeLines(model_text(x), file)
      return(file)
    }
    x
  }

  # log_file returns the file of a log or a model.
  log_file <- function(x, folder, reading = list()) {
    if (is.list(x) && !is.data.frame(x) && !inherits(x, "loadstone_fit")) model_checked(x)
    else if (!is.data.frame(x) && !inherits(x, "loadstone_fit") && !(is.character(x) && length(x) == 1 && !is.na(x))) {
      stop("loadstone: saw ", if (length(x) == 1) "a value" else paste("a vector of", length(x), "values"), " of class ", class(x)[1],
           ", want a data frame with a row for each job, or the path of a log", call. = FALSE)
    }
    input(x, folder, reading)
  }

  model_checked <- function(x) {
    if (is.list(x) && !inherits(x, "loadstone_fit") && is.null(x$schema)) stop("loadstone: saw a list without the element schema, want a model", call. = FALSE)
    x
  }

  disagree <- function(a, b, used, rows = "", although = "") {
    warning(a, " and ", b, " disagree", rows, ": ", used, " is read", although, ". Change ", used, ", or drop it to have ", setdiff(c(a, b), used), " read", call. = FALSE)
  }

  # dated gives a frame moments for what else its submissions are, such as texts, which the
  # command reads.
  dated <- function(frame, csv, folder, reading) {
    header <- attr(frame, "header")
    start <- start_of(header)
    zone <- zone_of(header, reading)
    for (date in if (!is.na(start)) c("submit_time", "eligible_time")) {
      if (is.null(frame[[date]]) || inherits(frame[[date]], "POSIXct")) next
      write_csv(plain(data.frame(job_id = seq_len(nrow(frame)), submit_time = frame[[date]])), csv)
      known <- if (!is.null(zone)) c(paste0("--timezone=", zone), "--quiet") else if (isTRUE(reading$quiet)) "--quiet"
      seconds <- paste0(date, "_s")
      table <- tryCatch(read_jobs(folder, function(out) execute(c("convert", csv, known, paste0("--output=", out)), folder)), loadstone_error = function(e) {
        if (!seconds %in% names(frame)) {
          e$message <- sub("submit_time (submit_time_s)", date, e$message, fixed = TRUE)
          stop(e)
        }
        disagree(date, seconds, seconds)
        NULL
      })
      frame[[date]] <- if (is.null(table)) NULL else if ("submit_time" %in% names(table)) table$submit_time else
        as.POSIXct(start + table$submit_time_s, origin = "1970-01-01", tz = "UTC") # seconds since the log's start
    }
    frame
  }

  # zone_of returns the time zone of local times in a frame that was read here.
  zone_of <- function(header, reading) {
    if (!is.null(reading$timezone)) return(reading$timezone)
    zone <- header["TimeZoneString"]
    if (zone %in% OlsonNames()) unname(zone)
  }

  # of_logs tells whether the rows of a frame are those of several logs, as of rbind: its
  # dates count from several starts, and its seconds begin anew with each.
  of_logs <- function(frame) {
    if (!inherits(frame[["submit_time"]], "POSIXct") || !is.numeric(frame[["submit_time_s"]])) return(FALSE)
    known <- !is.na(frame$submit_time) & !is.na(frame$submit_time_s)
    seconds <- frame$submit_time_s[known]
    new <- abs(diff(as.numeric(frame$submit_time[known]) - seconds)) > 0.001
    any(new) && all(diff(seconds)[new] < 0)
  }

  # agreed gives a frame seconds for the moments that it has alone, and warns where both
  # disagree.
  agreed <- function(frame) {
    start <- start_of(attr(frame, "header"))
    for (name in c("submit_time_s", "eligible_time_s")) {
      date <- sub("_s$", "", name)
      if (is.na(start) || !inherits(frame[[date]], "POSIXct")) next
      seconds <- as.numeric(frame[[date]]) - start
      if (!name %in% names(frame)) {
        frame[[name]] <- seconds
        next
      }
      wrong <- sum(is.na(seconds) != is.na(frame[[name]]) | (!is.na(seconds) & !is.na(frame[[name]]) & abs(seconds - frame[[name]]) > 0.001))
      if (wrong > 0) disagree(date, name, name, paste(" in", wrong, "rows"))
    }
    frame
  }

  # with_names gives a frame a name wherever there is a number, and warns where they disagree.
  with_names <- function(frame) {
    for (number in named) {
      name <- sub("_id$", "", number)
      if (!all(c(number, name) %in% names(frame))) next
      words <- as.character(frame[[name]])
      lacks <- (is.na(words) | words == "") & !is.na(frame[[number]])
      if (any(lacks)) {
        warning(name, " is empty in ", sum(lacks), if (sum(lacks) == 1) " row" else " rows", " whose ", number, " is known: the number is read as its name", call. = FALSE)
        words[lacks] <- as.character(frame[[number]][lacks])
        frame[[name]] <- words
      }
      pairs <- stats::na.omit(unique(data.frame(number = frame[[number]], name = words)))
      several <- pairs$name[duplicated(pairs$name)]
      # Numbers are those of each log, in a frame of two.
      if (length(several) || !is.null(attr(frame, "header")) && anyDuplicated(pairs$number)) {
        disagree(name, number, name, although = if (length(several)) paste0(", although \"", several[1], "\" stands for ", sum(pairs$name == several[1]), " numbers"))
      }
    }
    frame
  }

  # start_of returns a log's start in seconds since 1970, NA where it is unknown.
  start_of <- function(header) as.numeric(sub("\n.*", "", header["UnixStartTime"]))

  # is_job_table tells whether the columns of a frame that was read here still are those of
  # the job table. Columns may have been left out or added, but not both: one of them may be
  # renamed.
  is_job_table <- function(frame) {
    known <- c(columns, sub("_id$", "", named), "submit_time", "eligible_time")
    whole <- Filter(is.numeric, frame[intersect(setdiff(columns, fractional), names(frame))])
    (all(names(frame) %in% known) || all(always %in% names(frame))) && !any(vapply(whole, function(x) any(x %% 1 != 0, na.rm = TRUE), NA))
  }

  plain <- function(frame) as.data.frame(lapply(frame, function(x) {
    if (inherits(x, "POSIXt")) format(as.POSIXct(x), "%Y-%m-%dT%H:%M:%OS6Z", tz = "UTC")
    else if (inherits(x, "difftime")) as.numeric(x, units = "secs")
    else if (is.factor(x)) as.character(x)
    else x
  }), optional = TRUE, stringsAsFactors = FALSE)

  # preceded gives a frame the numbers of preceding jobs whose ids are texts: their rows, by
  # which the command numbers jobs.
  preceded <- function(frame) {
    if (!all(c("job_id", "preceding_job_id") %in% names(frame))) return(frame)
    are_texts <- function(x) !is.numeric(x) && anyNA(suppressWarnings(as.numeric(x[!is.na(x) & x != ""])))
    ids <- as.character(frame$job_id)
    words <- as.character(frame$preceding_job_id)
    words[words == ""] <- NA
    if (!are_texts(ids) && !are_texts(words)) return(frame)
    found <- if (are_texts(ids)) match(words, ids) else suppressWarnings(as.numeric(words))
    lost <- words[is.na(found) & !is.na(words)]
    if (length(lost)) {
      warning("preceding_job_id: ", if (length(lost) == 1) "1 preceding job is" else paste(length(lost), "preceding jobs are"),
              " not known by the ids of the jobs, such as \"", lost[1], "\": left unknown", call. = FALSE)
    }
    frame$preceding_job_id <- found
    frame
  }

  # known returns a frame whose submissions and names are known wherever it has them in some form.
  known <- function(frame, csv, folder, reading) {
    for (name in names(frame)) if (inherits(frame[[name]], "POSIXlt")) frame[[name]] <- as.POSIXct(frame[[name]])
    frame <- with_names(preceded(frame))
    if (is.null(attr(frame, "header"))) return(frame)
    if (of_logs(frame)) {
      warning("submit_time and submit_time_s do not count from one start, as in a data frame of two logs: submit_time is read, and the header is not", call. = FALSE)
      attr(frame, "header") <- NULL
      return(frame)
    }
    agreed(dated(frame, csv, folder, reading))
  }

  # frame_file writes a frame into a folder; reading has the arguments that say how its
  # columns are read.
  frame_file <- function(frame, folder, reading) {
    twice <- names(frame)[duplicated(names(frame))]
    if (length(twice)) stop("loadstone: the data frame has two columns ", twice[1], ": rename or drop one", call. = FALSE)
    label <- paste0("data.frame-", length(list.files(folder, "^data[.]frame-[0-9]+[.]csv$")) + 1)
    csv <- file.path(folder, paste0(label, ".csv"))
    if ("predicted_s" %in% names(frame)) { # predictions are no jobs
      write_csv(plain(frame), csv)
      return(csv)
    }
    if (isTRUE(reading$quiet)) frame <- suppressWarnings(known(frame, csv, folder, reading)) else frame <- known(frame, csv, folder, reading)
    header <- attr(frame, "header")
    if (is.null(header)) {
      write_csv(plain(frame), csv)
      return(csv)
    }
    undated <- any(c("submit_time", "eligible_time") %in% names(frame) & !c("submit_time_s", "eligible_time_s") %in% names(frame)) # the header has no start
    if (undated || !is.null(reading$map) || !is_job_table(frame)) { # a frame of the user's own, with the header that it had
      numbers <- named[named %in% names(frame) & sub("_id$", "", named) %in% names(frame)]
      dates <- Filter(function(date) all(c(date, paste0(date, "_s")) %in% names(frame)), c("submit_time", "eligible_time"))
      write_csv(plain(frame[setdiff(names(frame), c(numbers, dates))]), csv)
      frame <- read_jobs(folder, function(out) execute(c("convert", csv, flags(c(reading[names(reading) != "timezone"], list(timezone = zone_of(header, reading))), folder), paste0("--output=", out)), folder))
      kept <- attr(frame, "header")
      header <- c(kept, header[setdiff(names(header), names(kept))])
    }
    # The header goes along, so that the machine's size and the clock stay known. The
    # columns are in another order than the command's own, since its own tables take no
    # mapping.
    own <- intersect(rev(columns), names(frame))
    from <- own
    mapping <- list()
    for (i in seq_along(own)) {
      name <- own[i]
      short <- sub("_id$", "", name)
      mapping[[name]] <- name
      if (name == "status" && is.factor(frame[[name]])) {
        mapping[[name]] <- list(column = name, values = as.list(setNames(status, status)))
      } else if (name %in% c("submit_time_s", "eligible_time_s")) {
        mapping[[name]] <- list(column = name, form = "relative")
      } else if (name %in% named) {
        names <- short != name && short %in% names(frame)
        if (names) from[i] <- short
        mapping[[name]] <- list(column = from[i], form = if (names) "name" else "number")
      }
    }
    write_csv(plain(frame)[from], csv)
    map <- tempfile("map-", folder, ".json")
    writeLines(jsonlite::toJSON(list(schema = "loadstone.mapping/1", name = "data frame", header = lapply(as.list(header), as.character), columns = mapping), auto_unbox = TRUE), map)
    out <- file.path(folder, paste0(label, ".arrows"))
    tryCatch(execute(c("convert", csv, "--quiet", paste0("--map=", map), paste0("--output=", out)), folder), loadstone_error = function(e) {
      e$message <- sub(paste0("^--map: ", basename(map), ":[0-9]+: header[.]"), paste0(label, ": attribute header: "), e$message)
      stop(e)
    })
    out
  }

  write_csv <- function(frame, file) {
    old <- options(scipen = 100, digits = 17)
    on.exit(options(old))
    utils::write.csv(frame, file, row.names = FALSE, na = "", fileEncoding = "UTF-8")
  }

  reading_of <- function(arguments) arguments[intersect(c("map", "timezone", "quiet"), names(arguments))]

  # flags returns the flags that a list of arguments stands for.
  flags <- function(arguments, folder) {
    if (length(arguments) && (is.null(names(arguments)) || any(names(arguments) == ""))) {
      stop("loadstone: name the arguments after the logs: they are flags", call. = FALSE)
    }
    unlist(lapply(names(arguments), function(name) {
      value <- input(arguments[[name]], folder, reading_of(arguments))
      flag <- paste0("--", gsub("_", "-", sub("_+$", "", name)))
      if (flag %in% c("--output", "--format")) stop(name, ": the function returns the result: see loadstone$save and loadstone$run", call. = FALSE)
      if (is.null(value) || identical(value, FALSE)) return(NULL)
      if (identical(value, TRUE)) return(flag)
      words <- if (is.numeric(value)) vapply(value, format, "", scientific = FALSE, digits = 15) else as.character(value)
      if (!is.null(names(value))) words <- paste0(names(value), "=", words)
      paste0(flag, "=", if (sub("--", "", flag, fixed = TRUE) %in% repeated) words else paste(words, collapse = ","))
    }))
  }

  # execute runs the command and returns its standard output. The folder is left out of
  # what the command says of the files in it.
  execute <- function(arguments, folder) {
    out <- tempfile("out-", folder)
    err <- tempfile("err-", folder)
    code <- suppressWarnings(system2(Sys.getenv("LOADSTONE", "loadstone"), shQuote(arguments), stdout = out, stderr = err))
    # Frames go under their own name, rows under their numbers.
    hide <- function(lines) {
      lines <- gsub(paste0(folder, "/"), "", lines, fixed = TRUE)
      if (!length(list.files(folder, "^data[.]frame-"))) return(lines)
      numbered <- function(lines, pattern, before, after, less) {
        for (i in grep(pattern, lines, perl = TRUE)) {
          row <- as.numeric(sub(paste0(".*?", pattern, ".*"), "\\2", lines[i], perl = TRUE)) - less
          lines[i] <- sub(pattern, if (row > 0) paste0("\\1", before, row, after) else paste0("\\1", after), lines[i], perl = TRUE)
        }
        lines
      }
      lines <- numbered(lines, "(data[.]frame-[0-9]+)[.]csv:([0-9]+):", ", row ", ":", 1)
      # The file named last is the one that the line is of; files in Arrow have no line of names.
      lines <- numbered(lines, "^(warning: .*\\bdata[.]frame-[0-9]+[.]csv\\b.*?) in line ([0-9]+)", " in row ", "", 1)
      lines <- numbered(lines, "^(warning: .*\\bdata[.]frame-[0-9]+[.]arrows\\b.*?) in line ([0-9]+)", " in row ", "", 0)
      gsub("(data[.]frame-[0-9]+)[.](csv|arrows)\\b", "\\1", lines, perl = TRUE)
    }
    said <- hide(readLines(err, warn = FALSE, encoding = "UTF-8"))
    for (line in said[startsWith(said, "warning: ")]) warning(sub("^warning: ", "", line), call. = FALSE)
    printed <- hide(readLines(out, warn = FALSE, encoding = "UTF-8"))
    if (code != 0) {
      left <- said[!grepl("^(warning: |note: |See ')", said)]
      message <- if (code == 127) paste0("cannot run ", Sys.getenv("LOADSTONE", "loadstone"), ": set the environment variable LOADSTONE to the path of the loadstone binary") else sub("^loadstone: ", "", paste(left, collapse = "\n"))
      stop(structure(class = c("loadstone_error", "error", "condition"), list(message = message, call = NULL, code = code, output = printed)))
    }
    printed
  }

  # own_zone returns the time zone that the moments of a data frame of the user's own name,
  # else an empty text.
  own_zone <- function(x) {
    if (!is.data.frame(x) || !is.null(attr(x, "header"))) return("")
    zones <- unique(vapply(Filter(function(values) inherits(values, "POSIXt"), x), function(values) c(attr(values, "tzone"), "")[1], ""))
    if (length(zones) == 1 && !zones %in% c("UTC", "GMT")) zones else ""
  }

  # call runs a command on inputs, with flags from a list.
  call <- function(command, inputs, arguments, folder, own = NULL) {
    is_log <- function(x) if (is.data.frame(x)) !"predicted_s" %in% names(x) else is.character(x) && length(x) == 1 && file.exists(x)
    zones <- unique(vapply(Filter(is_log, c(inputs, arguments)), own_zone, ""))
    if (is.null(arguments$timezone) && length(zones) == 1 && zones != "") arguments$timezone <- zones
    files <- vapply(inputs, function(x) as.character(log_file(x, folder, reading_of(arguments))), "", USE.NAMES = FALSE)
    read_here <- vapply(inputs, function(x) is.data.frame(x) && !is.null(attr(x, "header")), NA)
    if (length(inputs) && all(read_here)) arguments$map <- NULL # they were read with it
    files <- ifelse(startsWith(files, "-"), file.path(".", files), files)
    execute(c(strsplit(command, " ")[[1]], files, flags(arguments, folder), own), folder)
  }

  with_folder <- function(f) {
    folder <- tempfile("loadstone-")
    dir.create(folder)
    on.exit(unlink(folder, recursive = TRUE))
    f(normalizePath(folder))
  }

  # split_inputs tells inputs, which have no name, from flags.
  split_inputs <- function(...) {
    all <- list(...)
    given <- if (is.null(names(all))) rep("", length(all)) else names(all)
    list(inputs = unname(all[given == ""]), flags = all[given != ""])
  }

  frame <- function(lines) {
    table <- utils::read.csv(text = lines, colClasses = "character", na.strings = "", check.names = FALSE, encoding = "UTF-8")
    # The command's CSV has an apostrophe before texts that spreadsheets would compute.
    table[] <- lapply(table, function(x) sub("^'(?=[-=+@\\t\\r\\n])", "", x, perl = TRUE))
    for (name in setdiff(names(table), text)) {
      values <- table[[name]]
      if (name %in% logicals) table[[name]] <- values == "true"
      else if (!anyNA(suppressWarnings(as.numeric(values[!is.na(values)])))) table[[name]] <- as.numeric(values)
    }
    table
  }

  # jobs returns the jobs that a command writes with -o.
  jobs <- function(command, inputs, arguments, own = NULL) with_folder(function(folder) {
    printed <- NULL
    table <- read_jobs(folder, function(out) printed <<- call(command, inputs, arguments, folder, c(paste0("--output=", out), own)))
    if (!is.null(own)) attr(table, "result") <- jsonlite::fromJSON(printed)
    table
  })

  # read_jobs returns the jobs of the file that a function writes.
  read_jobs <- function(folder, write) {
    out <- tempfile("jobs-", folder, ".arrows")
    write(out)
    lines <- execute(c("convert", out, "--quiet", "--format=csv"), folder)
    table <- utils::read.csv(text = lines, colClasses = "numeric", na.strings = "")
    header <- header_of(execute(c("convert", out, "--quiet", "--format=swf"), folder))
    start <- start_of(header$lines)
    table$status <- factor(status[table$status + 1], status)
    for (name in c("submit_time_s", "eligible_time_s")) if (!is.na(start) && name %in% names(table)) {
      table <- after(table, name, sub("_s$", "", name), as.POSIXct(start + table[[name]], origin = "1970-01-01", tz = "UTC"))
    }
    for (name in intersect(names(header$names), names(table))) {
      codes <- union(names(header$names[[name]]), as.character(stats::na.omit(table[[name]])))
      words <- ifelse(codes %in% names(header$names[[name]]), header$names[[name]][codes], codes)
      table <- after(table, name, sub("_id$", "", name), factor(words[match(as.character(table[[name]]), codes)], unique(words)))
    }
    attr(table, "header") <- header$lines
    table
  }

  after <- function(table, name, new, values) {
    at <- match(name, names(table))
    table[[new]] <- values
    table[c(seq_len(at), ncol(table), setdiff(seq_len(ncol(table) - 1), seq_len(at)))]
  }

  # header_of returns a log's header, with the values of a keyword that is repeated or
  # continued joined by newlines, and the names of numbers, by column.
  header_of <- function(lines) {
    lines <- trimws(sub("^;", "", lines[startsWith(lines, ";")]))
    first <- grepl("^[A-Za-z_]+:(?!//)", lines, perl = TRUE)
    keys <- c(NA, sub(":.*", "", lines[first]))[cumsum(first) + 1]
    values <- ifelse(first, trimws(sub("^\\w+:", "", lines)), lines)
    named_lines <- keys %in% names(named) & grepl("^[0-9]+ ", values)
    numbers <- split(values[named_lines], named[keys[named_lines]])
    kept <- !is.na(keys) & values != "" & !keys %in% stale
    unquoted <- function(name) if (startsWith(name, '"')) tryCatch(jsonlite::fromJSON(name), error = function(e) name) else name
    list(lines = vapply(split(values[kept], factor(keys[kept], unique(keys[kept]))), paste, "", collapse = "\n"),
         names = lapply(numbers, function(v) setNames(vapply(trimws(sub("^[0-9]+ ", "", v)), unquoted, ""), sub(" .*", "", v))))
  }

  table <- function(command, ...) with_folder(function(folder) {
    x <- split_inputs(...)
    frame(call(command, x$inputs, x$flags, folder, "--format=csv"))
  })

  scores <- function(command, ...) {
    if (!is.null(list(...)$by)) stop("loadstone: by: a data frame has no scores of parts; loadstone$json(\"", command, "\", ..., by = ...) has them under parts", call. = FALSE)
    table(command, ...)
  }

  # faults has rows of a data frame under their numbers, which have no line.
  faults <- function(table, log) {
    if (is.data.frame(log)) table$line <- rep(NA_real_, nrow(table))
    table
  }

  registerS3method("print", "loadstone_fit", function(x, ...) {
    cat("loadstone fit: ", x$model$schema, " of ", x$model$name, ", ", NROW(x$fits), " fitted distributions\n", sep = "")
    invisible(x)
  })

  list(
    # run returns what a command prints, as lines.
    run = function(command, ...) with_folder(function(folder) {
      x <- split_inputs(...)
      own <- intersect(c("output", "format"), names(x$flags))
      call(command, x$inputs, x$flags[setdiff(names(x$flags), own)], folder, if (length(own)) paste0("--", own, "=", unlist(x$flags[own])))
    }),
    # table and json return the result of any command.
    table = table,
    json = function(command, ...) with_folder(function(folder) {
      x <- split_inputs(...)
      jsonlite::fromJSON(call(command, x$inputs, x$flags, folder, "--format=json"))
    }),
    # read, clean, anonymise, generate and simulate return jobs.
    read = function(log, ...) jobs("convert", list(log), list(...)),
    clean = function(log, filter, ...) jobs("clean", list(log), list(filter = filter, ...)),
    anonymise = function(log, ...) jobs("anonymise", list(log), list(...)),
    generate = function(model = NULL, ...) jobs("generate", list(), c(if (!is.null(model)) list(model = model_checked(model)), list(...))),
    simulate = function(log, ...) jobs("simulate", list(log), list(...), "--format=json"),
    convert = function(log, output, ...) with_folder(function(folder) {
      call("convert", list(log), list(...), folder, paste0("--output=", output))
      invisible(output)
    }),
    # fit returns a list: model, which is what -o writes with the same flags; report, of the
    # distributions; and fits, the report's table of them.
    fit = function(log, ...) with_folder(function(folder) {
      file <- file.path(folder, "model.json")
      source <- log_file(log, folder)
      report <- jsonlite::fromJSON(call("fit", list(source), list(...), folder, c(paste0("--output=", file), "--format=json")))
      text <- readLines(file)
      if (is.data.frame(log)) text <- gsub(basename(source), sub("[.][a-z]+$", "", basename(source)), text, fixed = TRUE)
      structure(class = "loadstone_fit", list(model = parsed(text), report = report, fits = report$fits))
    }),
    save = function(fit, file) writeLines(model_text(if (inherits(fit, "loadstone_fit")) fit$model else fit), file),
    describe = function(log, ...) if (any(c("by", "section") %in% names(list(...)))) table("describe", log, ...) else table("describe", log, section = "columns", ...),
    validate = function(log, ...) faults(tryCatch(table("validate", log, ...), loadstone_error = function(e) if (length(e$output)) frame(e$output) else stop(e)), log),
    compare = function(a, ...) table("compare", a, ...),
    runtime = function(log, ...) scores("runtime", log, ...),
    predict = function(log, ...) scores("predict", log, ...),
    score = function(log, predictions, ...) scores("score", log, predictions, ...),
    wait = function(state, ..., size) table("wait", state, ..., size = size),
    lifetimes = function(log, by, ...) table("lifetimes", log, by = by, ...),
    models = function() table("models list"),
    model = function(name) with_folder(function(folder) parsed(call("models show", list(name), list(), folder)))
  )
})
