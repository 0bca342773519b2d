# Makes the Go kernel's own module use this clone and the versions of modules that the
# clone uses. The first cell of every Go notebook runs it in the kernel's folder.
set -e
root=$(dirname "$GONB_DIR")
sort -u "$GONB_DIR/go.sum" "$root/go.sum" >go.sum
go mod edit \
  -require github.com/loadstone-hpc/loadstone@v0.0.0 \
  -replace "github.com/loadstone-hpc/loadstone=$root" \
  -require github.com/loadstone-hpc/loadstone/notebooks@v0.0.0 \
  -replace "github.com/loadstone-hpc/loadstone/notebooks=$GONB_DIR"
