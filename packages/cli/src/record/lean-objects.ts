import type { KubeObject, PodSpec } from '@kerf/apis'
import { InvariantError, ownValue } from '@kerf/apis'
import { annotationMap, keptFields } from './kept-fields.ts'
import { labelMap, podSpec } from './kept-pod-fields.ts'
import { fields, type Kept, keepMapOf, name } from './kept-values.ts'

/** Free text that a recording contains only if the user asks for it. */
export type KeptOnRequest = 'annotations' | 'labels'

/** Matches labels that only the API server and the controllers may set. */
const MADE_LABEL =
  /^(batch\.kubernetes\.io\/)?(controller-uid|job-name)$|^pod-template-hash$|^controller-revision-hash$/
/** Matches annotations that contain copies of whole objects, including environments and arguments, and hashes that are computed again. */
const NEVER_KEPT = /^kubectl\.kubernetes\.io\/last-applied-configuration$|^karpenter\.sh\/nodepool-hash/

const without = (entries: unknown, key: RegExp): object =>
  Object.fromEntries(Object.entries(entries ?? {}).filter(([name]) => !key.test(name)))

const isEmpty = (object: object): boolean => Object.keys(object).length === 0

const anyText: Kept = (value) => (typeof value === 'string' ? value : undefined)
const allAnnotations: Kept = (value) => without(keepMapOf(anyText, anyText)(value), NEVER_KEPT)

/** Returns a function that keeps the metadata that identifies or selects objects. Empty maps are left out. */
const metadataOf = (asked: ReadonlySet<KeptOnRequest>): Kept => {
  const kept = fields({
    name,
    namespace: name,
    labels: (value) => without(labelMap(value), MADE_LABEL),
    annotations: asked.has('annotations') ? allAnnotations : annotationMap,
  })
  return (value) =>
    Object.fromEntries(
      Object.entries(kept(value ?? {}) ?? {}).filter(([, each]) => !(typeof each === 'object' && isEmpty(each))),
    )
}

const NOTHING_ASKED: ReadonlySet<KeptOnRequest> = new Set()

/** Returns a pod spec without images, commands, environments, mounts and identities, which affect neither scheduling nor termination. */
export const leanPodSpec = (spec: PodSpec): PodSpec => podSpec(spec) as PodSpec

/**
 * Returns the fields of an object that a recording keeps. Fields and formats of values are on allowlists; nothing else is recorded.
 * Secrets, environments, commands, images, identities and free text are never recorded. Throws for kinds that are not recorded.
 */
export const leanObject = (object: KubeObject, asked: ReadonlySet<KeptOnRequest> = NOTHING_ASKED): KubeObject => {
  const { apiVersion, kind } = object
  const metadata = metadataOf(asked)
  const kept = ownValue(keptFields(metadata), kind)
  if (kept === undefined) throw new InvariantError(`objects of kind ${kind} are not recorded`)
  return {
    apiVersion,
    kind,
    metadata: metadata(object.metadata) as KubeObject['metadata'],
    ...(kept(object) as object),
  }
}

/**
 * Returns, as one string, the annotations in a NodePool's template that are not recorded. The recorder compares these strings,
 * because a change of the annotations makes nodes drift.
 */
export const omittedFieldsText = (object: KubeObject, asked: ReadonlySet<KeptOnRequest> = NOTHING_ASKED): string => {
  const { spec }: KubeObject & { readonly spec?: { readonly template?: Pick<KubeObject, 'metadata'> } } = object
  if (object.kind !== 'NodePool' || asked.has('annotations')) return ''
  const all = Object.entries(spec?.template?.metadata?.annotations ?? {})
  const kept = annotationMap(Object.fromEntries(all)) as Readonly<Record<string, string>>
  const left = all.filter(([key]) => ownValue(kept, key) === undefined).sort(([a], [b]) => (a < b ? -1 : 1))
  return left.length === 0 ? '' : JSON.stringify(left)
}
