// Writes the Parquet files of this folder and expected.json, what they hold, by
// DuckDB, which shares no code with ours.
// npm install @duckdb/node-api@1.5.6-r.1; node make.mjs
import {DuckDBInstance} from '@duckdb/node-api';
import {mkdirSync, writeFileSync} from 'node:fs';

mkdirSync('other', {recursive: true});
const db = await (await DuckDBInstance.create(':memory:')).connect();
const rows = async (sql) => (await db.runAndReadAll(sql)).getRowsJson();
await db.run("SET TimeZone = 'UTC'; SET threads = 1");

// A column: its kind in expected.json, SQL for row i, and SQL for the value that is
// expected, of $, the column; text, so that nothing is rounded on the way.
const zurich = "timezone('Europe/Zurich', $::TIMESTAMP)";
const columns = {
  i8: ['whole', '(i % 100 - 50)::TINYINT'],
  u8: ['whole', '(i % 256)::UTINYINT'],
  u16: ['whole', '(i * 200)::USMALLINT'],
  i32: ['whole', '(i * 1000003 - 7)::INTEGER'],
  u32: ['whole', '(i * 14000000)::UINTEGER'],
  i64: ['whole', 'i * 4000000000000007'],
  u64: ['whole', '(i * 30000000000000007)::UBIGINT'],
  flag: ['whole', 'i % 3 = 0', '$::INTEGER'],
  id: ['whole', 'i * 4611686018427387::DECIMAL(38, 0)'],
  f32: ['number', '(i / 8)::FLOAT'],
  f64: ['number', 'sqrt(i)'],
  dec4: ['number', '(i * 0.1 - 3)::DECIMAL(4, 1)', '$::DOUBLE'],
  dec9: ['number', '(i * 1.25 - 100)::DECIMAL(9, 2)', '$::DOUBLE'],
  dec18: ['number', '(i * 1234567.891 - 7)::DECIMAL(18, 3)', '$::DOUBLE'],
  dec38: ['number', '(i * 123456789.12345 - 50)::DECIMAL(38, 5)', '$::DOUBLE'],
  clock: ['number', "TIME '00:00:00.25' + INTERVAL (i * 61) SECOND", 'epoch($)'],
  text: ['text', "'user' || i % 5"],
  name: ['text', "'job ü ' || i"],
  path: ['text', "'/scratch/group/of/many/' || (i // 10) || '/run.sh'"],
  word: ['text', "(CASE WHEN i % 2 = 0 THEN 'DONE' ELSE 'LOST' END)::ENUM('DONE', 'LOST')"],
  json: ['text', "json_object('a', i)"],
  second: ['time', "TIMESTAMP_S '2024-03-31 01:59:00' + INTERVAL (i) MINUTE"],
  milli: ['time', "(TIMESTAMP '2024-03-31 00:30:00.125' + INTERVAL (i * 17) MINUTE)::TIMESTAMP_MS"],
  micro: ['time', "TIMESTAMP '2024-06-26 20:00:00.000001' + INTERVAL (i * 17) MINUTE"],
  nano: ['time', "(TIMESTAMP '1969-12-31 20:00:00.000001' + INTERVAL (i * 17) MINUTE)::TIMESTAMP_NS"],
  utc: ['time', "timezone('UTC', TIMESTAMP '2024-10-27 00:00:00.5' + INTERVAL (i) MINUTE)", 'epoch($)', 'epoch($)'],
  date: ['time', "DATE '2024-02-20' + (i % 60)::INTEGER"],
};
const passed = ["[i, i + 1] AS list", "{'a': i, 'b': {'c': 'x'}} AS struct", "MAP {'k': i} AS map", 'INTERVAL (i * 1000) SECOND + INTERVAL (i) DAY AS length', "md5('' || i)::UUID AS uuid"];

const count = 60;
const select = Object.entries(columns).map(([name, [, sql]], c) => `CASE WHEN (i + ${c}) % 7 = 3 THEN NULL ELSE ${sql} END AS ${name}`);
await db.run(`CREATE TABLE jobs AS SELECT ${[...select, ...passed].join(', ')} FROM range(${count}) t(i)`);

const expected = {rows: count, columns: {}};
for (const [name, [kind, , value = kind === 'time' ? 'epoch($)' : '$', local = `epoch(${zurich})`]] of Object.entries(columns)) {
  const of = async (sql) => (await rows(`SELECT (${sql.replace('$', name)})::VARCHAR FROM jobs`)).map(([v]) => v);
  expected.columns[name] = {kind, values: await of(value)};
  if (kind === 'time') expected.columns[name].zurich = await of(local);
}
writeFileSync('expected.json', JSON.stringify(expected) + '\n');

for (const [name, options] of Object.entries({
  'snappy': 'COMPRESSION snappy',
  'brotli': 'COMPRESSION brotli',
  'gzip': 'COMPRESSION gzip',
  'lz4_raw': 'COMPRESSION lz4_raw',
  'plain': 'COMPRESSION uncompressed, DICTIONARY_SIZE_LIMIT 1',
  'v2': 'PARQUET_VERSION V2, COMPRESSION zstd',
})) {
  await db.run(`COPY jobs TO '${name}.parquet' (FORMAT parquet, ${options})`);
}

// Local times of which there are two, and none, in Zurich.
await db.run("COPY (SELECT unnest([TIMESTAMP '2024-10-27 02:30:00', '2024-03-31 02:30:00']) AS at) TO 'other/clocks.parquet' (FORMAT parquet)");
