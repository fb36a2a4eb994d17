import { apiVersionOf, type KubeObject, type ResourceKind } from '@kerf/apis'
import { ApiError, isConflict, type KubeClient } from '@kerf/runtime'
import type { KindDirectory } from './kind-directory.ts'
import type { Manifest } from './manifest.ts'
import { ManifestError } from './manifest-error.ts'
import { isPlanned } from './planned-kinds.ts'

const FIELD_MANAGER = 'kerf-up'

/** Kinds that others refer to come first. All other kinds follow in their order. */
const ORDER = [
  'CustomResourceDefinition',
  'Namespace',
  'PriorityClass',
  'RuntimeClass',
  'StorageClass',
  'ServiceAccount',
  'ConfigMap',
  'Secret',
  'PersistentVolume',
  'PersistentVolumeClaim',
]
const LAST = ['Pod', 'ReplicaSet', 'Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob']

const rank = (object: KubeObject): number => {
  const first = ORDER.indexOf(object.kind)
  if (first !== -1) return first
  const last = LAST.indexOf(object.kind)
  return last === -1 ? ORDER.length : ORDER.length + 1 + last
}

const nameOf = ({ kind, metadata }: KubeObject): string =>
  `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name ?? metadata.generateName ?? ''}`

interface Prepared {
  readonly manifest: Manifest
  readonly kind: ResourceKind
  readonly object: KubeObject
}

const placed = async (manifest: Manifest, kinds: KindDirectory): Promise<Prepared> => {
  const { object, file, line } = manifest
  const kind = await kinds.find(object.apiVersion, object.kind)
  if (kind === undefined) {
    throw new ManifestError(
      `${file}:${line}: ${nameOf(object)}: the cluster has no kind ${object.kind} in ${object.apiVersion}; check the spelling, or install the CRD first (Kerf's own: kerf crds | kubectl apply -f -)`,
    )
  }
  const namespaced = kind.namespaced && object.metadata.namespace === undefined
  return {
    manifest,
    kind,
    object: namespaced ? { ...object, metadata: { ...object.metadata, namespace: 'default' } } : object,
  }
}

const explain = ({ manifest, object }: Prepared, error: unknown): ManifestError => {
  const place = `${manifest.file}:${manifest.line}: ${nameOf(object)}`
  if (!(error instanceof ApiError))
    return new ManifestError(`${place}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  const causes =
    error.details.causes?.map(
      (cause) => `${cause.field === undefined ? '' : `${cause.field}: `}${cause.message ?? ''}`,
    ) ?? []
  const text = causes.length > 0 ? causes.join('; ') : error.message
  return new ManifestError(`${place}: refused by the API server: ${text}`, { cause: error })
}

const write = async (
  client: KubeClient,
  { kind, object }: Prepared,
  dryRun: boolean,
  signal: AbortSignal,
): Promise<void> => {
  const { name, namespace } = object.metadata
  if (name === undefined) {
    await client.create(kind, object, { dryRun, fieldManager: FIELD_MANAGER, signal })
    return
  }
  const ref = namespace === undefined ? { name } : { name, namespace }
  await client.patch(
    kind,
    ref,
    { type: 'apply', body: { ...object, apiVersion: apiVersionOf(kind) }, force: true },
    { dryRun, fieldManager: FIELD_MANAGER, signal },
  )
}

/** Runs a step for an object. What fails for one that no plan needs is said, and `undefined` returned. */
const unlessNeeded = async <T>(
  object: KubeObject,
  leftOut: ((line: string) => void) | undefined,
  step: () => Promise<T>,
): Promise<T | undefined> => {
  try {
    return await step()
  } catch (error) {
    if (!(error instanceof ManifestError) || leftOut === undefined || isPlanned(object)) throw error
    leftOut(`warning: left out: ${error.message}`)
    return undefined
  }
}

/**
 * Applies the manifests (server-side apply), referenced kinds first. All of them are tried as a dry run before the first
 * is written, so a bad one leaves the cluster as it was; objects in a namespace that the same manifests create are
 * exempt from the rehearsal, since the server would refuse them. `leftOut` is told of objects that the server does not take and no plan
 * needs; without it they are an error. Throws `ManifestError` naming file, line and field. Returns how many objects were applied.
 */
export const applyManifests = async (
  client: KubeClient,
  kinds: KindDirectory,
  manifests: readonly Manifest[],
  signal: AbortSignal,
  leftOut?: (line: string) => void,
): Promise<number> => {
  const prepared: Prepared[] = []
  for (const manifest of manifests) {
    const each = await unlessNeeded(manifest.object, leftOut, () => placed(manifest, kinds))
    if (each !== undefined) prepared.push(each)
  }
  prepared.sort((a, b) => rank(a.object) - rank(b.object))
  const namespaces = new Set<string | undefined>(
    prepared.filter(({ kind }) => kind.kind === 'Namespace').map(({ object }) => object.metadata.name),
  )
  const rehearsed: Prepared[] = []
  for (const each of prepared) {
    if (namespaces.has(each.object.metadata.namespace)) {
      rehearsed.push(each)
      continue
    }
    const rehearse = async (): Promise<Prepared> => {
      await write(client, each, true, signal).catch((error: unknown) => {
        throw explain(each, error)
      })
      return each
    }
    const accepted = await unlessNeeded(each.object, leftOut, rehearse)
    if (accepted !== undefined) rehearsed.push(accepted)
  }
  let count = 0
  for (const each of rehearsed) {
    const apply = async (): Promise<true> => {
      await write(client, each, false, signal).catch(async (error: unknown) => {
        // The service account of a new namespace and the like appear a little later: one retry, then give up.
        if (isConflict(error)) return write(client, each, false, signal)
        throw explain(each, error)
      })
      return true
    }
    if ((await unlessNeeded(each.object, leftOut, apply)) !== undefined) count++
  }
  return count
}
