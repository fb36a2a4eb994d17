import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readManifests } from './read-manifests.ts'

const pod = (name: string): string => `{apiVersion: v1, kind: Pod, metadata: {name: ${name}}}\n`

/** A pipe that hands its text on in pieces. */
async function* pipe(text: string): AsyncGenerator<Uint8Array> {
  for (const byte of Buffer.from(text)) yield Uint8Array.of(byte)
}

test('files, folders and the standard input, each as often as it is named', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kerf-read-'))
  try {
    const file = join(folder, 'a.yaml')
    writeFileSync(file, pod('a'))
    writeFileSync(join(folder, 'b.yml'), `${pod('b')}---\n${pod('ü')}`)
    const found = await readManifests([folder, '-', file], pipe(`${pod('é')}---\n${pod('piped')}`))
    expect(found.map(({ object }) => object.metadata.name)).toEqual(['a', 'b', 'ü', 'é', 'piped', 'a'])
    expect(found[4]).toMatchObject({ file: '(standard input)', line: 3 })
    await expect(readManifests(['-'], pipe('a: [1,'))).rejects.toThrow(/^\(standard input\):1:\d+: not valid YAML/)
    await expect(readManifests(['-', '-'], pipe(''))).rejects.toThrow('the standard input can be read only once')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
