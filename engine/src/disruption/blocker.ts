import type { Milliseconds } from '@kerf/apis'
import type { UsdPerHour } from '../instance-type.ts'
import type { Reason } from '../reason.ts'
import type { DisruptionReason } from './reason.ts'

/** `namespace/name`. */
type ObjectName = string

/** A pod that would have no place. */
export interface UnplacedPod {
  readonly pod: ObjectName
  /** In words, for events. */
  readonly why: string
  /** The same as data. */
  readonly reasons?: readonly Reason[]
  /** `why`, where it is not the engine's: the pod would have a place on a node that may never come. Names no pod. */
  readonly waitsFor?: string
}

/** What keeps any method from taking a node (`docs/spec/disruption.md#candidates`). */
export type CandidateBlocker =
  | { readonly code: 'command.queued' }
  | { readonly code: 'node.unmanaged' }
  | { readonly code: 'claim.no-node' }
  | { readonly code: 'node.uninitialized' }
  | { readonly code: 'node.deleting' }
  /** `pod`: what waits for it, when that is known. */
  | { readonly code: 'node.nominated'; readonly until: Milliseconds; readonly pod?: string }
  | { readonly code: 'node.do-not-disrupt' }
  | { readonly code: 'node.no-pool-label' }
  | { readonly code: 'pool.not-found'; readonly pool: string }
  | { readonly code: 'pod.do-not-disrupt'; readonly pod: ObjectName; readonly until?: Milliseconds }
  | { readonly code: 'pdb.blocks'; readonly pod: ObjectName; readonly budget: ObjectName }
  | { readonly code: 'pdb.several'; readonly pod: ObjectName; readonly budgets: readonly ObjectName[] }

/** What keeps one method from taking a candidate (3.3). */
export type EligibilityBlocker =
  | { readonly code: 'pool.static'; readonly pool: string }
  | { readonly code: 'pool.dynamic'; readonly pool: string }
  | { readonly code: 'node.not-drifted' }
  | { readonly code: 'node.not-empty'; readonly pods: number }
  | { readonly code: 'node.empty' }
  | { readonly code: 'node.not-consolidatable'; readonly until?: Milliseconds }
  | { readonly code: 'node.buffer-pods'; readonly node: string }
  | { readonly code: 'pool.consolidation-off'; readonly pool: string }
  | { readonly code: 'pool.only-when-empty'; readonly pool: string }
  | { readonly code: 'type.unknown'; readonly type: string }
  | { readonly code: 'label.missing'; readonly label: string }

/** What keeps a move from being made although the node may be taken (3.4, 3.7). */
export type MoveBlocker =
  | {
      readonly code: 'budget.exhausted'
      readonly pool: string
      readonly reason: DisruptionReason
      readonly allowed: number
      readonly disrupting: number
      /** Places in the pool's list of those that each allow no more. */
      readonly budgets: readonly number[]
      /** When schedules alone make it allow more. */
      readonly opensAt?: Milliseconds
      readonly error?: string
    }
  | { readonly code: 'pools.none' }
  | {
      readonly code: 'pods.unschedulable'
      readonly pods: readonly UnplacedPod[]
    }
  | { readonly code: 'replacements.too-many'; readonly count: number }
  | { readonly code: 'replacements.uncertain'; readonly type: string }
  | { readonly code: 'price.not-cheaper'; readonly price: UsdPerHour; readonly closest?: UsdPerHour }
  | {
      readonly code: 'min-values.unmet'
      readonly keys: readonly { readonly key: string; readonly count: number }[]
      readonly types: number
    }
  | { readonly code: 'spot.disabled' }
  | { readonly code: 'spot.too-few-types'; readonly types: number; readonly needed: number }
  /** Earlier moves among the pools were undone: the price is back where it was. */
  | { readonly code: 'moves.undone'; readonly pools: readonly string[]; readonly until: Milliseconds }
  | { readonly code: 'score.too-low'; readonly pool: string; readonly score: number; readonly threshold: number }

/** What the end of a node that was deleted waits for (2.2), beside the pods that must not be evicted. */
export type TerminationBlocker =
  | { readonly code: 'deadline.unreadable'; readonly problem: string }
  | { readonly code: 'pods.leaving'; readonly pods: readonly ObjectName[] }
  | { readonly code: 'volumes.attached' }
  | { readonly code: 'instance.ending' }
  | {
      readonly code: 'finalizers.foreign'
      readonly kind: 'Node' | 'NodeClaim'
      readonly name: string
      readonly finalizers: readonly string[]
    }

/** Why a node is not being disrupted, or what its termination waits for, as data. */
export type Blocker = CandidateBlocker | EligibilityBlocker | MoveBlocker | TerminationBlocker

/** How many pods a sentence names. */
const NAMED_PODS = 5

/**
 * A blocker in words: the texts of upstream's events where it has one, so that what people search for is found
 * (`docs/spec/disruption.md#candidates`, `docs/spec/disruption.md#eligibility`,
 * `docs/spec/disruption.md#consolidation`). Begins with a small letter where events capitalise it.
 */
export const blockerSentence = (blocker: Blocker): string => {
  switch (blocker.code) {
    case 'command.queued':
      return 'node is being disrupted'
    case 'node.unmanaged':
      return "node isn't managed by karpenter"
    case 'claim.no-node':
      return 'nodeclaim does not have an associated node'
    case 'node.uninitialized':
      return "node isn't initialized"
    case 'node.deleting':
      return 'node is deleting or marked for deletion'
    case 'node.nominated':
      return 'node is nominated for a pending pod'
    case 'node.do-not-disrupt':
      return 'disruption is blocked through the "karpenter.sh/do-not-disrupt" annotation'
    case 'node.no-pool-label':
      return `node doesn't have required label (label=karpenter.sh/nodepool)`
    case 'pool.not-found':
      return `NodePool not found (NodePool=${blocker.pool})`
    case 'pod.do-not-disrupt':
      return `pod has "karpenter.sh/do-not-disrupt" annotation (Pod=${blocker.pod})`
    case 'pdb.blocks':
      return `pdb prevents pod evictions (PodDisruptionBudget=[${blocker.budget}])`
    case 'pdb.several':
      return `eviction does not support multiple PDBs (PodDisruptionBudget(s)=[${blocker.budgets.join(' ')}])`
    case 'pool.static':
      return `NodePool "${blocker.pool}" is static`
    case 'pool.dynamic':
      return `NodePool "${blocker.pool}" is not static`
    case 'node.not-drifted':
      return 'node is not drifted'
    case 'node.not-empty':
      return `node has ${blocker.pods} ${blocker.pods === 1 ? 'pod' : 'pods'} that would have to move`
    case 'node.empty':
      return 'node is empty'
    case 'node.not-consolidatable':
      return 'pods came or went too recently for consolidation'
    case 'node.buffer-pods':
      return `Node "${blocker.node}" has buffer pods`
    case 'pool.consolidation-off':
      return `NodePool "${blocker.pool}" has consolidation disabled`
    case 'pool.only-when-empty':
      return `NodePool "${blocker.pool}" has consolidation policy WhenEmpty, but node is not empty`
    case 'type.unknown':
      return `Instance Type "${blocker.type}" not found`
    case 'label.missing':
      return `Node does not have label "${blocker.label}"`
    case 'budget.exhausted':
      return blocker.error !== undefined
        ? `budgets of NodePool "${blocker.pool}" cannot be read: ${blocker.error}`
        : `budget of NodePool "${blocker.pool}" allows ${blocker.allowed} for ${blocker.reason}, and ${blocker.disrupting} are disrupted or not ready`
    case 'pools.none':
      return 'no NodePool can launch nodes'
    case 'pods.unschedulable':
      return `not all pods would schedule, ${podList(blocker.pods)}`
    case 'replacements.too-many':
      return `Can't remove without creating ${blocker.count} candidates`
    case 'replacements.uncertain':
      return `Can't be sure that its pods fit on a new ${blocker.type} and in the gaps of other nodes`
    case 'price.not-cheaper':
      return "Can't replace with a cheaper node"
    case 'min-values.unmet':
      return `Filtering by price: minValues requirement is not met for label(s) (label(s)=[${blocker.keys.map(({ key }) => key).join(' ')}])`
    case 'spot.disabled':
      return "SpotToSpotConsolidation is disabled, can't replace a spot node with a spot node"
    case 'spot.too-few-types':
      return `SpotToSpotConsolidation requires ${blocker.needed} cheaper instance type options than the current candidate to consolidate, got ${blocker.types}`
    case 'moves.undone':
      return `what moves in NodePool(s) [${blocker.pools.join(' ')}] saved was spent again at the same demand and prices`
    case 'score.too-low':
      return `saves too little for the pods it disturbs (score ${blocker.score.toFixed(2)} < threshold ${blocker.threshold.toFixed(2)})`
    case 'deadline.unreadable':
      return blocker.problem
    case 'pods.leaving':
      return `pods are on their way out: ${namesOf(blocker.pods)}`
    case 'volumes.attached':
      return 'volumes are still attached to the node'
    case 'instance.ending':
      return 'the instance is terminating'
    case 'finalizers.foreign':
      return `finalizer(s) of others hold ${blocker.kind} ${blocker.name} (finalizer(s)=[${blocker.finalizers.join(' ')}])`
  }
}

const namesOf = (names: readonly string[]): string => {
  const more = names.length - NAMED_PODS
  return `${names.slice(0, NAMED_PODS).join(', ')}${more > 0 ? ` and ${more} other(s)` : ''}`
}

const podList = (pods: readonly { readonly pod: ObjectName; readonly why: string }[]): string => {
  const more = pods.length - NAMED_PODS
  const shown = pods.slice(0, NAMED_PODS).map(({ pod, why }) => `${pod} => ${why}`)
  return `${shown.join('  ')}${more > 0 ? ` and ${more} other(s)` : ''}`
}

const at = (time: Milliseconds): string => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z')

const budgetRemedy = ({
  pool,
  allowed,
  budgets,
  opensAt,
  error,
}: Extract<Blocker, { code: 'budget.exhausted' }>): string => {
  const places = budgets.map((index) => `spec.disruption.budgets[${index}]`)
  const place = `${places.length === 0 ? 'spec.disruption.budgets' : places.join(' and ')} of NodePool ${pool}`
  if (error !== undefined) return `correct ${place}`
  const ways = [
    ...(allowed > 0 ? ['wait for the others'] : []),
    ...(opensAt === undefined ? [] : [`wait until ${at(opensAt)}`]),
    `raise ${place}`,
  ]
  return ways.join(', or ')
}

/** What would take the blocker away, as advice; nothing when time or Kerf does it by itself. */
export const remedyOf = (blocker: Blocker): string | undefined => {
  switch (blocker.code) {
    case 'command.queued':
    case 'claim.no-node':
    case 'node.deleting':
    case 'node.empty':
    case 'node.not-drifted':
    case 'pool.dynamic':
      return undefined
    case 'node.unmanaged':
      return 'Kerf only disrupts nodes that it launched'
    case 'node.uninitialized':
      return 'look at condition Initialized of its NodeClaim'
    case 'node.nominated':
      return blocker.pod === undefined
        ? `wait until ${at(blocker.until)}`
        : `wait until pod ${blocker.pod} is bound, or its nomination is given back`
    case 'node.do-not-disrupt':
      return 'remove annotation karpenter.sh/do-not-disrupt from the node'
    case 'node.no-pool-label':
      return 'put label karpenter.sh/nodepool back on the node'
    case 'pool.not-found':
      return `create NodePool ${blocker.pool}, or see that its NodeClass offers instance types`
    case 'pod.do-not-disrupt':
      return blocker.until === undefined
        ? `remove annotation karpenter.sh/do-not-disrupt from pod ${blocker.pod}`
        : `wait until ${at(blocker.until)}, or remove annotation karpenter.sh/do-not-disrupt from pod ${blocker.pod}`
    case 'pdb.blocks':
      return `let PodDisruptionBudget ${blocker.budget} allow a disruption: more healthy replicas, or a higher maxUnavailable`
    case 'pdb.several':
      return `leave pod ${blocker.pod} to one PodDisruptionBudget`
    case 'pool.static':
      return 'static pools are scaled by spec.replicas'
    case 'node.not-empty':
      return 'wait until its pods are gone'
    case 'node.not-consolidatable':
      return blocker.until === undefined ? 'wait for consolidateAfter' : `wait until ${at(blocker.until)}`
    case 'node.buffer-pods':
      return 'lower the CapacityBuffer'
    case 'pool.consolidation-off':
      return `set spec.disruption.consolidateAfter of NodePool ${blocker.pool} to a duration`
    case 'pool.only-when-empty':
      return `set spec.disruption.consolidationPolicy of NodePool ${blocker.pool} to WhenEmptyOrUnderutilized`
    case 'type.unknown':
      return `have the NodePool offer ${blocker.type} again`
    case 'label.missing':
      return `put label ${blocker.label} back on the node`
    case 'budget.exhausted':
      return budgetRemedy(blocker)
    case 'pools.none':
      return 'see that a NodePool is Ready'
    case 'pods.unschedulable':
      return 'free capacity for these pods on other nodes, or loosen what they require'
    case 'replacements.too-many':
      return 'nothing: its pods need more than one other node'
    case 'replacements.uncertain':
      return 'nothing: kube-scheduler fills the emptiest node first, and would leave a pod pending'
    case 'price.not-cheaper':
      return blocker.closest === undefined
        ? 'a cheaper offering that its pods can use'
        : `an offering below $${blocker.price.toFixed(4)} an hour; the closest costs $${blocker.closest.toFixed(4)}`
    case 'min-values.unmet':
      return `lower minValues of ${blocker.keys.map(({ key, count }) => `${key} to ${count}`).join(', ')}`
    case 'spot.disabled':
      return 'turn feature gate SpotToSpotConsolidation on'
    case 'spot.too-few-types':
      return `allow at least ${blocker.needed} cheaper instance types`
    case 'moves.undone':
      return `wait until ${at(blocker.until)}; a change of demand or prices ends the wait`
    case 'score.too-low':
      return 'a bigger saving, fewer pods, or consolidationPolicy WhenEmptyOrUnderutilized'
    case 'deadline.unreadable':
      return 'correct or remove the annotation'
    case 'pods.leaving':
    case 'instance.ending':
      return undefined
    case 'volumes.attached':
      return 'see its VolumeAttachments: kubectl get volumeattachments'
    case 'finalizers.foreign':
      return `whoever set the finalizer has to take it off ${blocker.kind} ${blocker.name}`
  }
}
