import type { KubeObject } from '../kubernetes/object.ts'
import { serverFields } from '../kubernetes/server-fields.ts'
import { ownValue, setOwnValue } from '../own-value.ts'
import { type FieldReport, isRecord, type Json, objectReference } from './field-reporter.ts'
import type { OldNames } from './old-names.ts'

/** An object with new names, and a report of the replaced names and their paths. */
export interface Renaming {
  readonly object: KubeObject
  /** The replaced names. Empty if the object uses no old name. */
  readonly fields: readonly FieldReport[]
}

/** kubectl's copy of the object, which also contains old names. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`)

/** Returns whether two requirements are equal. The order of their fields does not matter. */
const isSame = (a: unknown, b: Json): boolean =>
  isRecord(a) &&
  ['key', 'operator', 'values'].every(
    (field) => JSON.stringify(ownValue(a, field)) === JSON.stringify(ownValue(b, field)),
  )

/** Goes through one object, replaces old names, and records what it replaces. */
class Renamer {
  readonly fields: FieldReport[] = []
  readonly #object: string
  readonly #renamed: OldNames['renamed']

  constructor(object: string, names: OldNames) {
    this.#object = object
    this.#renamed = names.renamed
  }

  #record(field: string, fate: 'renamed' | 'gone', to: string | undefined, note?: string): void {
    const [moved, said] = [to === undefined ? {} : { to }, note === undefined ? {} : { note }]
    this.fields.push({ object: this.#object, field, fate, ...moved, ...said })
  }

  /** Records that a field is removed. */
  drop(field: string, note: string): void {
    this.#record(field, 'gone', undefined, note)
  }

  /**
   * Converts a value and everything inside it. Recognizes fields by their names at any path. Therefore it converts pods, owners of pods
   * (even of unknown resource kinds) and templates of pools. `isNodeTerm` is true if requirements inside the value are about labels of
   * nodes.
   */
  value(value: unknown, path: string, isNodeTerm: boolean): unknown {
    if (Array.isArray(value)) return value.map((item, index) => this.value(item, `${path}[${index}]`, isNodeTerm))
    if (!isRecord(value)) return value
    const changed: Record<string, unknown> = {}
    for (const [key, below] of Object.entries(value))
      setOwnValue(changed, key, this.#field(key, below, join(path, key), isNodeTerm))
    return changed
  }

  #field(key: string, value: unknown, path: string, isNodeTerm: boolean): unknown {
    if (key === 'annotations' && isRecord(value)) return this.#annotations(value, path)
    if (key === 'nodeSelector' && isRecord(value) && !Array.isArray(value['nodeSelectorTerms']))
      return this.#nodeSelector(value, path)
    if (key === 'topologyKey' && typeof value === 'string') return this.#name(value, path)
    const isOfNodes = isNodeTerm || key === 'nodeSelectorTerms' || key === 'preference' || key === 'allowedTopologies'
    const isList = key === 'matchExpressions' || key === 'matchLabelExpressions'
    if (isList && isOfNodes && Array.isArray(value)) return this.#requirements(value, path)
    return this.value(value, path, isOfNodes)
  }

  #name(name: string, path: string): string {
    const now = this.#renamed.get(name)
    if (now === undefined) return name
    this.#record(path, 'renamed', now)
    return now
  }

  /**
   * Converts annotations. Both old protection annotations have the same new name. If an annotation with that name exists, it takes
   * precedence.
   */
  #annotations(annotations: Json, path: string): Json {
    const changed: Record<string, unknown> = {}
    for (const [key, value] of Object.entries(annotations)) {
      const now = this.#renamed.get(key)
      if (now === undefined) {
        setOwnValue(changed, key, value)
        continue
      }
      const isThere = Object.hasOwn(annotations, now) || Object.hasOwn(changed, now)
      if (isThere) this.#record(join(path, key), 'gone', undefined, `${now} is there besides`)
      else {
        setOwnValue(changed, now, value)
        this.#record(join(path, key), 'renamed', now)
      }
    }
    return changed
  }

  #nodeSelector(selector: Json, path: string): Json {
    const changed: Record<string, unknown> = {}
    for (const [key, value] of Object.entries(selector)) {
      const now = this.#renamed.get(key)
      // A selector that requires two different pools matches no node. It stays unchanged and is reported as an old name.
      if (now === undefined || (Object.hasOwn(selector, now) && ownValue(selector, now) !== value))
        setOwnValue(changed, key, value)
      else if (Object.hasOwn(selector, now)) this.#record(join(path, key), 'gone', undefined, `${now} says the same`)
      else {
        setOwnValue(changed, now, value)
        this.#record(join(path, key), 'renamed', now)
      }
    }
    return changed
  }

  /**
   * Converts requirements. Guides recommended excluding nodes by the old and the new name; after renaming, these two requirements
   * become one.
   */
  #requirements(list: readonly unknown[], path: string): readonly unknown[] {
    const kept: unknown[] = []
    for (const [index, each] of list.entries()) {
      const place = `${path}[${index}].key`
      if (!isRecord(each) || typeof each['key'] !== 'string') {
        kept.push(each)
        continue
      }
      const now = this.#renamed.get(each['key'])
      if (now === undefined) {
        kept.push(each)
        continue
      }
      const next = { ...each, key: now }
      const isThere = [...list, ...kept].some((other) => isSame(other, next))
      if (isThere) this.#record(place, 'gone', undefined, `${now} says the same`)
      else {
        kept.push(next)
        this.#record(place, 'renamed', now)
      }
    }
    return kept
  }
}

/** Converts an object that was read from a cluster to the form of a manifest. */
const objectManifest = (object: KubeObject): KubeObject => {
  const { status: _, ...rest } = object as KubeObject & { readonly status?: unknown }
  const metadata = Object.fromEntries(Object.entries(object.metadata).filter(([key]) => !serverFields.includes(key)))
  const { [LAST_APPLIED]: __, ...annotations } = object.metadata.annotations ?? {}
  const isAnnotated = Object.keys(annotations).length > 0
  const { annotations: ___, ...unannotated } = metadata
  return { ...rest, metadata: isAnnotated ? { ...metadata, annotations } : unannotated } as KubeObject
}

/**
 * Renames the labels, annotations and topology keys that v1 ignores (`docs/spec/older-apis.md#older-labels-annotations-taints-and-tags`).
 * Changes only objects that select nodes or protect pods, in their node selectors, node affinity, topology keys and annotations. If an
 * object has no old names, returns it unchanged.
 */
export const withNewNames = (object: KubeObject, names: OldNames): Renaming => {
  const renamer = new Renamer(objectReference(object), names)
  const changed = renamer.value(objectManifest(object), '', false) as KubeObject
  if (renamer.fields.length === 0) return { object, fields: [] }
  if ('status' in object) renamer.drop('status', 'the cluster writes a new status')
  return { object: changed, fields: renamer.fields }
}

/** Returns the annotations of a template with new names. Calls `record` for each old name. */
export const renamedAnnotations = (
  annotations: Json,
  names: OldNames,
  record: (key: string, now: string | undefined, note: string | undefined) => void,
): Json => {
  const { object, fields } = withNewNames(
    { apiVersion: 'v1', kind: 'Pod', metadata: { annotations } } as KubeObject,
    names,
  )
  for (const { field, to, note } of fields) record(field.slice('metadata.annotations.'.length), to, note)
  return { ...object.metadata.annotations }
}
