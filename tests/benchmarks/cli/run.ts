// npm run bench:cli [-- --runs N] [--only PART …] [--write]: measures commands that users wait for, including the start of their processes.
// The parts are `commands`, `clone`, and the name of each first hour. --write updates tests/benchmarks/cli/TIMES.md. Parts that were not
// measured keep their last results.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeBundle } from '../../../tools/bundle/make-bundle.ts'
import { programOptions } from '../../../tools/program-options.ts'
import { root } from '../../../tools/source-files.ts'
import { type HourName, hours, readHour } from '../../integration/first-hour/hour.ts'
import { importProviderExports } from '../../support/provider-exports.ts'
import { type MeasuredCommand, measure, type Usage } from './measured-command.ts'
import { type Measured, resultsPage, resultVerdict } from './results.ts'

const { values } = programOptions(
  'npm run bench:cli: how long the commands of the command line take, and a first hour from a fresh clone.',
  {
    options: {
      runs: { type: 'string', default: '5' },
      only: { type: 'string', multiple: true, default: ['commands', 'clone', ...hours] },
      write: { type: 'boolean', default: false },
    },
  },
)
const runs = Number(values.runs)
const parts = new Set(values.only)
const PODS = 5_000
/** The command with which all others are compared. */
const BARE = 'node --eval 0'

const folder = mkdtempSync(join(tmpdir(), 'kerf-bench-cli-'))
const cache = join(folder, 'npm-cache')
const kerf = join(root, 'node_modules', '.bin', 'kerf')
const print = (line: string): void => void process.stderr.write(`${line}\n`)

const repeat = async (title: string, once: (nth: number) => Promise<Usage>, bar?: number): Promise<Measured> => {
  const usages: Usage[] = []
  for (let nth = 0; nth < runs; nth++) {
    const usage = await once(nth)
    print(
      `${title}: ${(usage.wall / 1000).toFixed(2)} s, processor ${(usage.cpu / 1000).toFixed(2)} s, ${usage.peak.toFixed(0)} MiB`,
    )
    usages.push(usage)
  }
  return { title, runs: usages, ...(bar === undefined ? {} : { bar }) }
}

/** Measures warm runs, as for a user who has run the command before: the first run fills the compile cache and is not counted. */
const command = async (title: string, what: Omit<MeasuredCommand, 'cwd'>, bar?: number): Promise<Measured> => {
  await measure({ ...what, cwd: folder })
  return await repeat(title, () => measure({ ...what, cwd: folder }), bar)
}

/** Returns the total size of all files in a folder, in megabytes. */
const sizeOf = (directory: string): number =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size / 1e6, 0)

/** Runs `git clone`, and then `npm run up` until ten pods run. Uses a separate npm cache, which is empty for the first clone. */
const fromClone = (nth: number): Promise<Usage> => {
  const clone = join(folder, `clone-${nth}`)
  const script = `git clone --quiet --depth 1 "file://$0" "$1" && cd "$1" && exec npm run up -- --headless`
  return measure({
    command: 'sh',
    args: ['-c', script, root, clone],
    cwd: folder,
    env: { npm_config_cache: cache },
    until: /10 running/,
  }).finally(() => rmSync(clone, { recursive: true, force: true }))
}

type ClusterDump = (pods: number, pending: number) => string

const measuredCommands = async (): Promise<readonly Measured[]> => {
  const dump = join(folder, 'dump.json')
  const pending = join(folder, 'pending.json')
  const bundle = join(folder, 'kerf.mjs')
  const [dumped] = await importProviderExports<{ readonly clusterDump: ClusterDump }>('./testing/cluster-dump')
  if (dumped === undefined) throw new Error('no provider exports ./testing/cluster-dump')
  const { clusterDump } = dumped
  writeFileSync(dump, clusterDump(PODS, PODS / 20))
  writeFileSync(pending, clusterDump(PODS, PODS))
  writeFileSync(bundle, (await makeBundle({ root, commit: '' })).code)
  const node = process.execPath
  return [
    await command(BARE, { command: node, args: ['--eval', '0'] }),
    await command('kerf --help', { command: kerf, args: ['--help'] }, 500),
    await command('kerf plan --help', { command: kerf, args: ['plan', '--help'] }, 1_000),
    await command('node kerf.mjs --help (the single file)', { command: node, args: [bundle, '--help'] }, 500),
    await command(
      `kerf plan -f dump.json (300 nodes, ${PODS} pods, ${PODS / 20} of them pending)`,
      { command: kerf, args: ['plan', '-f', dump] },
      3_000,
    ),
    await command(
      `kerf plan -f pending.json (${PODS} pods, all pending)`,
      { command: kerf, args: ['plan', '-f', pending] },
      3_000,
    ),
  ]
}

const measuredClone = async (): Promise<Measured> => {
  let fetched = 0
  const measured = await repeat(
    'git clone, npm run up, until ten pods run',
    async (nth) => {
      const usage = await fromClone(nth)
      if (nth === 0) fetched = sizeOf(cache)
      return usage
    },
    60_000,
  )
  return {
    ...measured,
    note: `The first run from a clone fetched ${fetched.toFixed(0)} MB from npm. The other runs found these packages in npm’s cache.`,
  }
}

const measuredHour = (name: HourName): Promise<Measured> => {
  const follow = join(root, 'tests', 'integration', 'first-hour', 'follow.ts')
  return repeat(`the first hour of ${readHour(name).title}`, () =>
    measure({ command: process.execPath, args: [follow, name], cwd: root }),
  )
}

/** The folder with one file of results per part, because parts may be measured separately. */
const kept = join(root, 'node_modules', '.cache', 'kerf-bench-cli')
const keep = (part: string, measured: readonly Measured[]): void =>
  writeFileSync(join(kept, `${part}.json`), JSON.stringify(measured))
const read = (part: string): readonly Measured[] => {
  const file = join(kept, `${part}.json`)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as readonly Measured[]) : []
}

mkdirSync(kept, { recursive: true })
try {
  if (parts.has('commands')) keep('commands', await measuredCommands())
  if (parts.has('clone')) keep('clone', [await measuredClone()])
  for (const name of hours) if (parts.has(name)) keep(name, [await measuredHour(name)])
  const all = ['commands', 'clone', ...hours].flatMap(read)
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
  const page = resultsPage(all, BARE, commit)
  process.stdout.write(page)
  if (values.write) writeFileSync(join(root, 'tests', 'benchmarks', 'cli', 'TIMES.md'), page)
  process.exitCode = all.every((measured) => resultVerdict(measured) !== 'MISSED') ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
