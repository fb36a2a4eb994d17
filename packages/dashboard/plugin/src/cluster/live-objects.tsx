import { InvariantError } from '@kerf/apis'
import { K8s } from '@kinvolk/headlamp-plugin/lib'
import {
  createContext,
  memo,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { CalmLists } from '../model/calm-lists.ts'
import type { ClusterObjects } from '../model/cluster-snapshot.ts'
import {
  isSettled,
  type Lists,
  type LiveList,
  LiveLists,
  type LiveSnapshot,
  unchangedFor,
} from '../model/live-lists.ts'
import { browserTimers } from './browser-timers.ts'
import { Event, Node, NodeClaim, NodePool, Pod } from './classes.ts'
import { follow } from './follow.ts'

const { DaemonSet, Namespace, PersistentVolume, PersistentVolumeClaim, PodDisruptionBudget, StorageClass } =
  K8s.ResourceClasses

const classes = {
  pools: NodePool,
  claims: NodeClaim,
  nodes: Node,
  pods: Pod,
  daemonSets: DaemonSet,
  namespaces: Namespace,
  persistentVolumeClaims: PersistentVolumeClaim,
  persistentVolumes: PersistentVolume,
  storageClasses: StorageClass,
  events: Event,
  disruptionBudgets: PodDisruptionBudget,
} satisfies Record<keyof ClusterObjects | 'events' | 'disruptionBudgets', unknown>
export type LiveName = keyof typeof classes

/**
 * The minimum time between two computations of a page, in milliseconds. Continuous changes appear within a second. A
 * single change after a pause appears at once.
 */
const EVERY = 800
const CALM_EVERY = 3_000
/**
 * The lists that load first. They are small compared with the list of pods, and most pages are useful with only
 * these.
 */
const FIRST: readonly LiveName[] = ['pools', 'claims']
const Read = createContext<Lists<LiveName> | undefined>(undefined)

/** Follows one list. Renders nothing. */
const Feed = memo(({ name, into }: { readonly name: LiveName; readonly into: LiveLists<LiveName> }) => {
  const clusters = K8s.useSelectedClusters().join()
  useEffect(() => follow(classes[name], clusters.split(','), (read) => into.put(name, read)), [name, into, clusters])
  return null
})

const Feeds = ({ lists }: { readonly lists: LiveLists<LiveName> }) => (
  <>
    {useSyncExternalStore(lists.subscribe, lists.names).map((name) => (
      <Feed key={name} name={name} into={lists} />
    ))}
  </>
)

/**
 * Provides the lists that its children read, and loads no other lists. The lists in `first` load before the others,
 * because the page is already useful with them.
 */
export const LiveObjects = ({
  first = FIRST,
  children,
}: {
  readonly first?: readonly LiveName[] | undefined
  readonly children: ReactNode
}) => {
  const outer = useContext(Read)
  const [own] = useState(() => (outer === undefined ? new LiveLists<LiveName>(EVERY, browserTimers, first) : undefined))
  return (
    <Read.Provider value={outer ?? own}>
      {own !== undefined && <Feeds lists={own} />}
      {children}
    </Read.Provider>
  )
}

/**
 * Provides the lists of the surrounding `LiveObjects`, but updates them less often. For children that are not urgent.
 */
export const CalmObjects = ({ children }: { readonly children: ReactNode }) => {
  const outer = useContext(Read)
  const calm = useMemo(() => outer && new CalmLists(outer, CALM_EVERY, browserTimers), [outer])
  return <Read.Provider value={calm}>{children}</Read.Provider>
}

/**
 * Returns live lists of the cluster as one snapshot (see `LiveLists`). Returns the same object until one of these
 * lists changes.
 *
 * @throws InvariantError outside of `LiveObjects`.
 */
export const useLive = (names: readonly LiveName[]): LiveSnapshot<LiveName> => {
  const lists = useContext(Read)
  if (lists === undefined) throw new InvariantError('LiveObjects has to be around what reads live lists')
  useEffect(() => lists.want(names), [lists, names.join()])
  const seen = useRef<LiveSnapshot<LiveName>>()
  return useSyncExternalStore(lists.subscribe, () => {
    seen.current = unchangedFor(seen.current, lists.snapshot(), names)
    return seen.current
  })
}

const NOTHING: LiveList = { items: null }
/** Returns the objects of a list in the snapshot. Returns the same array while the list is unchanged. */
export const liveItems = (snapshot: LiveSnapshot<LiveName>, name: LiveName): readonly unknown[] =>
  (snapshot.get(name) ?? NOTHING).items ?? NONE
const NONE: readonly unknown[] = []

/** Returns whether the list is known. */
export const isKnown = (snapshot: LiveSnapshot<LiveName>, name: LiveName): boolean =>
  (snapshot.get(name) ?? NOTHING).items !== null
/** Returns whether the list contains all objects of the resource kind in the cluster. */
export const isWhole = (snapshot: LiveSnapshot<LiveName>, name: LiveName): boolean =>
  isKnown(snapshot, name) && snapshot.get(name)?.isPart !== true
/** Returns whether loading has ended: the list is known, or it failed with an error. */
export const isLoaded = (snapshot: LiveSnapshot<LiveName>, name: LiveName): boolean =>
  isSettled(snapshot.get(name) ?? NOTHING)
export const liveError = (snapshot: LiveSnapshot<LiveName>, name: LiveName): unknown => snapshot.get(name)?.error
