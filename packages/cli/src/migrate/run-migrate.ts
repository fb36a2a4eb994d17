import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Migration, migrateManifests } from '@kerf/apis/legacy'
import type { Output } from '@kerf/provider-contract'
import { UsageError } from '@kerf/provider-kit/command-line'
import { table, terminalWidth } from '@kerf/provider-kit/terminal'
import { stringify } from 'yaml'
import { karpenterResource } from '../manifests/karpenter-kinds.ts'
import { repeatedObjects } from '../manifests/last-applied.ts'
import type { Manifest } from '../manifests/manifest.ts'
import { ManifestError } from '../manifests/manifest-error.ts'
import { noSuchKind } from '../manifests/missing-kinds.ts'
import { readManifests } from '../manifests/read-manifests.ts'
import { checkFields, writtenProblems } from '../manifests/validate-manifests.ts'
import type { ValidationMode } from '../manifests/validation-option.ts'
import { legacyTemplates } from '../providers.ts'
import { vocabularyFor } from '../vocabulary.ts'

export interface MigrateOptions {
  readonly output: 'yaml' | 'json'
  /** Kubernetes version of the cluster, for example 1.33. */
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
  // YAML 1.1 parsers read `on`, `yes` and similar words as booleans, so such strings are quoted.
  const documents = objects.map((object) =>
    stringify(object, { lineWidth: 0, compat: 'yaml-1.1', aliasDuplicateObjects: false }),
  )
  return `${head}${documents.join('---\n')}`
}

interface Found {
  readonly manifests: readonly Manifest[]
  /** Messages about files in a directory that are not manifests. */
  readonly skipped: readonly string[]
}

/**
 * Reads the manifests. A file named on the command line must be a manifest. In a directory, files that are not manifests are
 * skipped.
 */
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

/**
 * Runs `kerf migrate manifests`: writes v1 objects to standard output and the report to standard error. Returns 0 if every object
 * is valid, 3 if the user must decide something.
 */
export const runMigrate = async (
  paths: readonly string[],
  { output, kubernetes, validate = 'warn' }: MigrateOptions,
  streams: MigrateStreams,
): Promise<0 | 3> => {
  const { manifests, skipped } = await findManifests(paths)
  const notes: string[] = []
  // Objects of the old API are validated later, after they are converted.
  const current = manifests.filter((manifest) => noSuchKind(manifest) === undefined)
  checkFields(current, { validate, warn: (line) => notes.push(line) })
  const templates = await legacyTemplates()
  const found = migrateManifests(
    manifests.map(({ object }) => object),
    { templates, ...(kubernetes === undefined ? {} : { kubernetesVersion: kubernetes }) },
  )
  // If an object occurs several times, all copies are converted, because only the user knows which one applies.
  const repeated = repeatedObjects(manifests).map(({ object, places }) => ({
    object: object.replace(' ', '/'),
    message: `is there ${places.length} times (${places.join(', ')}), and all of them are written: the one that is applied last takes effect; keep one`,
  }))
  // A Provisioner becomes a NodePool, and a NodePool with the same name may already exist.
  const converted = new Set(found.objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`))
  const collisions = found.untouched
    .filter((object) => converted.has(object))
    .map((object) => ({
      object,
      message:
        'exists already, and an object of the old API becomes it: the one that is applied last takes effect; keep one',
    }))
  // `found.problems` already contains the problems of Karpenter's kinds, so only the other kinds are checked here.
  const refused = writtenProblems(
    found.objects.filter((object) => karpenterResource(object) === undefined),
    vocabularyFor(found.objects),
  )
  const migration = { ...found, problems: [...found.problems, ...repeated, ...collisions, ...refused] }
  if (found.fields.length === 0 && found.problems.length === 0)
    throw new UsageError(
      `${paths.join(', ')}: no objects of Karpenter's old API; expected Provisioner, ${templates.resource.kind.kind}, v1beta1 NodePool or ${templates.nodeClass.kind.kind}, a NodePool with an annotation compatibility.karpenter.sh/…, a ConfigMap karpenter or karpenter-global-settings, or workloads with the old labels and annotations`,
    )
  for (const note of notes) streams.stderr.write(`${note}\n`)
  for (const message of skipped) streams.stderr.write(`skipped ${message}\n`)
  if (output === 'json') streams.stdout.write(`${JSON.stringify(migration, null, 2)}\n`)
  else {
    streams.stdout.write(manifestText(migration))
    streams.stderr.write(reportText(migration, terminalWidth(streams.stderr)))
  }
  return migration.problems.length === 0 ? 0 : 3
}
