import { groupVersion, type KubeObject, karpenterKinds, kinds, type Milliseconds, type ResourceKind } from '@kerf/apis'
import { DECISIONS_CONFIG_MAP } from '@kerf/controllers'
import {
  type ApiError,
  type Clock,
  isForbidden,
  isNotFound,
  type KubeClient,
  type Random,
  SharedInformers,
  sleep,
} from '@kerf/runtime'
import { listAll } from '../cluster/list-all.ts'
import { lostLoginLogger } from '../cluster/lost-login.ts'
import { readerRole } from '../cluster/reader-role.ts'
import { priceKinds } from '../plan/read-live-cluster.ts'
import type { ObservedFacts } from './observed-facts.ts'

const EVENTS = ['Nominated', 'DisruptionTerminating', 'DisruptionLaunching']

/** Returns the ClusterRole of `kerf observe report` as YAML. */
export const observeRole = (): string =>
  readerRole(
    'observe',
    [kinds.Pod, kinds.Node, kinds.Event, kinds.ConfigMap, karpenterKinds.NodeClaim, ...priceKinds],
    ['list', 'watch'],
  )

/** The connection and the deps with which the command follows a cluster. */
export interface FollowedCluster {
  readonly client: KubeClient
  readonly clock: Clock
  readonly random: Random
}

/**
 * Returns the objects that instance types and prices depend on: NodePools, node classes, NodeOverlays and policies. Leaves out the kinds that
 * the user is not allowed to list, and calls `onForbidden` for each.
 */
export const readPriceObjects = async (
  client: KubeClient,
  onForbidden: (kind: ResourceKind) => void,
): Promise<readonly KubeObject[]> => {
  const lists = await Promise.all(
    priceKinds.map((kind) =>
      listAll(client, kind).catch((error: unknown) => {
        if (isForbidden(error)) onForbidden(kind)
        else if (!isNotFound(error)) throw error
        return []
      }),
    ),
  )
  return lists.flat()
}

/**
 * Reads the current objects. Changes nothing. Facts about deleted pods are missing, and by default the API server keeps Events for only one
 * hour.
 */
export const readNow = async ({ client }: Pick<FollowedCluster, 'client'>, facts: ObservedFacts): Promise<void> => {
  const selected: readonly (readonly [ResourceKind, string?])[] = [
    [kinds.Pod],
    [kinds.Node],
    [karpenterKinds.NodeClaim],
    ...EVENTS.map((reason) => [kinds.Event, `reason=${reason}`] as const),
    [kinds.ConfigMap, `metadata.name=${DECISIONS_CONFIG_MAP}`],
  ]
  for (const [kind, fieldSelector] of selected)
    for (const object of await listAll(client, kind, fieldSelector === undefined ? {} : { fieldSelector }))
      facts.take(object)
}

/**
 * Follows the cluster for the given time or until the signal is aborted, so that short-lived pods and nodes are seen. Changes nothing.
 * @throws ApiError if the API server refuses the credentials
 */
export const followCluster = async (
  { client, clock, random }: FollowedCluster,
  facts: ObservedFacts,
  duration: Milliseconds,
  signal: AbortSignal,
): Promise<void> => {
  const stop = new AbortController()
  let lost: ApiError | undefined
  const logger = lostLoginLogger((error) => {
    lost = error
    stop.abort(error)
  })
  const informers = new SharedInformers({ client, clock, random, logger })
  // Cache complete pods, because by default the informer drops the times of conditions.
  informers.configure(kinds.Pod, {})
  informers.configure(kinds.ConfigMap, { fieldSelector: `metadata.name=${DECISIONS_CONFIG_MAP}` })
  const end = (): void => stop.abort()
  signal.addEventListener('abort', end, { once: true })
  for (const kind of [
    kinds.Pod,
    kinds.Node,
    karpenterKinds.NodeClaim,
    kinds.Event,
    kinds.ConfigMap,
  ] as readonly ResourceKind[])
    informers.of(kind).onChange(({ before, after }) => {
      const object = after ?? before
      if (object !== undefined) facts.take({ ...object, apiVersion: groupVersion(kind), kind: kind.kind })
    })
  try {
    informers.start(stop.signal)
    await sleep(clock, duration, stop.signal).catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
    if (lost !== undefined) throw lost
  } finally {
    stop.abort()
    signal.removeEventListener('abort', end)
  }
}
