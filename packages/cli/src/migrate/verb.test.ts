import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import { runProgram } from '../program.ts'
import { migrate } from './verb.ts'

/** Runs `kerf migrate manifests` with these arguments and this standard input. */
const manifests = async (words: readonly string[], stdin = '') => {
  let [out, err] = ['', '']
  const before = process.exitCode
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      out += String(text)
      return true
    }),
    vi.spyOn(process.stderr, 'write').mockReturnValue(true),
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([stdin]) as typeof process.stdin),
  ]
  try {
    const code = await runProgram([migrate], ['migrate', 'manifests', ...words], {
      out: (text) => {
        out += text
      },
      err: (text) => {
        err += text
      },
    })
    return { code, err, objects: [...out.matchAll(/^ {2}name: (.*)$/gm)].map(([, name]) => name) }
  } finally {
    process.exitCode = before
    for (const spy of spies) spy.mockRestore()
  }
}

const pod = (name: string): string =>
  `{apiVersion: v1, kind: Pod, metadata: {name: ${name}, annotations: {karpenter.sh/do-not-evict: "true"}}}\n`

test('accepts several -f flags together with plain names, and reads standard input for -', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kerf-migrate-verb-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = (name: string): string => {
    const path = join(folder, `${name}.yaml`)
    writeFileSync(path, pod(name))
    return path
  }
  const [a, b, c] = [file('a'), file('b'), file('c')]
  expect((await manifests(['-f', b, '--filename', c, a])).objects).toEqual(['a', 'b', 'c'])
  expect((await manifests(['-f', folder, '-f', '-'], pod('piped'))).objects).toEqual(['a', 'b', 'c', 'piped'])
  expect((await manifests(['-'], pod('piped'))).objects).toEqual(['piped'])
  expect(await manifests(['-f', '-', '-'], pod('piped'))).toMatchObject({
    err: 'kerf: -: the standard input can be read only once\n',
    objects: [],
  })
})

test('explains how to pass manifests if there are none', async () => {
  expect(await manifests([])).toEqual({
    code: 2,
    err: 'kerf: give the manifests: -f FILE, -f DIRECTORY or -f - (repeatable)\n',
    objects: [],
  })
})
