import type { Blocker } from './blocker.ts'
import { type ByBlockerCode, byBlockerCode } from './by-blocker-code.ts'

/** The maximum number of pods that a sentence names. */
const NAMED_PODS = 5

const namesOf = (names: readonly string[]): string => {
  const more = names.length - NAMED_PODS
  return `${names.slice(0, NAMED_PODS).join(', ')}${more > 0 ? ` and ${more} other(s)` : ''}`
}

const podList = (pods: readonly { readonly pod: string; readonly why: string }[]): string => {
  const more = pods.length - NAMED_PODS
  const shown = pods.slice(0, NAMED_PODS).map(({ pod, why }) => `${pod} => ${why}`)
  return `${shown.join('  ')}${more > 0 ? ` and ${more} other(s)` : ''}`
}

const sentences: ByBlockerCode<string> = {
  'command.queued': () => 'node is being disrupted',
  'node.unmanaged': ({ group, shownBy }) =>
    group === undefined
      ? "node isn't managed by karpenter"
      : `node isn't managed by karpenter: it belongs to node group ${group} of another autoscaler (${shownBy})`,
  'claim.no-node': () => 'nodeclaim does not have an associated node',
  'node.unreadable': () => 'node, nodeclaim or a pod on it cannot be read',
  'node.uninitialized': () => "node isn't initialized",
  'node.deleting': () => 'node is deleting or marked for deletion',
  'node.nominated': () => 'node is nominated for a pending pod',
  'node.do-not-disrupt': () => 'disruption is blocked through the "karpenter.sh/do-not-disrupt" annotation',
  'node.no-pool-label': () => `node doesn't have required label (label=karpenter.sh/nodepool)`,
  'pool.paused': (blocker) => `disruption of NodePool ${blocker.pool} is paused by ${blocker.owner}`,
  'pool.not-found': (blocker) => `NodePool not found (NodePool=${blocker.pool})`,
  'pod.do-not-disrupt': (blocker) => `pod has "karpenter.sh/do-not-disrupt" annotation (Pod=${blocker.pod})`,
  'pdb.blocks': (blocker) => `pdb prevents pod evictions (PodDisruptionBudget=[${blocker.budget}])`,
  'pdb.several': (blocker) =>
    `eviction does not support multiple PDBs (PodDisruptionBudget(s)=[${blocker.budgets.join(' ')}])`,
  'pool.static': (blocker) => `NodePool "${blocker.pool}" is static`,
  'pool.dynamic': (blocker) => `NodePool "${blocker.pool}" is not static`,
  'node.not-drifted': () => 'node is not drifted',
  'node.not-empty': (blocker) =>
    `node has ${blocker.pods} ${blocker.pods === 1 ? 'pod' : 'pods'} that would have to move`,
  'node.empty': () => 'node is empty',
  'node.not-consolidatable': () => 'pods came or went too recently for consolidation',
  'node.buffer-pods': (blocker) => `Node "${blocker.node}" has buffer pods`,
  'pool.consolidation-off': (blocker) => `NodePool "${blocker.pool}" has consolidation disabled`,
  'pool.only-when-empty': (blocker) =>
    `NodePool "${blocker.pool}" has consolidation policy WhenEmpty, but node is not empty`,
  'type.unknown': (blocker) => `Instance Type "${blocker.type}" not found`,
  'price.unknown': (blocker) =>
    `nobody knows the price of Instance Type "${blocker.type}", so only empty nodes are removed`,
  'label.missing': (blocker) => `Node does not have label "${blocker.label}"`,
  'budget.exhausted': (blocker) =>
    blocker.error !== undefined
      ? `budgets of NodePool "${blocker.pool}" cannot be read: ${blocker.error}`
      : `budget of NodePool "${blocker.pool}" allows ${blocker.allowed} for ${blocker.reason}, and ${blocker.disrupting} are disrupted or not ready`,
  'pools.none': () => 'no NodePool can launch nodes',
  'pods.unschedulable': (blocker) => `not all pods would schedule, ${podList(blocker.pods)}`,
  'replacements.too-many': (blocker) => `Can't remove without creating ${blocker.count} candidates`,
  'replacements.uncertain': (blocker) =>
    `Can't be sure that its pods fit on a new ${blocker.type} and in the gaps of other nodes`,
  'price.not-cheaper': () => "Can't replace with a cheaper node",
  'min-values.unmet': (blocker) =>
    `Filtering by price: minValues requirement is not met for label(s) (label(s)=[${blocker.keys.map(({ key }) => key).join(' ')}])`,
  'spot.disabled': () => "SpotToSpotConsolidation is disabled, can't replace a spot node with a spot node",
  'spot.too-few-types': (blocker) =>
    `SpotToSpotConsolidation requires ${blocker.needed} cheaper instance type options than the current candidate to consolidate, got ${blocker.types}`,
  'moves.undone': (blocker) =>
    `what moves in NodePool(s) [${blocker.pools.join(' ')}] saved was spent again at the same demand and prices`,
  'score.too-low': (blocker) =>
    `saves too little for the pods it disturbs (score ${blocker.score.toFixed(2)} < threshold ${blocker.threshold.toFixed(2)})`,
  'deadline.unreadable': (blocker) => blocker.problem,
  'pods.leaving': (blocker) => `pods are on their way out: ${namesOf(blocker.pods)}`,
  'volumes.attached': () => 'volumes are still attached to the node',
  'instance.ending': () => 'the instance is terminating',
  'finalizers.foreign': (blocker) =>
    `finalizer(s) of others hold ${blocker.kind} ${blocker.name} (finalizer(s)=[${blocker.finalizers.join(' ')}])`,
}

/**
 * Returns the text of a blocker. It is the text of Karpenter's event if there is one, so that users can search for it
 * (`docs/spec/disruption.md#candidates`, `docs/spec/disruption.md#eligibility`, `docs/spec/disruption.md#consolidation`). The
 * text starts with a small letter; events capitalise it.
 */
export const blockerSentence = (blocker: Blocker): string => byBlockerCode(sentences, blocker)
