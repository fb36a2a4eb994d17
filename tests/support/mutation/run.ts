// npm run mutation -- ROLE [--seed N] [--count 150] [--workers W] [--fresh] [--record YYYY-MM-DD]: plants small bugs in a copy of the tree,
// and reports which of them the role's tests detect. Without ROLE, runs all roles one after the other. The exit code is 1 if a role's score
// is below 85 %. `--record` writes the score and the surviving mutants to results/ROLE.md. `--list` only prints the names of all roles as
// JSON.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { programOptions } from '../../../tools/program-options.ts'
import { root } from '../../../tools/source-files.ts'
import { testTools } from '../../../tools/test-tools.mjs'
import { type Cache, mutate } from './mutate.ts'
import { computeScore, recorded, scoreText } from './report.ts'
import { ROLES, type Role } from './roles.ts'

const BAR = 0.85
/** The maximum number of cached results per role. */
const MOST_REMEMBERED = 5_000

const { values, positionals } = programOptions(
  'npm run mutation -- [ROLE]: plants small bugs in a copy of the tree, and says which of them the tests of the role find. Without a role all roles, one after the other.',
  {
    allowPositionals: true,
    options: {
      seed: { type: 'string', default: '1' },
      count: { type: 'string', default: '150' },
      workers: { type: 'string', default: '2' },
      fresh: { type: 'boolean', default: false },
      record: { type: 'string' },
      list: { type: 'boolean', default: false },
    },
  },
)

if (values.list) {
  process.stdout.write(`${JSON.stringify(Object.keys(ROLES))}\n`)
  process.exit(0)
}

const wrongUse = (text: string): never => {
  process.stderr.write(`mutation: ${text}\n`)
  process.exit(2)
}
const wholeNumber = (name: 'seed' | 'count' | 'workers'): number =>
  /^\d+$/.test(values[name]) ? Number(values[name]) : wrongUse(`--${name} takes a whole number, not "${values[name]}"`)

const below = (path: string): readonly string[] => {
  const full = join(root, path)
  if (!existsSync(full)) return wrongUse(`${path} is not there: mend the list in tests/support/mutation/roles.ts`)
  return statSync(full).isDirectory()
    ? readdirSync(full, { recursive: true, encoding: 'utf8' }).map((name) => `${path}/${name}`)
    : [path]
}

const sourcesOf = ({ folders }: Role): readonly string[] =>
  folders
    .flatMap(below)
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.endsWith('.d.ts'))
    // Excludes files that contain only names or permissions, and code that only tests use.
    .filter((path) => !/\/(?:index|permissions)\.ts$|\/(?:testing|generated)\//.test(path))
    .sort()

/** Reports whether a test needs any tool other than Node.js. */
const needsTool = (path: string): boolean =>
  testTools.some(({ ending }) => ending !== undefined && path.endsWith(ending))

const testsOf = ({ folders, tests, leftOut = {} }: Role): readonly string[] =>
  [...new Set([...folders, ...tests].flatMap(below))]
    .filter((path) => path.endsWith('.test.ts') && !needsTool(path) && !Object.hasOwn(leftOut, path))
    .sort()

const names = positionals.length === 0 ? Object.keys(ROLES) : positionals
for (const name of names)
  if (!Object.hasOwn(ROLES, name)) wrongUse(`unknown role "${name}"; known: ${Object.keys(ROLES).join(', ')}`)
if (values.record !== undefined && !/^\d{4}-\d\d-\d\d$/.test(values.record))
  wrongUse('--record takes a date, YYYY-MM-DD')

// Calls `exit` on a signal, because exit handlers end child processes and delete temporary files.
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))

const seed = wholeNumber('seed')
const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

for (const name of names) {
  const role = ROLES[name]
  if (role === undefined) continue
  const began = Date.now()
  const cachePath = join(root, '.cache', 'mutation', `${name}.json`)
  const scratch = mkdtempSync(join(tmpdir(), 'kerf-mutation-'))
  const clear = (): void => rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  process.once('exit', clear)
  try {
    const cache: Cache = values.fresh || !existsSync(cachePath) ? {} : JSON.parse(readFileSync(cachePath, 'utf8'))
    const remember = (found: Cache): void => {
      mkdirSync(dirname(cachePath), { recursive: true })
      // Later runs reuse these results. The oldest ones are dropped, because they most likely belong to code that has changed.
      const kept = Object.entries({ ...cache, ...found }).slice(-MOST_REMEMBERED)
      writeFileSync(cachePath, JSON.stringify(Object.fromEntries(kept)))
    }
    const result = await mutate({
      root,
      scratch,
      sources: sourcesOf(role),
      tests: testsOf(role),
      seed,
      count: wholeNumber('count'),
      workers: wholeNumber('workers'),
      cache,
      remember,
      print: (line) => print(`${name}: ${line}`),
    })
    const survivors = result.verdicts
      .filter(({ status }) => status === 'survived' || status === 'not covered')
      .map(({ mutant, status }) => ({ ...mutant, ...result.textOf(mutant), status }))
    for (const { status, path, line, owner, mutator, before, after } of survivors)
      print(`${name}: ${status}: ${path}:${line} ${owner} ${mutator}: ${before}  →  ${after}`)
    const score = computeScore(result.verdicts)
    print(`${name}: seed ${seed}, ${scoreText(score)}. ${Math.round((Date.now() - began) / 1000)} s`)
    if (score.share < BAR) process.exitCode = 1
    if (values.record !== undefined) {
      const page = join(root, 'tests', 'support', 'mutation', 'results', `${name}.md`)
      const text = readFileSync(page, 'utf8')
      writeFileSync(page, recorded(text, { role: name, seed, date: values.record, score, survivors }))
    }
  } finally {
    clear()
    process.removeListener('exit', clear)
  }
}
