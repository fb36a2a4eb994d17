import { ApiProxy, K8s } from '@kinvolk/headlamp-plugin/lib'
import { useEffect, useSyncExternalStore } from 'react'
import { isOurGroup } from '../model/node-class-kinds.ts'
import { afterRequest, type Contact, isResponse, NO_CONTACT, staleSince } from '../model/reachability.ts'
import { at, listAt, objectName, textAt } from '../model/read.ts'

/** A resource kind that the API server serves. */
export interface ServedKind {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
}

/** The result of discovery for a cluster. `absent` means that the API server responded and serves no NodePools. */
export interface Discovery {
  readonly state: 'asking' | 'present' | 'absent' | 'unknown'
  readonly kinds: readonly ServedKind[]
}

/**
 * The minimum time between two requests, in milliseconds. If a resource kind is installed while a page is open, it appears within five
 * seconds.
 */
const ASK_AGAIN_AFTER = 4_000
const NOTHING: Discovery = { state: 'asking', kinds: [] }
const known = new Map<string, Discovery>()
const asked = new Map<string, number>()
const listeners = new Set<() => void>()
const contacts = new Map<string, Contact>()
const regained = new Set<(cluster: string) => void>()

/**
 * How long a request may take. Because this limit and the time between requests are short, a page detects within ten seconds that its data
 * are old.
 */
const LONGEST_REQUEST = 5_000

/**
 * Requests all groups with their kinds in one response, which is supported since Kubernetes 1.30. An older API server
 * returns only the groups.
 */
const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json'

const ask = async (cluster: string): Promise<Discovery> => {
  const get = (path: string, headers = {}): Promise<unknown> =>
    ApiProxy.clusterRequest(path, { cluster, autoLogoutOnAuthError: false, headers, timeout: LONGEST_REQUEST })
  const answer = await get('/apis', { Accept: AGGREGATED })
  const kinds =
    textAt(answer, 'kind') === 'APIGroupDiscoveryList' ? aggregatedKinds(answer) : await askGroups(answer, get)
  const present = kinds.some(({ group, kind }) => group === 'karpenter.sh' && kind === 'NodePool')
  return { state: present ? 'present' : 'absent', kinds }
}

const aggregatedKinds = (answer: unknown): readonly ServedKind[] =>
  listAt(answer, 'items').flatMap((each) => {
    const group = objectName(each)
    if (!isOurGroup(group)) return []
    return listAt(each, 'versions').flatMap((served) =>
      listAt(served, 'resources').flatMap((resource) => {
        const plural = textAt(resource, 'resource')
        const kind = textAt(resource, 'responseKind', 'kind')
        if (plural === undefined || kind === undefined) return []
        return [{ group, version: textAt(served, 'version') ?? '', kind, plural }]
      }),
    )
  })

const askGroups = async (answer: unknown, get: (path: string) => Promise<unknown>): Promise<readonly ServedKind[]> => {
  const groups = listAt(answer, 'groups').filter((group) => isOurGroup(textAt(group, 'name') ?? ''))
  const kinds = await Promise.all(
    groups.flatMap((group) =>
      listAt(group, 'versions').map(async (each): Promise<readonly ServedKind[]> => {
        const groupVersion = textAt(each, 'groupVersion') ?? ''
        const answer = await get(`/apis/${groupVersion}`).catch(() => undefined)
        return listAt(answer, 'resources').flatMap((resource) => {
          const plural = textAt(resource, 'name')
          const kind = textAt(resource, 'kind')
          if (plural === undefined || kind === undefined || plural.includes('/')) return []
          return [{ group: textAt(group, 'name') ?? '', version: textAt(each, 'version') ?? '', kind, plural }]
        })
      }),
    ),
  )
  return kinds.flat()
}

const publish = (cluster: string, discovery: Discovery): void => {
  if (JSON.stringify(known.get(cluster)) === JSON.stringify(discovery)) return
  known.set(cluster, discovery)
  for (const listener of listeners) listener()
}

/** Records whether the API server responded, and tells the readers if that has changed. */
const record = (cluster: string, isAnswered: boolean): void => {
  const before = contacts.get(cluster) ?? NO_CONTACT
  const now = afterRequest(before, Date.now(), isAnswered)
  contacts.set(cluster, now)
  if (before.isFailing === now.isFailing) return
  if (isAnswered) for (const listener of regained) listener(cluster)
  for (const listener of listeners) listener()
}

/** Calls the listener when an API server responds again after it did not. */
export const onRegained = (listener: (cluster: string) => void): (() => void) => {
  regained.add(listener)
  return () => regained.delete(listener)
}

/** Sends a discovery request to the cluster's API server, unless one was sent recently. */
const refresh = (cluster: string): void => {
  const now = Date.now()
  if (now - (asked.get(cluster) ?? Number.NEGATIVE_INFINITY) < ASK_AGAIN_AFTER / 2) return
  asked.set(cluster, now)
  ask(cluster).then(
    (discovery) => {
      record(cluster, true)
      publish(cluster, discovery)
    },
    (error: unknown) => {
      record(cluster, isResponse(error))
      if (!known.has(cluster)) publish(cluster, { state: 'unknown', kinds: [] })
    },
  )
}

export const onDiscovery = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns what is known so far, and sends a new request in the background. */
export const clusterDiscovery = (cluster: string): Discovery => {
  refresh(cluster)
  return known.get(cluster) ?? NOTHING
}

/** Returns the clusters in which NodePools are known to be served. */
export const presentClusters = (): readonly string[] =>
  [...known].filter(([, { state }]) => state === 'present').map(([cluster]) => cluster)

/** Returns what the current cluster serves. */
export const useDiscovery = (): Discovery => {
  const cluster = K8s.useCluster() ?? ''
  useEffect(() => {
    if (cluster !== '') refresh(cluster)
    // While the page is hidden, no requests are sent.
    const timer = setInterval(() => cluster !== '' && !document.hidden && refresh(cluster), ASK_AGAIN_AFTER)
    return () => clearInterval(timer)
  }, [cluster])
  return useSyncExternalStore(onDiscovery, () => known.get(cluster) ?? NOTHING)
}

/** Returns since when the current cluster's API server has not responded, so that all figures are from that time. */
export const useStaleSince = (): number | undefined => {
  const cluster = K8s.useCluster() ?? ''
  return useSyncExternalStore(onDiscovery, () => staleSince(contacts.get(cluster) ?? NO_CONTACT))
}

/** Returns in which versions a resource kind is served, in the API server's order of preference. */
export const servedKind = ({ kinds }: Discovery, group: string, kind: string): ServedKind | undefined =>
  kinds.find((each) => each.group === group && each.kind === kind)

/** Returns the node class kinds that the cluster serves, each in the API server's preferred version. */
export const servedNodeClasses = ({ kinds }: Discovery): readonly ServedKind[] => {
  const found = new Map<string, ServedKind>()
  for (const served of kinds) {
    const key = `${served.group}/${served.kind}`
    if (served.kind.endsWith('NodeClass') && !found.has(key)) found.set(key, served)
  }
  return [...found.values()]
}

/** Returns whether the API server refused a list because the user has no permission. */
export const isForbidden = (error: unknown): boolean => at(error, 'status') === 403
