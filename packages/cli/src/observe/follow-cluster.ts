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
import { lostLoginLogger } from '../cluster/lost-login.ts'
import { readerRole } from '../cluster/reader-role.ts'
import { READ_IF_ALLOWED } from '../plan/read-live-cluster.ts'
import type { ObservedFacts } from './observed-facts.ts'

const EVENTS = ['Nominated', 'DisruptionTerminating', 'DisruptionLaunching']

/** Returns the ClusterRole of `kerf observe report` as YAML. */
export const observeRole = (): string =>
  readerRole(
    'observe',
    [
      kinds.Pod,
      kinds.Node,
      kinds.Event,
      kinds.ConfigMap,
      karpenterKinds.NodeClaim,
      karpenterKinds.NodePool,
      ...READ_IF_ALLOWED,
    ],
    ['list', 'watch'],
  )

/** The connection and the deps with which the command follows a cluster. */
export interface FollowedCluster {
  readonly client: KubeClient
  readonly clock: Clock
  readonly random: Random
}

/** Returns all current objects of the kind. */
const listAll = async (
  client: KubeClient,
  kind: ResourceKind,
  fieldSelector?: string,
): Promise<readonly KubeObject[]> => {
  const objects: KubeObject[] = []
  let next: string | undefined
  do {
    const page = await client.list(kind, {
      limit: 1_000,
      ...(fieldSelector === undefined ? {} : { fieldSelector }),
      ...(next === undefined ? {} : { continue: next }),
    })
    for (const item of page.items) objects.push({ ...item, apiVersion: groupVersion(kind), kind: kind.kind })
    next = page.metadata.continue === '' ? undefined : page.metadata.continue
  } while (next !== undefined)
  return objects
}

/**
 * Returns the NodePools and their node classes, because instance types and prices depend on them. Kinds that the user is not allowed to
 * read are left out.
 */
export const readPools = async (client: KubeClient): Promise<readonly KubeObject[]> => {
  const lists = await Promise.all(
    [karpenterKinds.NodePool, ...READ_IF_ALLOWED].map((kind) =>
      listAll(client, kind).catch((error: unknown) => {
        if (isNotFound(error) || isForbidden(error)) return []
        throw error
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
    for (const object of await listAll(client, kind, fieldSelector)) facts.take(object)
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
