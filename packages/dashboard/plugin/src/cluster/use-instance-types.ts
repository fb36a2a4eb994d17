import type { LabelVocabulary } from '@kerf/apis'
import { K8s } from '@kinvolk/headlamp-plugin/lib'
import { useEffect, useMemo, useState } from 'react'
import type { ClusterObjects, InstanceTypesByPool } from '../model/cluster-snapshot.ts'
import { labelPrices, type Prices } from '../model/prices.ts'
import { at } from '../model/read.ts'
import type { ReportedInstanceTypes } from '../model/reported-instance-types.ts'
import { seenInstanceTypes } from '../model/seen-instance-types.ts'
import { seenVocabulary } from '../model/vocabulary.ts'
import { askInstanceTypes } from './reported-types.ts'
import { usePrices } from './use-prices.ts'

/** The instance types that the NodePools may launch, and where this information comes from. */
export interface KnownInstanceTypes {
  readonly instanceTypes: InstanceTypesByPool
  readonly vocabulary: LabelVocabulary
  readonly prices: Prices
  readonly from: 'asking' | 'controller' | 'seen'
}

type Reported = ReportedInstanceTypes | 'nothing' | undefined

/** Returns the controller's report. Requests it again when a pool is added or removed. */
const useReported = (pools: readonly unknown[]): Reported => {
  const cluster = K8s.useCluster() ?? ''
  const [reported, setReported] = useState<Reported>()
  const names = pools.map((pool) => String(at(pool, 'metadata', 'uid') ?? '')).join()
  useEffect(() => {
    let isOver = false
    void askInstanceTypes(cluster, names).then((found) => {
      if (!isOver) setReported(found ?? 'nothing')
    })
    return () => {
      isOver = true
    }
  }, [cluster, names])
  return reported
}

const fromObjects = ({ claims, nodes, pools }: ClusterObjects, prices: Prices): KnownInstanceTypes => {
  const instanceTypes = seenInstanceTypes(claims, nodes, pools, prices)
  const keys = [...instanceTypes.values()].flatMap((types) =>
    types.flatMap((type) => type.requirements.map(({ key }) => key)),
  )
  return { instanceTypes, vocabulary: seenVocabulary([...new Set(keys)]), prices, from: 'seen' }
}

const NOT_YET: KnownInstanceTypes = {
  instanceTypes: new Map(),
  vocabulary: seenVocabulary([]),
  prices: labelPrices,
  from: 'asking',
}

/**
 * Returns a function that returns the instance types for the current objects. Returns undefined while the request is pending. For callers
 * that compute rarely.
 */
export const usePoolInstanceTypes = (
  pools: readonly unknown[],
): ((objects: ClusterObjects) => KnownInstanceTypes) | undefined => {
  const reported = useReported(pools)
  const prices = usePrices()
  const seenPrices = reported === 'nothing' ? prices : undefined
  return useMemo(() => {
    if (reported === undefined) return undefined
    if (reported !== 'nothing') return () => ({ ...reported, from: 'controller' as const })
    return (objects) => fromObjects(objects, seenPrices ?? labelPrices)
  }, [reported, seenPrices])
}

/**
 * Returns the instance types that the controller reports, if it is Kerf and reachable. Otherwise returns the instance
 * types seen in this cluster.
 */
export const useInstanceTypes = (objects: ClusterObjects): KnownInstanceTypes => {
  const { claims, nodes, pools } = objects
  const of = usePoolInstanceTypes(pools)
  // Types that the controller reports do not depend on the objects. For them, the result remains the same object.
  return useMemo(() => of?.(objects) ?? NOT_YET, [of, claims, nodes, pools])
}
