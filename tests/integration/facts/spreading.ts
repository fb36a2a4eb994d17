import type { Pod } from '@kerf/apis'
import { key } from './keys.ts'
import { is, type LabelMap, type PodTraits, type PoolTraits, pod, spread, web } from './objects.ts'

/** Returns a `web` pod with a topology spread constraint on a label. */
export const spreading = (
  label: string,
  traits: Parameters<typeof spread>[1] = {},
  rest: PodTraits = {},
): PodTraits => ({ labels: web, spread: [spread(label, traits)], ...rest })

export const overZones = spreading(key.zone)

/** Returns the traits of a node that is in this zone and runs this many pods. */
export const inZone = (
  zone: string,
  count: number,
  labels: LabelMap = web,
): { readonly zone: string; readonly pods: readonly Pod[] } => ({
  zone,
  pods: Array.from({ length: count }, (_, index) => pod(`there-${zone}-${index}`, { labels })),
})

/** The traits of a node without free capacity. */
export const full = { cpu: '0', maxPods: '0' } as const

/** Returns the traits of a NodePool that allows only these zones. */
export const only = (...allowed: readonly string[]): PoolTraits => ({
  requirements: [is(key.zone, 'In', ...allowed)],
})
