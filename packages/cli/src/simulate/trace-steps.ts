import { type KubeObject, type Milliseconds, parseDuration } from '@kerf/apis'
import type { Random } from '@kerf/runtime'
import type { OfferingSelector } from '@kerf/sandbox'
import { simulatedObject } from './prepare-manifests.ts'
import type { Diurnal, Trace, TraceEvent } from './trace.ts'

export interface Workload {
  readonly kind: 'Deployment' | 'StatefulSet'
  readonly namespace: string
  readonly name: string
}

/** One action at a given time, in the form of a call to the sandbox. */
export type TraceStep = { readonly at: Milliseconds } & (
  | { readonly kind: 'scale'; readonly workload: Workload; readonly replicas: number }
  | {
      readonly kind: 'interrupt'
      readonly selector: OfferingSelector
      readonly share: number
      readonly count: number
    }
  | { readonly kind: 'outage'; readonly selector: OfferingSelector; readonly span: Milliseconds }
  | { readonly kind: 'price'; readonly selector: OfferingSelector; readonly factor: number }
  | { readonly kind: 'apply'; readonly object: KubeObject }
  | {
      readonly kind: 'delete'
      readonly object: Pick<KubeObject, 'apiVersion' | 'kind'> & { readonly namespace?: string; readonly name: string }
    }
)

const DAY: Milliseconds = 86_400_000

const workloadOf = ({ kind, namespace, name }: Pick<Diurnal, 'kind' | 'namespace' | 'name'>): Workload => ({
  kind: kind ?? 'Deployment',
  namespace: namespace ?? 'default',
  name,
})

const selectorOf = ({ instanceType, zone, capacityType }: OfferingSelector): OfferingSelector => ({
  ...(instanceType === undefined ? {} : { instanceType }),
  ...(zone === undefined ? {} : { zone }),
  ...(capacityType === undefined ? {} : { capacityType }),
})

const eventStep = (event: TraceEvent): readonly TraceStep[] => {
  const at = parseDuration(event.at)
  if ('scale' in event)
    return [{ at, kind: 'scale', workload: workloadOf(event.scale), replicas: event.scale.replicas }]
  if ('interrupt' in event) {
    const { share = 1, count = Number.POSITIVE_INFINITY, ...selector } = event.interrupt
    return [{ at, kind: 'interrupt', selector: selectorOf(selector as OfferingSelector), share, count }]
  }
  if ('outage' in event) {
    const { for: span, ...selector } = event.outage
    return [{ at, kind: 'outage', selector: selectorOf(selector as OfferingSelector), span: parseDuration(span) }]
  }
  if ('price' in event) {
    const { factor, ...selector } = event.price
    return [{ at, kind: 'price', selector: selectorOf(selector as OfferingSelector), factor }]
  }
  if ('apply' in event) {
    const object = simulatedObject(event.apply as KubeObject)
    return object === undefined ? [] : [{ at, kind: 'apply', object }]
  }
  return [{ at, kind: 'delete', object: event.delete }]
}

const curve = (load: Diurnal, span: Milliseconds, random: Random): readonly TraceStep[] => {
  const peak = parseDuration(load.peak ?? '14h')
  const every = parseDuration(load.every ?? '10m')
  const steps: TraceStep[] = []
  for (let at = 0; at < span; at += every) {
    const height = (1 + Math.cos((2 * Math.PI * (at - peak)) / DAY)) / 2
    const factor = 1 + (load.noise ?? 0) * (2 * random.next() - 1)
    const replicas = Math.max(0, Math.round((load.low + (load.high - load.low) * height) * factor))
    steps.push({ at, kind: 'scale', workload: workloadOf(load), replicas })
  }
  return steps
}

/** Returns all steps of a trace, ordered by time. */
export const traceSteps = (trace: Trace, span: Milliseconds, random: Random): readonly TraceStep[] =>
  [...(trace.diurnal ?? []).flatMap((load) => curve(load, span, random)), ...(trace.events ?? []).flatMap(eventStep)]
    .filter(({ at }) => at < span)
    .sort((a, b) => a.at - b.at)

/** Returns the number of events after the end of the simulation. */
export const lateEvents = (trace: Trace, span: Milliseconds): number =>
  (trace.events ?? []).filter(({ at }) => parseDuration(at) >= span).length
