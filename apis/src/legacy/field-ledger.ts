import type { KubeObject } from '../kubernetes/object.ts'
import { serverFields } from '../kubernetes/server-fields.ts'

/** What became of a field. `added` is what the old API did without being told, and v1 has to be. */
export type Fate = 'kept' | 'renamed' | 'changed' | 'gone' | 'added'

export interface FieldReport {
  /** `Provisioner/default`. */
  readonly object: string
  readonly field: string
  readonly fate: Fate
  /** Where it is now: `NodePool/default spec.limits.cpu`. */
  readonly to?: string
  readonly note?: string
}

export type Json = Readonly<Record<string, unknown>>

export const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const recordOf = (value: unknown): Json => (isRecord(value) ? value : {})

/** `Provisioner/default`, as messages call an object. */
export const referenceOf = (object: KubeObject): string => `${object.kind}/${object.metadata.name}`

/** Metadata that belongs to the old object and its controllers; a new one gets its own. */
const OWN_METADATA: readonly string[] = [...serverFields, 'finalizers', 'ownerReferences']

/** Says of every field of one old object what became of it: what nobody claims is reported as gone, never lost silently. */
export class FieldLedger {
  readonly #reports: FieldReport[] = []
  readonly #source: Json
  readonly #claimed = new Set<string>()
  readonly object: string

  constructor(object: string, source: object) {
    this.object = object
    this.#source = { ...source }
    for (const field of ['apiVersion', 'kind']) this.#claimed.add(field)
    for (const field of OWN_METADATA) this.#claimed.add(`metadata.${field}`)
  }

  /** Claims a field and says what became of it; an added one is claimed by nobody. */
  say(field: string, fate: Fate, to?: string, note?: string): void {
    if (fate !== 'added') this.#claimed.add(field)
    this.#reports.push({
      object: this.object,
      field,
      fate,
      ...(to === undefined ? {} : { to }),
      ...(note === undefined ? {} : { note }),
    })
  }

  /** All reports, with one for every field that nobody spoke of. */
  finish(): readonly FieldReport[] {
    if (this.#source['status'] !== undefined) this.say('status', 'gone', undefined, 'written anew by the controller')
    this.#unclaimed(this.#source, '')
    return this.#reports
  }

  #unclaimed(value: unknown, path: string): void {
    if (this.#claimed.has(path)) return
    if (isRecord(value) && (path === '' || Object.keys(value).length > 0)) {
      for (const [key, each] of Object.entries(value)) this.#unclaimed(each, path === '' ? key : `${path}.${key}`)
      return
    }
    this.say(path, 'gone', undefined, 'v1 has no such field')
  }
}
