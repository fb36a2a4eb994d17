import type { LabelVocabulary } from '@kerf/apis'
import { K8s } from '@kinvolk/headlamp-plugin/lib'
import { useEffect, useMemo, useState } from 'react'
import type { ClusterObjects, InstanceTypesByPool } from '../model/cluster-snapshot.ts'
import { at } from '../model/read.ts'
import { type ReportedInstanceTypes, reportedInstanceTypes } from '../model/reported-instance-types.ts'
import { seenInstanceTypes } from '../model/seen-instance-types.ts'
import { seenVocabulary } from '../model/vocabulary.ts'
import { askKerf } from './controller.ts'

/** The instance types that the NodePools may launch, and where this information comes from. */
export interface KnownInstanceTypes {
  readonly instanceTypes: InstanceTypesByPool
  readonly vocabulary: LabelVocabulary
  readonly from: 'asking' | 'controller' | 'seen'
}

type Reported = ReportedInstanceTypes | 'nothing' | undefined

/**
 * Returns the controller's report. Requests it again when a pool is added or removed, because each pool has its own
 * instance types.
 */
const useReported = (pools: readonly unknown[]): Reported => {
  const cluster = K8s.useCluster() ?? ''
  const [reported, setReported] = useState<Reported>()
  const names = pools.map((pool) => String(at(pool, 'metadata', 'uid') ?? '')).join()
  useEffect(() => {
    let isOver = false
    void askKerf(cluster, '/kerf/v1/instance-types', '/kerf/v1/catalogue').then((answer) => {
      if (!isOver) setReported(reportedInstanceTypes(answer) ?? 'nothing')
    })
    return () => {
      isOver = true
    }
  }, [cluster, names])
  return reported
}

const fromObjects = ({ claims, nodes, pools }: ClusterObjects): KnownInstanceTypes => {
  const instanceTypes = seenInstanceTypes(claims, nodes, pools)
  const keys = [...instanceTypes.values()].flatMap((types) =>
    types.flatMap((type) => type.requirements.map(({ key }) => key)),
  )
  return { instanceTypes, vocabulary: seenVocabulary([...new Set(keys)]), from: 'seen' }
}

const NOT_YET: KnownInstanceTypes = { instanceTypes: new Map(), vocabulary: seenVocabulary([]), from: 'asking' }

/**
 * Returns a function that gives the instance types for the current objects, or nothing while the request is pending.
 * For callers that compute rarely.
 */
export const usePoolInstanceTypes = (
  pools: readonly unknown[],
): ((objects: ClusterObjects) => KnownInstanceTypes) | undefined => {
  const reported = useReported(pools)
  return useMemo(() => {
    if (reported === undefined) return undefined
    return reported === 'nothing' ? fromObjects : () => ({ ...reported, from: 'controller' as const })
  }, [reported])
}

/**
 * Returns the instance types that the controller reports, if it is Kerf and reachable. Otherwise returns the instance
 * types seen in this cluster.
 */
export const useInstanceTypes = (objects: ClusterObjects): KnownInstanceTypes => {
  const { claims, nodes, pools } = objects
  const of = usePoolInstanceTypes(pools)
  const isSeen = of === fromObjects
  const seen = useMemo(() => (isSeen ? fromObjects(objects) : undefined), [isSeen, claims, nodes, pools])
  return useMemo(() => seen ?? of?.(objects) ?? NOT_YET, [of, seen])
}
