import type { InstanceType } from '@kerf/engine'
import { cloudOfferings } from '@kerf/provider-simulated'
import { nearest } from '@kerf/runtime'
import type { Trace, TraceEvent } from './trace.ts'

const FIELDS = ['instanceType', 'zone', 'capacityType'] as const
const MOST_NAMED = 8

type Selector = { readonly [field in (typeof FIELDS)[number]]?: string }

const eventSelector = (event: TraceEvent): { readonly kind: string; readonly selector: Selector } | undefined => {
  if ('interrupt' in event) return { kind: 'interrupt', selector: event.interrupt as Selector }
  if ('outage' in event) return { kind: 'outage', selector: event.outage as Selector }
  if ('price' in event) return { kind: 'price', selector: event.price as Selector }
  return undefined
}

/**
 * Returns the problem of the first event in a trace that names an instance type, zone or capacity type without an offering in the simulated
 * cloud. The text contains the path of the field. Without this check, the event would silently have no effect. Recordings are not checked,
 * because users cannot correct them.
 */
export const unofferedInTrace = (trace: Trace, instanceTypes: readonly InstanceType[]): string | undefined => {
  if (trace.recording !== undefined) return undefined
  const offerings = cloudOfferings(instanceTypes)
  for (const [index, event] of (trace.events ?? []).entries()) {
    const found = eventSelector(event)
    for (const field of FIELDS) {
      const wanted = found?.selector[field]
      if (found === undefined || wanted === undefined) continue
      const known = new Set(offerings.map((offering) => offering[field]))
      if (known.has(wanted)) continue
      return `events[${index}].${found.kind}.${field}: the simulated cloud does not offer ${JSON.stringify(wanted)}; ${remedy(wanted, [...known].sort())}`
    }
  }
  return undefined
}

const remedy = (wanted: string, known: readonly string[]): string => {
  const meant = nearest(wanted, known)
  if (meant !== undefined) return `did you mean ${meant}?`
  const more = known.length > MOST_NAMED ? ` and ${known.length - MOST_NAMED} more` : ''
  return `it has ${known.slice(0, MOST_NAMED).join(', ')}${more}`
}
