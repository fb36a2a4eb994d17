import { ApiProxy, K8s } from '@kinvolk/headlamp-plugin/lib'
import { useEffect, useSyncExternalStore } from 'react'
import { DiscoveryWatch, LONGEST_REQUEST } from '../model/discovery-watch.ts'
import { at } from '../model/read.ts'
import { discover, type Discovery, NOT_DISCOVERED } from '../model/served-kinds.ts'
import { browserTimers } from './browser-timers.ts'

const watches = new Map<string, DiscoveryWatch>()
const listeners = new Set<() => void>()
const regained = new Set<(cluster: string) => void>()

const watchOf = (cluster: string): DiscoveryWatch => {
  const known = watches.get(cluster)
  if (known !== undefined) return known
  const get = (path: string, headers = {}): Promise<unknown> =>
    ApiProxy.clusterRequest(path, { cluster, autoLogoutOnAuthError: false, headers, timeout: LONGEST_REQUEST })
  const made = new DiscoveryWatch({
    ask: () => discover(get),
    now: Date.now,
    changed: () => {
      for (const listener of listeners) listener()
    },
    regained: () => {
      for (const listener of regained) listener(cluster)
    },
  })
  watches.set(cluster, made)
  return made
}

/** Calls the listener when an API server that was unreachable responds again. */
export const onRegained = (listener: (cluster: string) => void): (() => void) => {
  regained.add(listener)
  return () => regained.delete(listener)
}

export const onDiscovery = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns the last known result for the cluster, and sends a new request in the background. */
export const clusterDiscovery = (cluster: string): Discovery => {
  const watch = watchOf(cluster)
  watch.refresh()
  return watch.found
}

/** Returns the clusters in which NodePools are known to be served. */
export const presentClusters = (): readonly string[] =>
  [...watches].filter(([, { found }]) => found.state === 'present').map(([cluster]) => cluster)

/** Returns the result of discovery for the current cluster. */
export const useDiscovery = (): Discovery => {
  const cluster = K8s.useCluster() ?? ''
  useEffect(
    () => (cluster === '' ? undefined : watchOf(cluster).follow(browserTimers, () => document.hidden)),
    [cluster],
  )
  return useSyncExternalStore(onDiscovery, () => watches.get(cluster)?.found ?? NOT_DISCOVERED)
}

/**
 * Returns the time since which the current cluster's API server has not responded, or undefined if it responds. All
 * figures on the page are as old as that time.
 */
export const useStaleSince = (): number | undefined => {
  const cluster = K8s.useCluster() ?? ''
  return useSyncExternalStore(onDiscovery, () => watches.get(cluster)?.staleSince)
}

/** Returns whether the API server refused a list because the user has no permission. */
export const isForbidden = (error: unknown): boolean => at(error, 'status') === 403
