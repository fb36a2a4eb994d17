// npm run bench:manifests -- --cache DIR [--write]: on public manifests, compares `kerf plan -f` with the dry run of a real API server.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { KubeObject } from '@kerf/apis'
import { startControlPlane } from '@kerf/control-plane'
import { builtinKindNames, objectWithAllFields } from '@kerf/sandbox/all-fields'
import { checkBuiltinManifest } from '@kerf/sandbox/manifest-check'
import { PodAdmission, PodRefused } from '@kerf/sandbox/pod-admission'
import type { Manifest } from '../../../packages/cli/src/manifests/manifest.ts'
import { parseFoundFile } from '../../../packages/cli/src/manifests/parse-manifests.ts'
import { validateManifests } from '../../../packages/cli/src/manifests/validate-manifests.ts'
import { vocabularyFor } from '../../../packages/cli/src/vocabulary.ts'
import { programOptions } from '../../../tools/program-options.ts'
import { comparable, plannedPods } from './planned-pods.ts'
import { emptyRow, type Row, table } from './results-table.ts'
import { ServerVerdicts } from './server-verdict.ts'

interface Source {
  readonly source: string
  readonly version: string
  /** How the chart was rendered. Absent for a file from a repository. */
  readonly rendered?: string
}

interface ListedSource extends Source {
  /** The digest of all files together. It is computed from a text in which each line is the digest of one file. */
  readonly sha256: string
  readonly files: readonly string[]
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
const { values } = programOptions(
  'npm run bench:manifests: public manifests, put to kerf plan and to the dry run of a real API server.',
  { options: { cache: { type: 'string', default: '' }, write: { type: 'boolean', default: false } } },
)
const listed = JSON.parse(readFileSync(here('sources.json'), 'utf8')) as readonly ListedSource[]

/** Returns the reason why Kerf refuses an object, as reported by `kerf plan --validate=strict`. Returns undefined if it does not. */
const manifestRefusal = (manifest: Manifest): string | undefined => {
  try {
    validateManifests([manifest], vocabularyFor([manifest.object]), { validate: 'strict', warn: () => {} })
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const PREPARED = ['Namespace', 'ServiceAccount', 'PriorityClass', 'RuntimeClass', 'CustomResourceDefinition']

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const plane = await startControlPlane({ build: print })
const verdicts = new ServerVerdicts(plane)
const rows: Row[] = []
try {
  const kinds = emptyRow('every built-in kind with every field', '')
  rows.push(kinds)
  for (const name of builtinKindNames()) {
    const object = objectWithAllFields(name)
    const server = await verdicts.create(object, true)
    if (server.kind === 'unserved') kinds.unserved++
    else kinds.objects++
    // The values are arbitrary, so the server refuses most of these objects. Therefore, compare only whether Kerf and the server can parse
    // them.
    const isUnread = server.kind === 'refused' && /cannot be handled as|strict decoding/.test(server.message)
    const unread = checkBuiltinManifest(object)?.problems.filter(
      ({ message }) => message === undefined || /^(is of type|must be a|must be text)/.test(message),
    )
    if (server.kind === 'refused') kinds.refused++
    if (isUnread === (unread?.length ?? 0) > 0) continue
    kinds.differences++
    print(`${name}: ${server.kind === 'refused' ? server.message : server.kind}`)
  }
  for (const { files, sha256: listedDigest, ...source } of listed) {
    const row = emptyRow(source.source, source.version)
    rows.push(row)
    const manifests: Manifest[] = []
    const texts = files.map((file) => {
      const path = join(values.cache, source.source.replace('github.com/', '').replace('/', '+'), file)
      return [file, readFileSync(path, 'utf8')] as const
    })
    if (sha256(texts.map(([, text]) => `${sha256(text)}\n`).join('')) !== listedDigest)
      throw new Error(`the files of ${source.source} in --cache are not those of ${source.version}`)
    for (const [file, text] of texts) {
      row.files++
      const found = parseFoundFile(text, file, () => {})
      if ('manifests' in found) manifests.push(...found.manifests)
    }
    const namespaces = new Set(manifests.flatMap(({ object }) => object.metadata.namespace ?? []))
    const prepared: readonly KubeObject[] = [
      ...Array.from(namespaces, (name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }) as KubeObject),
      ...manifests.map(({ object }) => object).filter(({ kind }) => PREPARED.includes(kind)),
    ]
    const definitions: KubeObject[] = []
    for (const kind of PREPARED)
      for (const object of prepared.filter((each) => each.kind === kind)) {
        const verdict = await verdicts.create(object, false)
        if (kind === 'CustomResourceDefinition' && verdict.kind === 'accepted') definitions.push(object)
      }
    await verdicts.untilServed(definitions)
    for (const manifest of manifests) {
      const { object, file, line } = manifest
      const server = await verdicts.create(object, true)
      const refusal = manifestRefusal({ object, file, line })
      if (server.kind === 'unserved') {
        row.unserved++
        continue
      }
      row.objects++
      if (server.kind === 'refused') row.refused++
      if ((server.kind === 'refused') === (refusal !== undefined)) continue
      row.differences++
      print(`${source.source} ${file}:${line} ${object.kind} ${object.metadata.name}`)
      print(`  server: ${server.kind === 'refused' ? server.message : 'accepted'}\n  Kerf:   ${refusal ?? 'accepted'}`)
    }
    const classes = manifests.map(({ object }) => object).filter(({ kind }) => kind !== 'LimitRange')
    const admission = new PodAdmission(classes)
    for (const pod of plannedPods(manifests.filter((manifest) => manifestRefusal(manifest) === undefined))) {
      const server = await verdicts.create(pod, true)
      if (server.kind !== 'accepted') {
        row.podsRefused++
        print(`${source.source} pod ${pod.metadata.name}: ${server.kind === 'refused' ? server.message : ''}`)
        continue
      }
      row.pods++
      const ours = ((): string => {
        try {
          return comparable(admission.admit(pod))
        } catch (error) {
          if (error instanceof PodRefused) return error.message
          throw error
        }
      })()
      const theirs = comparable(server.object as typeof pod)
      if (ours === theirs) continue
      row.podDifferences++
      const [a, b] = [ours.split('\n'), theirs.split('\n')]
      const at = a.findIndex((text, index) => text !== b[index])
      print(
        `${source.source} pod ${pod.metadata.name}\n  server: ${b.slice(at, at + 3).join(' ')}\n  Kerf:   ${a.slice(at, at + 3).join(' ')}`,
      )
    }
    print(JSON.stringify(row))
  }
} finally {
  await plane.stop()
}
const text = table(rows)
print(text)
if (values.write) writeFileSync(here('results.md'), text)
