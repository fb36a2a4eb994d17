import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { root } from '../../../tools/source-files.ts'
import { drawn } from './draw.ts'
import { instrumented } from './instrument.ts'
import { type Cache, mutate } from './mutate.ts'
import { findMutants } from './mutators.ts'
import { computeScore, NO_REASON, recorded, type Survivor, survivorsIn, wilson } from './report.ts'
import { ROLES } from './roles.ts'

const changes = (source: string): readonly string[] =>
  findMutants('a.ts', source).mutants.map(
    ({ start, end, replacement }) => source.slice(0, start) + replacement + source.slice(end),
  )

test.each([
  ['const a = b < c', ['const a = (b) <= (c)', 'const a = (b) >= (c)']],
  ['const a = b === c', ['const a = (b) !== (c)']],
  ['const a = b && c', ['const a = (b) || (c)']],
  ['const a = b ?? c', ['const a = (b) && (c)']],
  ['const a = b + c', ['const a = (b) - (c)']],
  ["const a = b + 'c'", ["const a = b + ''"]],
  ['const a = !b', ['const a = b']],
  ['const a = true', ['const a = false']],
  ['const a = 5', ['const a = 6', 'const a = 4']],
  ['const a = 120_000', ['const a = 240000', 'const a = 60000']],
  [
    'const a = b >= 400',
    ['const a = (b) > (400)', 'const a = (b) < (400)', 'const a = b >= 401', 'const a = b >= 399'],
  ],
  ['const a = metadata.name ?? none', ['const a = (metadata.name) && (none)']],
  ["const a = metadata?.uid ?? ''", ["const a = (metadata?.uid) && ('')", "const a = metadata.uid ?? ''"]],
  ["const a = spec.name ?? ''", ["const a = (spec.name) && ('')", "const a = spec.name ?? 'mutated'"]],
  ['if (a) this.#log.info(b)', ['if (true) this.#log.info(b)', 'if (false) this.#log.info(b)']],
  ['if (a()) { log.debug(b) }', ['if (true) { log.debug(b) }', 'if (false) { log.debug(b) }']],
  ["const a = ''", ["const a = 'mutated'"]],
  ['const a = b.every(c)', ['const a = b.some(c)']],
  ['const a = b.filter(c)', ['const a = b']],
  ['const a = b?.c.every(d).e', ['const a = b?.c.some(d).e', 'const a = b.c.every(d).e']],
  ['const a = b?.[c]', ['const a = b[c]']],
  ['const a = [b]', ['const a = []']],
  ['if (a) b()', ['if (true) b()', 'if (false) b()']],
  ['const f = () => { g() }', ['const f = () => {}']],
  ['function f(): boolean { return g() }', ['function f(): boolean {}', 'function f(): boolean { return false }']],
  ['async function f(): Promise<boolean> { return a }', ['async function f(): Promise<boolean> {}']],
  ['function f() { return g() }', ['function f() {}', 'function f() { return undefined }']],
])('%s', (source, expected) => {
  expect(changes(source).toSorted()).toEqual([...expected].toSorted())
})

test.each([
  "import { a } from 'b'",
  "export { a } from 'b'",
  "type A = 'b' | 1",
  "log.info('text', { a: 1 })",
  "this.#options.logger.warn('text', a && b)",
  "context.log?.error('text')",
  "log.child('text')",
  "if (a > 1) { this.#log.debug('text'); log.debug('more') }",
  "throw new KerfError('text', 1)",
  "const a = { message: 'text' }",
  'class A { constructor() { super() } }',
])('there is nothing to mutate in %s', (source) => {
  expect(changes(source)).toEqual([])
})

test('every mutant of the real sources can be compiled in, and the file can still be parsed', () => {
  const folder = join(root, 'packages/controllers/src/node/termination')
  for (const name of readdirSync(folder).filter((each) => /(?<!\.test)\.ts$/.test(each))) {
    const source = readFileSync(join(folder, name), 'utf8')
    const { mutants, statements } = findMutants(name, source)
    const numbered = mutants.map((mutant, index) => ({ ...mutant, id: index + 1, path: name }))
    expect(() => findMutants(name, instrumented(source, numbered, statements)), name).not.toThrow()
  }
})

test('the same seed selects the same mutants, another seed selects others, without repeats and evenly over the functions', () => {
  const all = ['f', 'g', 'h'].flatMap((owner) =>
    Array.from({ length: owner === 'f' ? 50 : 4 }, (_, number) => ({ path: 'a.ts', owner, number })),
  )
  const draw = drawn(all, 9, 7)
  expect(drawn(all, 9, 7)).toEqual(draw)
  expect(drawn(all, 9, 8)).not.toEqual(draw)
  expect(new Set(draw).size).toBe(9)
  expect([...Map.groupBy(draw, ({ owner }) => owner).values()].map(({ length }) => length)).toEqual([3, 3, 3])
  expect(new Set(drawn(all, 1_000, 7)).size).toBe(all.length)
})

test('in a tiny project, one mutant is killed, one survives, one is reached by no test, and nothing runs twice', async () => {
  const scratch = mkdtempSync(join(tmpdir(), 'kerf-mutation-test-'))
  try {
    const project = join(scratch, 'project')
    mkdirSync(project)
    const write = (name: string, text: string): void => writeFileSync(join(project, name), text)
    write('.gitignore', 'node_modules\n')
    write('package.json', '{"type":"module"}\n')
    write(
      'sum.ts',
      [
        'export const isAdult = (age: number): boolean => age >= limit',
        'const limit = 18',
        'export const unused = (a: number): number => -a',
        'export const rest = (n: number): number => {',
        '  while (n > 5) n -= 5',
        '  return n',
        '}',
        '',
      ].join('\n'),
    )
    write(
      'sum.test.ts',
      [
        "import { expect, test } from 'vitest'",
        "import { isAdult, rest } from './sum.ts'",
        "test('adults', () => { expect(isAdult(30)).toBe(true); expect(isAdult(3)).toBe(false) })",
        "test('rest', () => { expect(rest(12)).toBe(2) })",
        '',
      ].join('\n'),
    )
    symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'))
    spawnSync('git', ['init', '-q'], { cwd: project })
    const before = readFileSync(join(project, 'sum.ts'), 'utf8')
    const task = { root: project, sources: ['sum.ts'], tests: ['sum.test.ts'], seed: 1, count: 100, workers: 1 }
    const said: string[] = []
    const print = (line: string): void => void said.push(line)
    const told: Cache[] = []
    const remember = (found: Cache): void => void told.push(found)
    const first = await mutate({ ...task, scratch: join(scratch, 'one'), cache: {}, remember, print })
    const statuses = Object.fromEntries(
      first.verdicts.map((verdict) => [first.textOf(verdict.mutant).after, verdict.status]),
    )
    expect(statuses).toMatchObject({
      '(age) < (limit)': 'killed',
      '(age) > (limit)': 'survived',
      a: 'not covered',
    })
    const killedId = first.verdicts.find(({ mutant }) => first.textOf(mutant).after === '(age) < (limit)')?.mutant.id
    expect(readFileSync(join(project, 'sum.ts'), 'utf8')).toBe(before)
    expect(computeScore(first.verdicts).count).toBe(first.verdicts.length)

    const again = await mutate({ ...task, scratch: join(scratch, 'two'), cache: told.at(-1) ?? {}, remember, print })
    expect(again.verdicts.map(({ status }) => status)).toEqual(first.verdicts.map(({ status }) => status))
    expect(said.at(-1)).toContain(`${first.verdicts.length} mutants known from an earlier run`)

    // Simulates a run that was stopped after the test `adults` had run without detecting its mutants. The test is not repeated for them.
    const [soFar = {}] = told
    const heldByAdults = Object.values(soFar).find((known) => 'held' in known && known.held.length === 1)
    const stopped = Object.fromEntries(Object.keys(told.at(-1) ?? {}).map((key) => [key, heldByAdults ?? { held: [] }]))
    const resumed = await mutate({ ...task, scratch: join(scratch, 'three'), cache: stopped, remember, print })
    expect(resumed.verdicts.find(({ mutant }) => mutant.id === killedId)?.status).toBe('survived')
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
})

test('a quick file runs before a slow file, and the slow file does not run for mutants that the quick one has killed', async () => {
  const scratch = mkdtempSync(join(tmpdir(), 'kerf-mutation-test-'))
  try {
    const project = join(scratch, 'project')
    mkdirSync(project)
    const check = "test('check', () => { expect(isAdult(30)).toBe(true); expect(isAdult(3)).toBe(false) })\n"
    const head = "import { expect, test } from 'vitest'\nimport { isAdult } from './age.ts'\n"
    const files = {
      '.gitignore': 'node_modules\n',
      'package.json': '{"type":"module"}\n',
      'age.ts': 'export const isAdult = (age: number): boolean => age >= 18\n',
      'a-slow.test.ts': `${head}let sum = 0\n${check.replace(
        '() => {',
        '() => { for (let n = 0; n < 3e8; n++) sum += n % 7;',
      )}`,
      'quick.test.ts': `${head}${check}`,
    }
    for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text)
    symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'))
    spawnSync('git', ['init', '-q'], { cwd: project })
    const tests = ['a-slow.test.ts', 'quick.test.ts']
    const { verdicts } = await mutate({
      ...{ root: project, scratch: join(scratch, 'one'), sources: ['age.ts'], tests, seed: 1, count: 100, workers: 1 },
      ...{ cache: {}, remember: () => {}, print: () => {} },
    })
    const found = verdicts.filter(({ status }) => status === 'killed')
    expect(found).not.toEqual([])
    for (const { by } of found) expect(by).toBe('quick.test.ts > check')
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
})

test('an interrupted run leaves no files or processes behind', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kerf-mutation-test-'))
  try {
    const child = spawn(process.execPath, [join(root, 'tests/support/mutation/run.ts'), 'expiration'], {
      env: { ...process.env, TMPDIR: folder },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    await once(child.stdout, 'data')
    expect(readdirSync(folder)).toHaveLength(1)
    child.kill('SIGTERM')
    const [code] = await once(child, 'exit')
    expect(code).toBe(143)
    expect(readdirSync(folder)).toEqual([])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('the interval is the Wilson score interval', () => {
  const { low, high } = wilson(8, 10)
  expect([low.toFixed(4), high.toFixed(4)]).toEqual(['0.4902', '0.9433'])
  expect(wilson(10, 10).high).toBeCloseTo(1, 12)
})

const lost = (before: string, line: number): Survivor => ({
  status: 'survived',
  path: 'packages/runtime/src/events/a.ts',
  line,
  owner: 'f',
  before,
  after: 'undefined',
})

test('a role’s page gets the new score and survivors, and keeps the reasons and all other text', () => {
  const page = readFileSync(join(root, 'tests', 'support', 'mutation', 'results', 'events.md'), 'utf8')
  const run = { role: 'events', seed: 3, date: '2026-01-02', score: computeScore([]) }
  const first = recorded(page, { ...run, survivors: [lost('a || `b`', 3), lost('done()', 9)] })
  expect(first).toContain('| 2026-01-02 | 3 | 0 |')
  expect(survivorsIn(first).map(({ reason }) => reason)).toEqual([NO_REASON, NO_REASON])
  const judged = first.replace(NO_REASON, 'no difference').replace(NO_REASON, 'the queue wakes up anyway')
  const second = recorded(judged, { ...run, survivors: [lost('new()', 1), lost('a || `b`', 5), lost('done()', 11)] })
  expect(survivorsIn(second)).toEqual([
    { mutant: '`a.ts` f `new()` → `undefined`', reason: NO_REASON },
    { mutant: '`a.ts` f `` a \\|\\| `b` `` → `undefined`', reason: 'no difference' },
    { mutant: '`a.ts` f `done()` → `undefined`', reason: 'the queue wakes up anyway' },
  ])
  expect(second.split('<!-- begin')[0]).toBe(page.split('<!-- begin')[0])
  expect(second.split('<!-- end')[1]).toBe(page.split('<!-- end')[1])
})

test.each(Object.keys(ROLES))('%s has a page, and each survivor on it has a reason', (role) => {
  const page = readFileSync(join(root, 'tests', 'support', 'mutation', 'results', `${role}.md`), 'utf8')
  const score = page
    .match(/^\| \d{4}-\d\d-\d\d \|.*$/m)?.[0]
    .split('|')
    .map((cell) => Number(cell.trim()))
  const rows = survivorsIn(page)
  expect(rows).toHaveLength((score?.[6] ?? 0) + (score?.[7] ?? 0))
  for (const { mutant, reason } of rows) expect(reason.replace(NO_REASON, ''), mutant).not.toBe('')
  expect(readFileSync(join(root, 'tests', 'support', 'mutation', 'README.md'), 'utf8')).toContain(
    `(results/${role}.md)`,
  )
})

test('every test file that a role excludes exists, and the role states a reason', () => {
  const leftOut = Object.values(ROLES).flatMap((role) => Object.entries(role.leftOut ?? {}))
  expect(leftOut.filter(([path, reason]) => reason === '' || !existsSync(join(root, path)))).toEqual([])
})

test('the nightly run covers every role', () => {
  const { jobs } = parse(readFileSync(join(root, '.github', 'workflows', 'nightly.yml'), 'utf8'))
  expect(jobs.mutation.strategy.matrix.role).toMatch(/^\$\{\{ fromJSON\(needs\.mutation-roles\.outputs\.names\) \}\}$/)
  const [list] = jobs['mutation-roles'].steps.filter(({ id }: { readonly id?: string }) => id === 'list')
  expect(list.run).toContain('npm run --silent mutation -- --list')
  const run = spawnSync(process.execPath, [join(import.meta.dirname, 'run.ts'), '--list'], { encoding: 'utf8' })
  expect(JSON.parse(run.stdout)).toEqual(Object.keys(ROLES))
})
