import { isDeepStrictEqual } from 'node:util'
import {
  type ConditionChange,
  type CustomResource,
  groupVersion,
  InvariantError,
  type KubeObject,
  type OwnerReference,
  type ResourceKind,
  resourceAdmission,
} from '@kerf/apis'
import { ApiError, isAlreadyExists } from '@kerf/runtime'
import type { Deps } from '../deps.ts'
import type { Conversion } from './conversion.ts'

/** Whether an object is in sync with the legacy object. If not, the reason. */
type KeepResult =
  | { readonly kept: true }
  | { readonly kept: false; readonly reason: 'NameTaken' | 'Terminating' | 'Refused'; readonly message: string }

/** The legacy object with which other objects are kept in sync. */
export interface Source {
  readonly kind: ResourceKind
  readonly object: KubeObject
}

type WithSpec = KubeObject & { readonly spec?: object }

export const OWNER_INDEX = 'legacy.owner'
/** Returns the UIDs of the owners of an object. */
export const ownerUids = (object: KubeObject): readonly string[] =>
  (object.metadata.ownerReferences ?? []).map(({ uid }) => uid)

/**
 * Returns whether an object was created from this legacy object. The UID differs if it was created from an earlier object of the same name.
 */
export const isMadeFrom = (object: KubeObject, old: KubeObject): boolean =>
  old.metadata.uid !== undefined && ownerUids(object).includes(old.metadata.uid)

const ownerReference = ({ kind, object }: Source): OwnerReference => ({
  apiVersion: groupVersion(kind),
  kind: kind.kind,
  name: object.metadata.name,
  uid: object.metadata.uid ?? '',
  controller: true,
})

/** Returns the spec as the API server would store it. */
const storedSpec = (resource: CustomResource, wanted: WithSpec): object => {
  const admission = resourceAdmission(resource).create(wanted)
  const { spec = {} }: WithSpec = admission.accepted ? admission.object : wanted
  return spec
}

/**
 * The status codes Bad Request, Forbidden and Unprocessable Entity. The API server would refuse the same request again, so Kerf does not
 * retry it.
 */
const REFUSALS: ReadonlySet<number> = new Set([400, 403, 422])

/**
 * Creates the object, or updates its spec. Updates an object only if its owner reference shows that it was created from the source. Throws
 * retryable errors.
 */
const keepInStep = async (
  { client, informers, log }: Pick<Deps, 'client' | 'informers' | 'log'>,
  source: Source,
  resource: CustomResource,
  wanted: WithSpec,
  signal: AbortSignal,
): Promise<KeepResult> => {
  const { kind } = resource
  const name = wanted.metadata.name
  const spec = wanted.spec ?? {}
  const target = { [kind.kind]: { name }, [source.kind.kind]: { name: source.object.metadata.name } }
  try {
    let stored = informers.of(kind).get(name) as WithSpec | undefined
    if (stored === undefined) {
      try {
        await client.create(
          kind,
          { ...wanted, metadata: { name, ownerReferences: [ownerReference(source)] } },
          { signal },
        )
        log.info('created from its legacy object', target)
        return { kept: true }
      } catch (error) {
        if (!isAlreadyExists(error)) throw error
        stored = await client.get<WithSpec>(kind, { name }, { signal })
      }
    }
    // The conversion sets no fields of this object, so any existing object of this name is sufficient.
    if (Object.keys(spec).length === 0) return { kept: true }
    if (!isMadeFrom(stored, source.object)) {
      const message = `${kind.kind}/${name} already exists and was not created from this ${source.kind.kind}, so it is not changed: rename one of the two, or delete the existing one`
      return { kept: false, reason: 'NameTaken', message }
    }
    if (stored.metadata.deletionTimestamp !== undefined) {
      const message = `${kind.kind}/${name} is being deleted; it is created again after that`
      return { kept: false, reason: 'Terminating', message }
    }
    if (isDeepStrictEqual(storedSpec(resource, wanted), stored.spec ?? {})) return { kept: true }
    // The patch contains the resourceVersion of the object that Kerf read. If that object has been replaced by another one of the same
    // name, the API server answers 409.
    const body = [
      { op: 'replace', path: '/metadata/resourceVersion', value: stored.metadata.resourceVersion },
      { op: 'add', path: '/spec', value: spec },
    ]
    await client.patch(kind, { name }, { type: 'json', body }, { signal })
    log.info('updated from its legacy object', target)
    return { kept: true }
  } catch (error) {
    if (!(error instanceof ApiError && REFUSALS.has(error.code))) throw error
    return { kept: false, reason: 'Refused', message: error.message }
  }
}

/**
 * Keeps the converted objects in sync with their source, one after the other, and returns the `Converted` condition. Throws retryable
 * errors.
 */
export const keepConverted = async (
  deps: Pick<Deps, 'client' | 'informers' | 'log'>,
  source: Source,
  conversion: Conversion,
  resources: readonly CustomResource[],
  signal: AbortSignal,
): Promise<Omit<ConditionChange, 'type'>> => {
  if (!conversion.converts) return { status: 'False', reason: conversion.reason, message: conversion.message }
  for (const made of conversion.objects) {
    const resource = resources.find(({ kind }) => kind.kind === made.kind && groupVersion(kind) === made.apiVersion)
    if (resource === undefined) throw new InvariantError(`no controller maintains a ${made.kind} of ${made.apiVersion}`)
    const result = await keepInStep(deps, source, resource, made, signal)
    if (!result.kept) return { status: 'False', reason: result.reason, message: result.message }
  }
  const names = conversion.objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`).join(' and ')
  return { status: 'True', message: `${names} kept in sync` }
}
