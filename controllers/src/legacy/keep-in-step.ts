import { isDeepStrictEqual } from 'node:util'
import {
  apiVersionOf,
  type ConditionChange,
  customResourceOf,
  type KubeObject,
  type OwnerReference,
  type ResourceKind,
  validateCreate,
} from '@kerf/apis'
import { ApiError, isAlreadyExists } from '@kerf/runtime'
import type { Deps } from '../deps.ts'
import type { Conversion } from './conversion.ts'

/** Whether an object is now as the old one says, or why it is not. */
type KeepResult =
  | { readonly kept: true }
  | { readonly kept: false; readonly reason: 'NameTaken' | 'Terminating' | 'Refused'; readonly message: string }

/** The old object that others are kept in step with. */
export interface Source {
  readonly kind: ResourceKind
  readonly object: KubeObject
}

type WithSpec = KubeObject & { readonly spec?: object }

export const OWNER_INDEX = 'legacy.owner'
/** The uids of the objects that an object is made from. */
export const ownerUids = (object: KubeObject): readonly string[] =>
  (object.metadata.ownerReferences ?? []).map(({ uid }) => uid)

/** Whether an object was made from the old one, and not from an earlier one of its name. */
export const isMadeFrom = (object: KubeObject, old: KubeObject): boolean =>
  old.metadata.uid !== undefined && ownerUids(object).includes(old.metadata.uid)

const ownerOf = ({ kind, object }: Source): OwnerReference => ({
  apiVersion: apiVersionOf(kind),
  kind: kind.kind,
  name: object.metadata.name,
  uid: object.metadata.uid ?? '',
  controller: true,
})

/** The spec as the API server would store it. */
const storedSpec = (kind: ResourceKind, wanted: WithSpec): object => {
  const isKnown = customResourceOf(wanted.apiVersion, wanted.kind) !== undefined
  const admission = isKnown ? validateCreate<WithSpec>(kind, wanted) : undefined
  return (admission?.accepted === true ? admission.object.spec : wanted.spec) ?? {}
}

/** Bad request, forbidden, invalid: the same request would be refused again, so it is not repeated. */
const REFUSALS: ReadonlySet<number> = new Set([400, 403, 422])

/**
 * Creates the object or brings its spec in line, if it is the source's own: the owner reference says so. What is somebody
 * else's stays untouched. Throws what is worth another try.
 */
const keepInStep = async (
  { client, informers, log }: Pick<Deps, 'client' | 'informers' | 'log'>,
  source: Source,
  kind: ResourceKind,
  wanted: WithSpec,
  signal: AbortSignal,
): Promise<KeepResult> => {
  const name = wanted.metadata.name
  const spec = wanted.spec ?? {}
  const target = { [kind.kind]: { name }, [source.kind.kind]: { name: source.object.metadata.name } }
  try {
    let stored = informers.of(kind).get(name) as WithSpec | undefined
    if (stored === undefined) {
      try {
        await client.create(kind, { ...wanted, metadata: { name, ownerReferences: [ownerOf(source)] } }, { signal })
        log.info('created in step with its old form', target)
        return { kept: true }
      } catch (error) {
        if (!isAlreadyExists(error)) throw error
        stored = await client.get<WithSpec>(kind, { name }, { signal })
      }
    }
    // The old object says nothing of this one's spec: any object of the name will do, whoever made it.
    if (Object.keys(spec).length === 0) return { kept: true }
    if (!isMadeFrom(stored, source.object)) {
      const message = `${kind.kind}/${name} is there already and was not made from this ${source.kind.kind}, so it is left alone: rename one of the two, or delete that one`
      return { kept: false, reason: 'NameTaken', message }
    }
    if (stored.metadata.deletionTimestamp !== undefined) {
      const message = `${kind.kind}/${name} is being deleted; it is made anew when it is gone`
      return { kept: false, reason: 'Terminating', message }
    }
    if (isDeepStrictEqual(storedSpec(kind, wanted), stored.spec ?? {})) return { kept: true }
    // The version holds the patch to the object that was read: another of its name is answered with a conflict.
    const body = [
      { op: 'replace', path: '/metadata/resourceVersion', value: stored.metadata.resourceVersion },
      { op: 'add', path: '/spec', value: spec },
    ]
    await client.patch(kind, { name }, { type: 'json', body }, { signal })
    log.info('brought in step with its old form', target)
    return { kept: true }
  } catch (error) {
    if (!(error instanceof ApiError && REFUSALS.has(error.code))) throw error
    return { kept: false, reason: 'Refused', message: error.message }
  }
}

/**
 * Keeps what a source was converted to in step with it, one object after the other, and answers what its condition
 * `Converted` is to say. Throws what is worth another try.
 */
export const keepConverted = async (
  deps: Pick<Deps, 'client' | 'informers' | 'log'>,
  source: Source,
  conversion: Conversion,
  kinds: readonly ResourceKind[],
  signal: AbortSignal,
): Promise<Omit<ConditionChange, 'type'>> => {
  if (!conversion.converts) return { status: 'False', reason: conversion.reason, message: conversion.message }
  for (const made of conversion.objects) {
    const kind = kinds.find((each) => each.kind === made.kind && apiVersionOf(each) === made.apiVersion)
    if (kind === undefined) throw new Error(`nobody keeps a ${made.kind} of ${made.apiVersion}`)
    const result = await keepInStep(deps, source, kind, made, signal)
    if (!result.kept) return { status: 'False', reason: result.reason, message: result.message }
  }
  const names = conversion.objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`).join(' and ')
  return { status: 'True', message: `${names} kept in step` }
}
