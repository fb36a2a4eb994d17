import { K8s } from '@kinvolk/headlamp-plugin/lib'
import { useCallback, useSyncExternalStore } from 'react'
import type { Sample } from '../model/exposition.ts'
import { labelPrices, priceMetrics, type Prices, samplePrices, unknownPrice } from '../model/prices.ts'
import { settingsNow } from '../settings/settings.ts'
import { controllerSamples } from './controller.ts'
import { findPrometheus, prometheusSamples } from './prometheus.ts'
import { askInstanceTypes } from './reported-types.ts'

interface Priced {
  prices: Prices
  readonly readers: Set<() => void>
  timer: ReturnType<typeof setInterval> | undefined
}

const EVERY = 60_000
/** The prices before the controller's first response. */
const ASKING: Prices = { ...labelPrices, isAsking: true }
const priced = new Map<string, Priced>()

/** Returns the samples of the controller's price metrics: from the controller, otherwise from Prometheus. */
const priceSamples = async (cluster: string): Promise<readonly Sample[]> => {
  const own = (await controllerSamples(cluster)).filter(({ name }) => priceMetrics.includes(name))
  if (own.length > 0) return own
  const base = await findPrometheus(cluster, settingsNow())
  return base === undefined ? [] : prometheusSamples(cluster, base, priceMetrics)
}

const readPrices = async (cluster: string, before: Prices): Promise<Prices> => {
  const reported = await askInstanceTypes(cluster)
  if (reported !== undefined) return reported.prices
  const samples = await priceSamples(cluster).catch(() => [])
  // Keep the old prices of instances, which seldom change. Drop the cost of the pools, which changes with their nodes.
  return samples.length === 0 ? { ...before, pool: unknownPrice, isAsking: false } : samplePrices(samples)
}

const refresh = async (cluster: string, into: Priced): Promise<void> => {
  if (document.hidden && !into.prices.isAsking) return
  into.prices = await readPrices(cluster, into.prices)
  for (const reader of into.readers) reader()
}

/** Returns the prices that are known so far in the cluster. */
export const pricesNow = (cluster: string): Prices => priced.get(cluster)?.prices ?? ASKING

const followPrices = (cluster: string, reader: () => void): (() => void) => {
  const known: Priced = priced.get(cluster) ?? { prices: ASKING, readers: new Set(), timer: undefined }
  priced.set(cluster, known)
  known.readers.add(reader)
  if (known.timer === undefined) {
    known.timer = setInterval(() => void refresh(cluster, known), EVERY)
    void refresh(cluster, known)
  }
  return () => {
    known.readers.delete(reader)
    if (known.readers.size > 0) return
    clearInterval(known.timer)
    known.timer = undefined
  }
}

const noPrices = (): (() => void) => () => undefined

/**
 * Returns the prices of a cluster: from the instance types that Kerf reports, otherwise from the controller's metrics.
 * Prices in the labels of objects are available at once. If several clusters are shown together, only the prices in
 * labels are used, because NodePools of different clusters may have the same name.
 */
export const usePrices = (of?: string): Prices => {
  const current = K8s.useCluster() ?? ''
  const isOne = K8s.useSelectedClusters().length === 1
  const cluster = of ?? (isOne ? current : '')
  const follow = useCallback(
    (reader: () => void) => (cluster === '' ? noPrices() : followPrices(cluster, reader)),
    [cluster],
  )
  return useSyncExternalStore(follow, () => (cluster === '' ? labelPrices : pricesNow(cluster)))
}
