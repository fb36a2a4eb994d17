import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const RANDOM = 'packages/runtime/src/random/seeded-random.ts'
const DURATION = 'packages/apis/src/duration.ts'

const quoted = (path: string): string => JSON.stringify(`./${path}`)

/** The program of a child process. V8 supports only one coverage recording per process, and the process of this test may already use it. */
const program = `
  const { execFileSync } = await import('node:child_process')
  const { CoverageOfFile } = await import(${quoted('tests/support/costs/coverage.ts')})
  const { SeededRandom } = await import(${quoted(RANDOM)})
  const coverage = new CoverageOfFile()
  await coverage.start()
  new SeededRandom(1).uint32()
  const child = ${JSON.stringify(`(await import(${quoted(DURATION)})).parseDuration('5m')`)}
  execFileSync(process.execPath, ['--input-type=module', '-e', child])
  process.stdout.write(JSON.stringify([await coverage.finish(), process.env.NODE_V8_COVERAGE ?? 'none']))
`

const pathLine = (path: string, text: string): number =>
  readFileSync(path, 'utf8')
    .split('\n')
    .findIndex((line) => line.includes(text)) + 1

test('records exactly the functions that ran, in this process and in its child processes', () => {
  const { NODE_V8_COVERAGE: _, ...env } = process.env
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8', env })
  const [covered, variable] = JSON.parse(output) as [Readonly<Record<string, readonly number[]>>, string]
  expect(variable).toBe('none')
  const ran = ['const rotateLeft', 'const stateOf', 'const word', 'constructor(', 'uint32(): number']
  expect(covered[RANDOM]).toEqual(expect.arrayContaining(ran.map((text) => pathLine(RANDOM, text))))
  expect(covered[RANDOM]).not.toContain(pathLine(RANDOM, 'next(): number'))
  expect(covered[DURATION]).toContain(pathLine(DURATION, 'export const parseDuration = '))
  expect(covered[DURATION]).not.toContain(pathLine(DURATION, 'export const formatDuration'))
  expect(
    Object.keys(covered).filter((path) => path.startsWith('tests/integration/') || path.includes('node_modules')),
  ).toEqual([])
})
