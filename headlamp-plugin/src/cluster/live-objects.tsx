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
 * How often a page computes anew while its objects change all the time: any change is seen within a second. One after a while without
 * any shows at once.
 */
const EVERY = 800
const CALM_EVERY = 3_000
/** Few and small beside the pods; most pages are of use with them alone. */
const FIRST: readonly LiveName[] = ['pools', 'claims']
const Read = createContext<Lists<LiveName> | undefined>(undefined)

/** Follows one list, and draws nothing. */
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
 * Holds the lists that what is in it reads; a list that nothing in it reads is not loaded. `first` are those that it is of use with
 * already; the others follow.
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

/** What is in it computes with the same lists less often: for what nobody waits for while many objects change. */
export const CalmObjects = ({ children }: { readonly children: ReactNode }) => {
  const outer = useContext(Read)
  const calm = useMemo(() => outer && new CalmLists(outer, CALM_EVERY, browserTimers), [outer])
  return <Read.Provider value={calm}>{children}</Read.Provider>
}

/**
 * Lists of the cluster, live and together: see `LiveLists`. The same object until one of these lists changes.
 *
 * @throws Error outside of `LiveObjects`.
 */
export const useLive = (names: readonly LiveName[]): LiveSnapshot<LiveName> => {
  const lists = useContext(Read)
  if (lists === undefined) throw new Error('LiveObjects has to be around what reads live lists')
  useEffect(() => lists.want(names), [lists, names.join()])
  const seen = useRef<LiveSnapshot<LiveName>>()
  return useSyncExternalStore(lists.subscribe, () => {
    seen.current = unchangedFor(seen.current, lists.snapshot(), names)
    return seen.current
  })
}

const NOTHING: LiveList = { items: null }
/** The objects of a list of the snapshot; the same array as long as the list is the same. */
export const bareOf = (snapshot: LiveSnapshot<LiveName>, name: LiveName): readonly unknown[] =>
  (snapshot.get(name) ?? NOTHING).items ?? NONE
const NONE: readonly unknown[] = []

/** Whether the list itself is there. */
export const isKnown = (snapshot: LiveSnapshot<LiveName>, name: LiveName): boolean =>
  (snapshot.get(name) ?? NOTHING).items !== null
/** Whether all objects of the kind are there, of everybody. */
export const isWhole = (snapshot: LiveSnapshot<LiveName>, name: LiveName): boolean =>
  isKnown(snapshot, name) && snapshot.get(name)?.isPart !== true
/** Whether there is nothing left to wait for: the list is there, or what keeps it from being read. */
export const isLoaded = (snapshot: LiveSnapshot<LiveName>, name: LiveName): boolean =>
  isSettled(snapshot.get(name) ?? NOTHING)
export const errorOf = (snapshot: LiveSnapshot<LiveName>, name: LiveName): unknown => snapshot.get(name)?.error
