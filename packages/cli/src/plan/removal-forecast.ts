import { formatTime } from '@kerf/apis'
import { ClusterForecast, type StayingPod } from '@kerf/controllers'
import { blockerSentence, reasonSentence } from '@kerf/engine'
import { CliError } from '@kerf/provider-kit/command-line'
import type { Clock } from '@kerf/runtime'
import { type ObservedCluster, observedDeps } from './observed-cluster.ts'
import { type PlanDocument, planDocument, podName } from './plan-document.ts'
import type { PlanningOptions } from './planning-options.ts'
import { type ClusterCost, costAfter, type PodMove, podMoves } from './pod-moves.ts'

/** A pod that cannot be evicted now. */
export interface HeldPod {
  readonly pod: string
  readonly node: string
  readonly why: string
  /** The node on which the pod would run after an eviction: the name of an existing node, or the number of a new one. */
  readonly to?: string | number
  /** The RFC 3339 time at which the NodeClaim's terminationGracePeriod forces the pod's deletion. */
  readonly forcedAt?: string
}

/** The output of `kerf simulate remove node -o json`. */
export interface RemovalForecast {
  /** Names of the removed nodes. */
  readonly removed: readonly string[]
  /** The moves of the pods of the removed nodes, and of the pending pods. */
  readonly moves: readonly PodMove[]
  readonly newNodes: PlanDocument['nodeClaims']
  /** Pods of the removed nodes that fit nowhere. */
  readonly withoutPlace: readonly { readonly pod: string; readonly node: string; readonly why: string }[]
  /** Pods that cannot be evicted at present. They and their nodes stay until eviction is allowed. */
  readonly held: readonly HeldPod[]
  readonly cost: { readonly before: ClusterCost; readonly after: ClusterCost }
}

const heldPod = (
  node: string,
  { pod, blocker, behind, forcedAt }: StayingPod,
  places: ReadonlyMap<string, string | number>,
): HeldPod => {
  const name = podName(pod)
  const to = places.get(name)
  return {
    pod: name,
    node,
    why: blocker === undefined ? `it is evicted after ${behind} is gone` : blockerSentence(blocker),
    ...(to === undefined ? {} : { to }),
    ...(forcedAt === undefined ? {} : { forcedAt: formatTime(forcedAt) }),
  }
}

/**
 * Forecasts where each pod would run if these nodes were deleted, as the provisioner would decide in its next pass.
 * @throws CliError for a name that is neither a Node nor a NodeClaim of the cluster
 */
export const forecastRemoval = async (
  loaded: ObservedCluster,
  names: readonly string[],
  planning: PlanningOptions,
  clock: Clock,
): Promise<RemovalForecast> => {
  const signal = new AbortController().signal
  const { instanceTypes } = loaded
  const deps = observedDeps(loaded, clock, planning)
  const today = await new ClusterForecast(deps).provisioning(signal)
  const { nodes } = today.snapshot
  const found = names.map((name) => {
    const node = nodes.find((each) => [each.name, each.nodeName, each.nodeClaim].includes(name))
    if (node === undefined)
      throw new CliError(`no Node, and no NodeClaim with an instance, is named ${name}; see: kubectl get nodes`)
    return node
  })
  const leaving = new Set(found.map(({ name }) => name))
  const then = await new ClusterForecast(deps, { leaving }).provisioning(signal)
  const from = new Map(found.flatMap(({ name, pods }) => pods.map((pod) => [podName(pod), name] as const)))
  const planned = planDocument(then.plan, reasonSentence)
  const moves = podMoves(planned, (pod) => from.get(pod))
  const places = new Map(moves.map(({ pod, to }) => [pod, to]))
  const held = [...then.staying].flatMap(([node, pods]) => pods.map((each) => heldPod(node, each, places)))
  const staying = new Set(held.map(({ pod }) => pod))
  return {
    removed: [...leaving],
    moves: moves.filter(({ pod }) => !staying.has(pod)),
    newNodes: planned.nodeClaims,
    withoutPlace: planned.unschedulable.flatMap(({ pod, reason }) => {
      const node = from.get(pod)
      return node === undefined ? [] : [{ pod, node, why: reason }]
    }),
    held,
    cost: {
      before: costAfter(today, instanceTypes, planning.nodeOverheadCost),
      after: costAfter(then, instanceTypes, planning.nodeOverheadCost),
    },
  }
}
