import { ApiProxy, K8s } from '@kinvolk/headlamp-plugin/lib'
import { FollowedList, type ListSource } from '../model/followed-list.ts'
import { joinLists, type LiveList } from '../model/live-lists.ts'
import { listAt, textAt } from '../model/read.ts'
import { browserTimers } from './browser-timers.ts'
import type { KubeObjectClass } from './classes.ts'
import { onRegained } from './discovery.ts'

/**
 * How long a list is watched after its last reader has gone, in milliseconds. The next page often reads the same
 * list.
 */
const LINGER = 5_000

interface Followed {
  readonly list: FollowedList
  readonly readers: Set<() => void>
  timer: unknown
}

const followed = new Map<string, Followed>()

const clusterSource = (cluster: string, path: string): ListSource => ({
  list: async () => {
    const answer: unknown = await ApiProxy.clusterRequest(path, { cluster, autoLogoutOnAuthError: false })
    const kind = (textAt(answer, 'kind') ?? '').replace(/List$/, '')
    const apiVersion = textAt(answer, 'apiVersion') ?? ''
    // A list contains the kind and the version of its objects only once, so they are added to each object.
    const items = listAt(answer, 'items').map((item) => ({ kind, apiVersion, ...(item as object) }))
    return { items, version: textAt(answer, 'metadata', 'resourceVersion') ?? '' }
  },
  watch: (version, onEvent, over) => {
    let isEnded = false
    const query = `watch=1&allowWatchBookmarks=true&resourceVersion=${encodeURIComponent(version)}`
    const stream = ApiProxy.stream(
      `${path}?${query}`,
      (event: unknown) => (isEnded ? stream.cancel() : onEvent(event)),
      {
        ...{ cluster, isJson: true, reconnectOnFailure: false },
        failCb: () => !isEnded && over(),
      },
    )
    return () => {
      isEnded = true
      stream.cancel()
      // `cancel` has no effect on a connection that is still being opened, so it is called again later.
      setTimeout(stream.cancel, 1_000)
    }
  },
})

const pathOf = ({ apiVersion, apiName }: KubeObjectClass, namespace: string | undefined): string => {
  const version = String(apiVersion)
  const scope = namespace === undefined ? '' : `namespaces/${namespace}/`
  return `/${version.includes('/') ? 'apis' : 'api'}/${version}/${scope}${apiName}`
}

// A connection that broke without an error would otherwise stay silent for minutes.
onRegained((cluster) => {
  for (const [key, { list }] of followed) if (key.startsWith(`${cluster} `)) list.refresh()
})

/** Starts watching a list, or adds a reader to the existing watch. */
const join = (cluster: string, path: string, reader: () => void): Followed => {
  const key = `${cluster} ${path}`
  const known = followed.get(key)
  if (known !== undefined) {
    browserTimers.clear(known.timer)
    known.readers.add(reader)
    return known
  }
  const readers = new Set([reader])
  const tell = (): void => {
    for (const each of readers) each()
  }
  const made = { list: new FollowedList(clusterSource(cluster, path), tell, browserTimers), readers, timer: undefined }
  followed.set(key, made)
  return made
}

const leave = (cluster: string, path: string, reader: () => void): void => {
  const key = `${cluster} ${path}`
  const known = followed.get(key)
  known?.readers.delete(reader)
  if (known === undefined || known.readers.size > 0) return
  known.timer = browserTimers.set(() => {
    known.list.stop()
    followed.delete(key)
  }, LINGER)
}

/**
 * Watches all objects of a resource kind in these clusters. If namespaces are set for a cluster in Headlamp's settings, watches only those.
 * Calls `changed` with a function that returns the current list. Returns a function that stops watching. Headlamp's own `useList` is not
 * used, because it compares all objects on each event and does not watch again after the API server has ended a watch.
 */
export const follow = (
  kind: KubeObjectClass,
  clusters: readonly string[],
  changed: (read: () => LiveList) => void,
): (() => void) => {
  const places = clusters.flatMap((cluster) => {
    const namespaces = kind.isNamespaced ? K8s.cluster.getAllowedNamespaces(cluster) : []
    return (namespaces.length > 0 ? namespaces : [undefined]).map((namespace) => ({
      ...{ cluster, namespace },
      path: pathOf(kind, namespace),
    }))
  })
  const areAll = places.every(({ namespace }) => namespace === undefined)
  const read = (): LiveList => {
    const lists = parts.map(({ list }) => list.now)
    const [only] = lists
    return only !== undefined && lists.length === 1 && areAll ? only : joinLists(lists, areAll)
  }
  const reader = (): void => changed(read)
  const parts = places.map(({ cluster, path }) => join(cluster, path, reader))
  reader()
  return () => {
    for (const { cluster, path } of places) leave(cluster, path, reader)
  }
}
