import type { KubeObject } from '@kerf/apis'
import { ownValue, setOwnValue } from '@kerf/apis'
import type { JsonObject } from '../store/json.ts'
import type { Conversion } from './resource.ts'

/** Pairs of field names, each with the name in `events.k8s.io/v1` and the name in core `v1`. */
const names: readonly (readonly [string, string])[] = [
  ['regarding', 'involvedObject'],
  ['note', 'message'],
  ['reportingController', 'reportingComponent'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
]

const views = new WeakMap<KubeObject, KubeObject>()

/** Converts Events, which are stored in the core form and served in both forms. */
export const eventConversion: Conversion = {
  toServed(stored) {
    const known = views.get(stored)
    if (known !== undefined) return known
    const view: Record<string, unknown> = { ...stored, apiVersion: 'events.k8s.io/v1' }
    for (const [served, core] of names) {
      if (ownValue(view, core) === undefined) continue
      setOwnValue(view, served, ownValue(view, core))
      delete view[core]
    }
    const object = Object.freeze(view) as unknown as KubeObject
    views.set(stored, object)
    return object
  },
  toStored(draft: JsonObject) {
    draft['apiVersion'] = 'v1'
    for (const [served, core] of names) {
      const value = ownValue(draft, served)
      if (value === undefined) continue
      setOwnValue(draft, core, value)
      delete draft[served]
    }
  },
}
