import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Migration, migrateManifests } from '@kerf/apis/legacy'
import { stringify } from 'yaml'
import { UsageError } from '../cli-error.ts'
import { karpenterResourceOf } from '../manifests/karpenter-kinds.ts'
import { repeatedObjects } from '../manifests/last-applied.ts'
import type { Manifest } from '../manifests/manifest.ts'
import { ManifestError } from '../manifests/manifest-error.ts'
import { noSuchKind } from '../manifests/missing-kinds.ts'
import { readManifests } from '../manifests/read-manifests.ts'
import { checkFields, writtenProblems } from '../manifests/validate-manifests.ts'
import type { ValidationMode } from '../manifests/validation-option.ts'
import type { Output } from '../terminal/output.ts'
import { widthOf } from '../terminal/style.ts'
import { table } from '../terminal/table.ts'
import { vocabularyFor } from '../vocabulary.ts'

export interface MigrateOptions {
  readonly output: 'yaml' | 'json'
  /** The cluster's version, like 1.33. */
  readonly kubernetes?: string
  readonly validate?: ValidationMode
}

export interface MigrateStreams {
  readonly stdout: Output
  readonly stderr: Output
}

const reportText = ({ fields, problems, untouched }: Migration, width: number): string => {
  const lines = table(
    fields,
    [
      { title: 'OBJECT', value: ({ object }) => object },
      { title: 'FIELD', value: ({ field }) => field },
      { title: 'FATE', value: ({ fate }) => fate },
      { title: 'NOW', value: ({ to }) => to ?? '' },
      { title: 'NOTE', value: ({ note }) => note ?? '' },
    ],
    width,
  )
  return [
    ...lines,
    ...(untouched.length === 0 ? [] : ['', `Left as they are: ${untouched.join(', ')}`]),
    ...(problems.length === 0
      ? []
      : ['', 'To decide:', ...problems.map(({ object, message }) => `  ${object}: ${message}`)]),
    '',
  ].join('\n')
}

const manifestText = ({ objects, settings }: Migration): string => {
  const env = Object.entries(settings).map(([name, value]) => `#   ${name}=${value}`)
  const head = env.length === 0 ? '' : `# Settings of the controller:\n${env.join('\n')}\n`
  // Old parsers read on, yes and the like as truth values: such texts are quoted.
  const documents = objects.map((object) =>
    stringify(object, { lineWidth: 0, compat: 'yaml-1.1', aliasDuplicateObjects: false }),
  )
  return `${head}${documents.join('---\n')}`
}

interface Found {
  readonly manifests: readonly Manifest[]
  /** Files of directories that hold no manifests, such as policies. */
  readonly skipped: readonly string[]
}

/** Files that are named must be readable; what else lies in a directory need not be a manifest. */
const findManifests = async (paths: readonly string[]): Promise<Found> => {
  const manifests: Manifest[] = []
  const skipped: string[] = []
  if (paths.filter((path) => path === '-').length > 1)
    throw new ManifestError('-: the standard input can be read only once')
  for (const path of paths) {
    const names = await readdir(path).catch(() => undefined)
    if (names === undefined) {
      manifests.push(...(await readManifests([path], { repeated: 'keep' })))
      continue
    }
    for (const name of names.filter((each) => /\.(ya?ml|json)(\.gz)?$/.test(each)).sort()) {
      try {
        manifests.push(...(await readManifests([join(path, name)], { repeated: 'keep' })))
      } catch (error) {
        if (!(error instanceof ManifestError)) throw error
        skipped.push(error.message)
      }
    }
  }
  return { manifests, skipped }
}

/** `kerf migrate manifests`: v1 on the output, the report beside it. 0 when all is valid, 3 when something is to be decided. */
export const runMigrate = async (
  paths: readonly string[],
  { output, kubernetes, validate = 'warn' }: MigrateOptions,
  streams: MigrateStreams,
): Promise<0 | 3> => {
  const { manifests, skipped } = await findManifests(paths)
  const notes: string[] = []
  // Objects of the old API are judged by what becomes of them.
  const current = manifests.filter((manifest) => noSuchKind(manifest) === undefined)
  checkFields(current, { validate, say: (line) => notes.push(line) })
  const found = migrateManifests(
    manifests.map(({ object }) => object),
    kubernetes === undefined ? {} : { kubernetesVersion: kubernetes },
  )
  // Variants of one object are migrated side by side; which of them holds, only their owner knows.
  const repeated = repeatedObjects(manifests).map(({ object, places }) => ({
    object: object.replace(' ', '/'),
    message: `is there ${places.length} times (${places.join(', ')}), and all are written: the one that is applied last wins; keep one`,
  }))
  // A Provisioner becomes a NodePool, which may be there already.
  const converted = new Set(found.objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`))
  const collisions = found.untouched
    .filter((object) => converted.has(object))
    .map((object) => ({
      object,
      message: 'is there already, and an object of the old API becomes it: the one that is applied last wins; keep one',
    }))
  // Those of Karpenter's kinds are among the problems already.
  const refused = writtenProblems(
    found.objects.filter((object) => karpenterResourceOf(object) === undefined),
    vocabularyFor(found.objects),
  )
  const migration = { ...found, problems: [...found.problems, ...repeated, ...collisions, ...refused] }
  if (found.fields.length === 0 && found.problems.length === 0)
    throw new UsageError(
      `${paths.join(', ')}: nothing of Karpenter's old API in it; expected Provisioner, AWSNodeTemplate, v1beta1 NodePool or EC2NodeClass, a NodePool with an annotation compatibility.karpenter.sh/…, a ConfigMap karpenter or karpenter-global-settings, or workloads with the old labels and annotations`,
    )
  for (const note of notes) streams.stderr.write(`${note}\n`)
  for (const message of skipped) streams.stderr.write(`skipped ${message}\n`)
  if (output === 'json') streams.stdout.write(`${JSON.stringify(migration, null, 2)}\n`)
  else {
    streams.stdout.write(manifestText(migration))
    streams.stderr.write(reportText(migration, widthOf(streams.stderr)))
  }
  return migration.problems.length === 0 ? 0 : 3
}
