// Writes the files of this folder by programs that share no code with ours: Rust's
// Parquet, Arrow's JavaScript and Polars.
// npm install apache-arrow@21.2.0 parquet-wasm@0.8.0 nodejs-polars@0.26.1; node make.mjs
//
// Job i of 300 (from 0) has number i+1, is submitted at 60 i s, has run for
// i*i mod 1000 s, unknown where i mod 7 is 3, and has asked for 2^(i mod 5)
// processors.
import * as arrow from 'apache-arrow';
import * as parquet from 'parquet-wasm/node';
import pl from 'nodejs-polars';
import {writeFileSync} from 'node:fs';

const known = (i) => i % 7 === 3 ? null : (i * i) % 1000;
const jobs = (from, to) => {
  const rows = Array.from({length: to - from}, (_, k) => from + k);
  return new arrow.Table({
    job_id: arrow.vectorFromArray(rows.map((i) => BigInt(i + 1)), new arrow.Int64()),
    submit_time_s: arrow.vectorFromArray(rows.map((i) => 60 * i), new arrow.Float64()),
    run_time_s: arrow.vectorFromArray(rows.map(known), new arrow.Float64()),
    requested_processors: arrow.vectorFromArray(rows.map((i) => 1 << (i % 5)), new arrow.Int32()),
    host: arrow.vectorFromArray(rows.map((i) => 'host' + i % 3), new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32())),
  });
};

const write = (name, table, compression, properties = (b) => b) => {
  const options = properties(new parquet.WriterPropertiesBuilder().setCompression(compression)).build();
  writeFileSync(name, parquet.writeParquet(parquet.Table.fromIPCStream(arrow.tableToIPC(table.select(['job_id', 'submit_time_s', 'run_time_s', 'requested_processors']), 'stream')), options));
};
const all = jobs(0, 300);
write('no_rows.parquet', jobs(0, 0), parquet.Compression.LZ4_RAW);

writeFileSync('jobs.arrows', arrow.tableToIPC(all.slice(0, 100).concat(all.slice(100, 300)), 'stream'));

const rows = Array.from({length: 300}, (_, i) => i);
const frame = pl.DataFrame({
  job_id: pl.Series('job_id', rows.map((i) => i + 1), pl.Int64),
  submit_time_s: pl.Series('submit_time_s', rows.map((i) => 60 * i), pl.Float64),
  run_time_s: pl.Series('run_time_s', rows.map(known), pl.Float64),
  requested_processors: pl.Series('requested_processors', rows.map((i) => 1 << (i % 5)), pl.Int32),
  host: pl.Series('host', rows.map((i) => 'host' + i % 3), pl.Categorical),
});
frame.writeIPC('jobs.arrow');
frame.writeIPC('jobs_lz4.arrow', {compression: 'lz4'});
frame.slice(0, 0).writeIPC('no_rows.arrow');
