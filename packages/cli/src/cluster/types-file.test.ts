import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { readTypesFile } from './types-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'kerf-types-'))
afterAll(() => rmSync(folder, { recursive: true }))

const written = (name: string, content: string | Uint8Array): string => {
  const file = join(folder, name)
  writeFileSync(file, content)
  return file
}

test.each([
  ['broken.json.gz', 'x', 'is not a gzip file'],
  ['broken.json', '{', 'is not JSON'],
  ['types.json', '{"lists": [], "pools": {}}', 'has no instance types'],
  ['pools.json', '{"lists": [], "pools": {"a": 1}}', 'pools.a has no list'],
])('%s with %j is refused with a sentence that names the file', async (name, content, problem) => {
  const file = written(name, content)
  await expect(readTypesFile(file)).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringMatching(new RegExp(`${file.replaceAll('.', '\\.')}.*${problem}`)),
  })
})

test('refuses a missing file', async () => {
  await expect(readTypesFile(join(folder, 'no.json'))).rejects.toThrow('cannot be read')
})

test('reads UTF-16, which PowerShell writes when the output of a verb is redirected to a file', async () => {
  const wide = Buffer.from('\ufeff{"lists": [], "pools": {}}', 'utf16le')
  for (const file of [written('wide.json', wide), written('wide.json.gz', gzipSync(wide))])
    await expect(readTypesFile(file)).rejects.toThrow('has no instance types')
})
