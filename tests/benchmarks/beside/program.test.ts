import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parseAutoscaler } from './autoscaler.ts'
import { toProgram } from './program.ts'

const directory = mkdtempSync(join(tmpdir(), 'kerf-program-'))
afterAll(() => rmSync(directory, { recursive: true }))

const fileOf = (name: string, text: string): string => {
  const file = join(directory, name)
  writeFileSync(file, text)
  return file
}
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

test('a binary is identified by its name and hash, without its directory', () => {
  const { command } = parseAutoscaler(`upstream=${fileOf('karpenter', 'a binary')} --metrics-port=0`, undefined)
  expect(toProgram(command)).toEqual({ command: 'karpenter --metrics-port=0', sha256: sha256('a binary') })
})

test('a program that Node.js runs is identified by its script', () => {
  const node = fileOf('node', 'an interpreter')
  const script = fileOf('kerf.mjs', 'a script')
  expect(toProgram([node, '--no-warnings', script, 'run'])).toEqual({
    command: 'node --no-warnings kerf.mjs run',
    sha256: sha256('a script'),
  })
})

test('a program found through PATH, and a missing program, have no hash', () => {
  expect(toProgram(['karpenter', '-v'])).toEqual({ command: 'karpenter -v' })
  expect(toProgram([join(directory, 'nobody')])).toEqual({ command: 'nobody' })
})

test('kerf is identified by the program that was installed for the run', () => {
  const kerf = { name: 'kerf', command: [join(directory, 'node'), join(directory, 'kerf.mjs'), 'run'] }
  expect(parseAutoscaler('kerf', kerf)).toBe(kerf)
  const on = parseAutoscaler('kerf-on=kerf --plan-expected-pods=on', kerf)
  expect(on).toEqual({ ...kerf, name: 'kerf-on', command: [...kerf.command, '--plan-expected-pods=on'] })
  expect(() => parseAutoscaler('kerf', undefined)).toThrow('give "kerf" or "NAME=COMMAND"')
})
