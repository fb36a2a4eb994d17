import type { Pod } from '@kerf/apis'
import { key } from './keys.ts'
import { is, type LabelMap, type PodTraits, type PoolTraits, pod, spread, web } from './objects.ts'

/** A `web` pod that is spread over a label. */
export const spreading = (
  label: string,
  traits: Parameters<typeof spread>[1] = {},
  rest: PodTraits = {},
): PodTraits => ({ labels: web, spread: [spread(label, traits)], ...rest })

export const overZones = spreading(key.zone)

/** Traits of a node in a zone where so many pods run. */
export const inZone = (
  zone: string,
  count: number,
  labels: LabelMap = web,
): { readonly zone: string; readonly pods: readonly Pod[] } => ({
  zone,
  pods: Array.from({ length: count }, (_, index) => pod(`there-${zone}-${index}`, { labels })),
})

/** Traits of a node that takes nobody. */
export const full = { cpu: '0', maxPods: '0' } as const

/** A pool of these zones alone. */
export const only = (...allowed: readonly string[]): PoolTraits => ({
  requirements: [is(key.zone, 'In', ...allowed)],
})
