import { ApiProxy, K8s } from '@kinvolk/headlamp-plugin/lib'
import { useEffect, useState } from 'react'
import { listAt } from '../model/read.ts'
import { type ServedKind, servedNodeClasses } from '../model/served-kinds.ts'
import { useDiscovery } from './discovery.ts'

/** A node class of any provider, and the kind under which it is served. */
export interface ServedClass {
  readonly served: ServedKind
  readonly object: unknown
}

const EVERY = 15_000

const listOf = async (cluster: string, served: ServedKind): Promise<readonly ServedClass[]> => {
  const { group, version, plural } = served
  const answer: unknown = await ApiProxy.clusterRequest(`/apis/${group}/${version}/${plural}`, {
    cluster,
    autoLogoutOnAuthError: false,
  }).catch(() => undefined)
  return listAt(answer, 'items').map((object) => ({ served, object }))
}

/**
 * Returns the node classes of every provider that the cluster serves. There are few of them, so they are read again every 15 seconds
 * instead of watched.
 */
export const useNodeClasses = (): readonly ServedClass[] | undefined => {
  const cluster = K8s.useCluster() ?? ''
  const discovery = useDiscovery()
  const [classes, setClasses] = useState<readonly ServedClass[]>()
  useEffect(() => {
    if (discovery.state !== 'present') return undefined
    let isOver = false
    const read = async (): Promise<void> => {
      const found = await Promise.all(servedNodeClasses(discovery).map((served) => listOf(cluster, served)))
      if (!isOver) setClasses(found.flat())
    }
    const timer = setInterval(() => void read(), EVERY)
    void read()
    return () => {
      isOver = true
      clearInterval(timer)
    }
  }, [cluster, discovery])
  return classes
}
