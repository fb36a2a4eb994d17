import { labels, plainText } from '@kerf/apis'
import type { Trace } from '../simulate/trace.ts'

/** Labels that select nodes and whose values come from the cloud or from Kubernetes. */
const WELL_KNOWN: ReadonlySet<string> = new Set([...Object.values(labels), 'kubernetes.io/metadata.name'])
const KEY_FIELDS: ReadonlySet<string> = new Set(['key', 'topologyKey'])
const KEY_LISTS: ReadonlySet<string> = new Set(['matchLabelKeys', 'mismatchLabelKeys'])
const KEY_MAPS: ReadonlySet<string> = new Set(['matchLabels', 'nodeSelector'])

const collect = (value: unknown, into: Set<string>): void => {
  if (Array.isArray(value)) for (const each of value) collect(each, into)
  else if (typeof value === 'object' && value !== null) {
    for (const [field, each] of Object.entries(value)) {
      if (KEY_FIELDS.has(field) && typeof each === 'string') into.add(each)
      else if (KEY_LISTS.has(field) && Array.isArray(each)) for (const key of each) into.add(plainText(key))
      else if (KEY_MAPS.has(field) && typeof each === 'object') for (const key of Object.keys(each ?? {})) into.add(key)
      else collect(each, into)
    }
  }
}

const prune = (value: unknown, used: ReadonlySet<string>, isMetadata = false): unknown => {
  if (Array.isArray(value)) return value.map((each) => prune(each, used))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([field, each]): readonly (readonly [string, unknown])[] => {
      if (!isMetadata || field !== 'labels') return [[field, prune(each, used, field === 'metadata')]]
      const kept = Object.entries(each as object).filter(([key]) => used.has(key))
      return kept.length === 0 ? [] : [[field, Object.fromEntries(kept)]]
    }),
  )
}

/**
 * Returns the trace with only those labels that a selector in it uses or that every cluster has. Other labels have no effect and may
 * contain free text.
 */
export const withSelectedLabels = (trace: Trace): Trace => {
  const used = new Set(WELL_KNOWN)
  collect([trace.objects, trace.events], used)
  return {
    ...trace,
    objects: prune(trace.objects ?? [], used) as NonNullable<Trace['objects']>,
    events: prune(trace.events ?? [], used) as NonNullable<Trace['events']>,
  }
}
