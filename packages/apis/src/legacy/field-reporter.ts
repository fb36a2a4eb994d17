import type { KubeObject } from '../kubernetes/object.ts'
import { serverFields } from '../kubernetes/server-fields.ts'

/** How a field was converted. `added` means that the old API had a default which v1 must set explicitly. */
export type ConversionResult = 'kept' | 'renamed' | 'changed' | 'gone' | 'added'

export interface FieldReport {
  /** The old object, for example `Provisioner/default`. */
  readonly object: string
  readonly field: string
  readonly fate: ConversionResult
  /** The new object and field, for example `NodePool/default spec.limits.cpu`. */
  readonly to?: string
  readonly note?: string
}

export type Json = Readonly<Record<string, unknown>>

export const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const recordOrEmpty = (value: unknown): Json => (isRecord(value) ? value : {})

/** Returns an object's name for messages, for example `Provisioner/default`. */
export const objectReference = (object: KubeObject): string => `${object.kind}/${object.metadata.name}`

/** Metadata that belongs only to the old object and its controllers. The new object gets its own. */
const OWN_METADATA: readonly string[] = [...serverFields, 'finalizers', 'ownerReferences']

/**
 * Records how each field of an old object was converted. If nothing was recorded for a field, the field is reported as gone, so
 * that no field is lost silently.
 */
export class FieldReporter {
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

  /**
   * Records how a field was converted. An `added` field is not in the old object, so it is not counted among the fields that were
   * read.
   */
  record(field: string, fate: ConversionResult, to?: string, note?: string): void {
    if (fate !== 'added') this.#claimed.add(field)
    this.#reports.push({
      object: this.object,
      field,
      fate,
      ...(to === undefined ? {} : { to }),
      ...(note === undefined ? {} : { note }),
    })
  }

  /** Returns all reports. A field for which nothing was recorded is reported as gone. */
  finish(): readonly FieldReport[] {
    if (this.#source['status'] !== undefined)
      this.record('status', 'gone', undefined, 'the controller writes a new status')
    this.#unclaimed(this.#source, '')
    return this.#reports
  }

  #unclaimed(value: unknown, path: string): void {
    if (this.#claimed.has(path)) return
    if (isRecord(value) && (path === '' || Object.keys(value).length > 0)) {
      for (const [key, each] of Object.entries(value)) this.#unclaimed(each, path === '' ? key : `${path}.${key}`)
      return
    }
    this.record(path, 'gone', undefined, 'v1 has no such field')
  }
}
