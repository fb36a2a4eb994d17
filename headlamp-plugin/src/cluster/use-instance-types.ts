import type { LabelVocabulary } from '@kerf/apis'
import { instanceTypeFromJson, type InstanceTypeJson } from '@kerf/engine'
import { K8s } from '@kinvolk/headlamp-plugin/lib'
import { useEffect, useMemo, useState } from 'react'
import type { ClusterObjects, InstanceTypesByPool } from '../model/cluster-snapshot.ts'
import { at, fieldsAt, listAt } from '../model/read.ts'
import { seenInstanceTypes } from '../model/seen-instance-types.ts'
import { reportedVocabulary, seenVocabulary } from '../model/vocabulary.ts'
import { askKerf } from './controller.ts'

/** What the NodePools may launch, and where that is known from. */
export interface KnownInstanceTypes {
  readonly instanceTypes: InstanceTypesByPool
  readonly vocabulary: LabelVocabulary
  readonly from: 'asking' | 'controller' | 'seen'
}

type Reported = Omit<KnownInstanceTypes, 'from'> | 'nothing' | undefined

/** Pools by name; damaged lists count as if the controller had reported nothing. */
const read = (answer: unknown): Reported => {
  try {
    const lists = listAt(answer, 'lists').map((list) => (list as readonly InstanceTypeJson[]).map(instanceTypeFromJson))
    if (lists.length === 0) return 'nothing'
    const pools = Object.entries(fieldsAt(answer, 'pools')).map(
      ([name, place]) => [name, lists[Number(place)] ?? []] as const,
    )
    return { instanceTypes: new Map(pools), vocabulary: reportedVocabulary(answer) }
  } catch {
    return 'nothing'
  }
}

/** What the controller reports, asked again when pools come or go: each has instance types of its own. */
const useReported = (pools: readonly unknown[]): Reported => {
  const cluster = K8s.useCluster() ?? ''
  const [reported, setReported] = useState<Reported>()
  const names = pools.map((pool) => String(at(pool, 'metadata', 'uid') ?? '')).join()
  useEffect(() => {
    let isOver = false
    void askKerf(cluster, '/kerf/v1/instance-types', '/kerf/v1/catalogue').then((answer) => {
      if (!isOver) setReported(read(answer))
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

/** For who computes seldom: says what the NodePools may launch by the objects of that moment; nothing while that is asked. */
export const useInstanceTypesOf = (
  pools: readonly unknown[],
): ((objects: ClusterObjects) => KnownInstanceTypes) | undefined => {
  const reported = useReported(pools)
  return useMemo(() => {
    if (reported === undefined) return undefined
    return reported === 'nothing' ? fromObjects : () => ({ ...reported, from: 'controller' as const })
  }, [reported])
}

/** What the controller reports when it is Kerf and can be reached; otherwise the instance types that were seen here. */
export const useInstanceTypes = (objects: ClusterObjects): KnownInstanceTypes => {
  const { claims, nodes, pools } = objects
  const of = useInstanceTypesOf(pools)
  const isSeen = of === fromObjects
  const seen = useMemo(() => (isSeen ? fromObjects(objects) : undefined), [isSeen, claims, nodes, pools])
  return useMemo(() => seen ?? of?.(objects) ?? NOT_YET, [of, seen])
}
