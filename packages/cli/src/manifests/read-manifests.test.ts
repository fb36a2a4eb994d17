import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readManifests } from './read-manifests.ts'

const pod = (name: string): string => `{apiVersion: v1, kind: Pod, metadata: {name: ${name}}}\n`

/** Returns a stream that delivers its text in several chunks. */
async function* pipe(text: string | Uint8Array): AsyncGenerator<Uint8Array> {
  for (const byte of Buffer.from(text)) yield Uint8Array.of(byte)
}

test('reads files, directories and standard input, as many times as each is named', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kerf-read-'))
  try {
    const file = join(folder, 'a.yaml')
    writeFileSync(file, pod('a'))
    writeFileSync(join(folder, 'b.yml'), `${pod('b')}---\n${pod('ü')}`)
    const found = await readManifests([folder, '-', file], {
      repeated: 'keep',
      stdin: pipe(`${pod('é')}---\n${pod('piped')}`),
    })
    expect(found.map(({ object }) => object.metadata.name)).toEqual(['a', 'b', 'ü', 'é', 'piped', 'a'])
    expect(found[4]).toMatchObject({ file: '(standard input)', line: 3 })
    await expect(readManifests(['-'], { repeated: 'keep', stdin: pipe('a: [1,') })).rejects.toThrow(
      /^\(standard input\):1:\d+: not valid YAML/,
    )
    await expect(readManifests(['-', '-'], { repeated: 'keep', stdin: pipe('') })).rejects.toThrow(
      'standard input can be read only once',
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('-R reads subdirectories; with a listener, other files are skipped and reported with the reason', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kerf-read-'))
  try {
    mkdirSync(join(folder, 'app', 'deep'), { recursive: true })
    writeFileSync(join(folder, 'app', 'deep', 'a.yaml'), pod('a'))
    writeFileSync(join(folder, 'app', 'values.yaml'), 'replicas: 3\n')
    writeFileSync(
      join(folder, 'app', 'kustomization.yaml'),
      'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n',
    )
    writeFileSync(join(folder, 'app', 'Chart.yaml'), 'apiVersion: v2\nname: app\nversion: 0.1.0\n')
    await expect(readManifests([folder], { repeated: 'keep' })).rejects.toThrow('-R also looks into its subdirectories')
    await expect(readManifests([folder], { repeated: 'keep', recursive: true })).rejects.toThrow('kind is missing')
    const skipped: string[] = []
    const found = await readManifests([folder], {
      repeated: 'keep',
      recursive: true,
      skipped: (line) => skipped.push(line),
    })
    expect(found.map(({ object }) => object.metadata.name)).toEqual(['a'])
    expect(skipped).toEqual([
      `skipped: ${join(folder, 'app', 'Chart.yaml')}: it has no kind, like the Chart.yaml of Helm (pipe helm template CHART into -f -)`,
      `skipped: ${join(folder, 'app', 'kustomization.yaml')}: a kustomization (use -k)`,
      `skipped: ${join(folder, 'app', 'values.yaml')}: it has neither apiVersion nor kind`,
    ])
    const template = join(folder, 'app', 'templates.yaml')
    writeFileSync(template, 'kind: {{ .Values.kind }}: x\n')
    const files = [join(folder, 'app')]
    const more: string[] = []
    await readManifests(files, { repeated: 'keep', skipped: (line) => more.push(line) })
    expect(more).toContain(`skipped: ${template}: a template of a Helm chart (pipe helm template CHART into -f -)`)
    await expect(readManifests([template], { repeated: 'keep' })).rejects.toThrow('pipe helm template CHART into -f -')
    // A file that is given on the command line must be a manifest, so mistakes in it are errors.
    await expect(
      readManifests([join(folder, 'app', 'values.yaml')], { repeated: 'keep', skipped: (line) => skipped.push(line) }),
    ).rejects.toThrow('apiVersion is missing')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('reads UTF-16 as Windows PowerShell writes it, even if it is gzipped or comes from standard input', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kerf-read-'))
  try {
    const wide = Buffer.from(`\ufeff${pod('weit')}---\r\n${pod('ü')}`, 'utf16le')
    writeFileSync(join(folder, 'a.yaml'), wide)
    writeFileSync(join(folder, 'b.json.gz'), gzipSync(Buffer.from(wide).swap16()))
    const found = await readManifests([folder, '-'], { repeated: 'keep', stdin: pipe(wide) })
    expect(found.map(({ object }) => object.metadata.name)).toEqual(['weit', 'ü', 'weit', 'ü', 'weit', 'ü'])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('skips a nameless object that no plan needs; without a listener, it is an error', async () => {
  const text = `kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\nnodes: []\n---\n${pod('a')}`
  const skipped: string[] = []
  const read = (input: string, more: object = {}) =>
    readManifests(['-'], { repeated: 'keep', stdin: pipe(input), ...more })
  expect(await read(text, { skipped: (line: string) => skipped.push(line) })).toHaveLength(1)
  expect(skipped).toEqual(['skipped: (standard input):1: Cluster of kind.x-k8s.io/v1alpha4: metadata is missing'])
  await expect(read(text)).rejects.toThrow('metadata is missing')
  const nameless = 'apiVersion: v1\nkind: Pod\nmetadata: {}\n'
  await expect(read(nameless, { skipped: (line: string) => skipped.push(line) })).rejects.toThrow(
    'metadata.name is missing',
  )
})
