import { instanceTypeFromJson, type InstanceTypeJson } from '@kerf/engine'
import { K8s } from '@kinvolk/headlamp-plugin/lib'
import { useEffect, useMemo, useState } from 'react'
import type { Catalogue, ClusterObjects } from '../model/cluster-snapshot.ts'
import { at, fieldsAt, listAt } from '../model/read.ts'
import { seenTypes } from '../model/seen-types.ts'
import { askKerf } from './controller.ts'

/** What the pools may launch, and who says so. */
export interface KnownCatalogue {
  readonly catalogue: Catalogue
  readonly wellKnown: readonly string[]
  readonly from: 'asking' | 'controller' | 'seen'
}

type Told = Omit<KnownCatalogue, 'from'> | 'nothing' | undefined

/** Pools by name; damaged lists make nothing, as if the controller had told nothing. */
const read = (answer: unknown): Told => {
  try {
    const lists = listAt(answer, 'lists').map((list) => (list as readonly InstanceTypeJson[]).map(instanceTypeFromJson))
    if (lists.length === 0) return 'nothing'
    const pools = Object.entries(fieldsAt(answer, 'pools')).map(
      ([name, place]) => [name, lists[Number(place)] ?? []] as const,
    )
    return { catalogue: new Map(pools), wellKnown: (at(answer, 'wellKnownLabels') ?? []) as readonly string[] }
  } catch {
    return 'nothing'
  }
}

/** The controller's catalogue when it is Kerf and can be reached; otherwise the machines that were seen here. */
export const useCatalogue = ({ claims, nodes, pools }: ClusterObjects): KnownCatalogue => {
  const cluster = K8s.useCluster() ?? ''
  const [told, setTold] = useState<Told>()
  // Asked again when pools come or go: each has a catalogue of its own.
  const names = pools.map((pool) => String(at(pool, 'metadata', 'uid') ?? '')).join()
  useEffect(() => {
    let isOver = false
    void askKerf(cluster, '/kerf/v1/instance-types', '/kerf/v1/catalogue').then((answer) => {
      if (!isOver) setTold(read(answer))
    })
    return () => {
      isOver = true
    }
  }, [cluster, names])
  const seen = useMemo(
    () => (told === 'nothing' ? seenTypes(claims, nodes, pools) : undefined),
    [told, claims, nodes, pools],
  )
  return useMemo((): KnownCatalogue => {
    if (told === undefined) return { catalogue: new Map(), wellKnown: [], from: 'asking' }
    if (told !== 'nothing') return { ...told, from: 'controller' }
    const wellKnown = [
      ...new Set(
        [...(seen?.values() ?? [])].flatMap((types) =>
          types.flatMap((type) => type.requirements.map(({ key }) => key)),
        ),
      ),
    ]
    return { catalogue: seen ?? new Map(), wellKnown, from: 'seen' }
  }, [told, seen])
}
