import { annotations, formatTime, type Milliseconds, type UsdPerHour } from '@kerf/apis'
import { budgetRemedy, type ExhaustedBudget, type ObjectName, podList, type UnplacedPod } from './blocker-details.ts'
import { row } from './blocker-row.ts'
import { terminationBlockers } from './termination-blockers.ts'

// To add a blocker, add a row to a table in this file or in `termination-blockers.ts`. Its type, the reference page, `kerf explain node`,
// Events and the dashboard use this row. Its translations are in `packages/dashboard/plugin/src/locales/*/reasons.json`. If the blocker
// concerns a single node, the row also contains the rule that decides when it applies (`appliesTo`).

/** Reasons why no disruption method may disrupt a node (`docs/spec/disruption.md#candidates`). */
export const candidateBlockers = {
  'command.queued': row({
    when: 'The node is being disrupted already.',
    next: 'Nothing.',
    sentence: () => 'node is being disrupted',
    remedy: () => undefined,
    names: 'none',
    isShownElsewhere: true,
  }),
  /** `group` is the other autoscaler's node group. It is set if a label or annotation of the node contains the group's name. */
  'node.unmanaged': row<{ readonly group?: string; readonly shownBy?: string }>({
    when: 'Kerf did not launch the node.',
    next: 'Nothing: Kerf disrupts only nodes that it launched.',
    sentence: ({ group, shownBy }) =>
      group === undefined
        ? "node isn't managed by karpenter"
        : `node isn't managed by karpenter: it belongs to node group ${group} of another autoscaler (${shownBy})`,
    remedy: ({ group }) =>
      group === undefined
        ? 'Kerf only disrupts nodes that it launched'
        : `Kerf only disrupts nodes that it launched; the autoscaler of node group ${group} removes this one`,
    names: 'none',
    isShownElsewhere: true,
  }),
  'claim.no-node': row({
    when: 'The NodeClaim has no Node yet.',
    next: 'Wait until the node has joined the cluster.',
    sentence: () => 'nodeclaim does not have an associated node',
    remedy: () => undefined,
    names: 'none',
    isShownElsewhere: true,
  }),
  'node.uninitialized': row({
    when: 'The node is not initialized.',
    next: 'Look at the Initialized condition of its NodeClaim.',
    sentence: () => "node isn't initialized",
    remedy: () => 'look at the Initialized condition of its NodeClaim',
    names: 'none',
    isTransient: () => true,
  }),
  /** The controller could not read the node, its claim, or a pod on it. */
  'node.unreadable': row({
    when: 'The node, its NodeClaim, or a pod on it cannot be read. Kerf’s log names the object and the error.',
    next: 'Correct the object that the log names, or report the error as a bug.',
    sentence: () => 'node, nodeclaim or a pod on it cannot be read',
    remedy: () => 'look in the log of Kerf for the object and the error',
    names: 'none',
  }),
  'node.deleting': row({
    when: 'The node is terminating.',
    next: 'Nothing.',
    sentence: () => 'node is deleting or marked for deletion',
    remedy: () => undefined,
    names: 'none',
    isShownElsewhere: true,
  }),
  /** `pod` is the pod that the node is reserved for, if known. */
  'node.nominated': row<{ readonly until: Milliseconds; readonly pod?: string }>({
    when: 'A pending pod is expected on the node.',
    next: 'Wait until the pod is bound.',
    sentence: () => 'node is nominated for a pending pod',
    remedy: (blocker) =>
      blocker.pod === undefined
        ? `wait until ${formatTime(blocker.until)}`
        : `wait until pod ${blocker.pod} is bound, or its nomination ends`,
    names: { pods: ['pod'] },
    isTransient: () => true,
  }),
  'node.do-not-disrupt': row({
    when: 'The Node has the annotation karpenter.sh/do-not-disrupt.',
    next: 'Remove the annotation from the Node.',
    sentence: () => 'disruption is blocked through the "karpenter.sh/do-not-disrupt" annotation',
    remedy: () => 'remove annotation karpenter.sh/do-not-disrupt from the node',
    appliesTo: (node) => (node.annotations[annotations.doNotDisrupt] === 'true' ? {} : undefined),
    names: 'none',
  }),
  'node.no-pool-label': row({
    when: 'The Node lacks the label karpenter.sh/nodepool.',
    next: 'Put the label back on the Node.',
    sentence: () => `node doesn't have required label (label=karpenter.sh/nodepool)`,
    remedy: () => 'put label karpenter.sh/nodepool back on the node',
    appliesTo: ({ nodePool }) => (nodePool === undefined ? {} : undefined),
    names: 'none',
  }),
  'pool.not-found': row<{ readonly pool: string }>({
    when: 'The NodePool of the node does not exist, or offers no instance types.',
    next: 'Create the NodePool, or correct its node class so that it offers instance types.',
    sentence: (blocker) => `NodePool not found (NodePool=${blocker.pool})`,
    remedy: (blocker) => `create NodePool ${blocker.pool}, or correct its node class so that it offers instance types`,
    names: 'none',
  }),
  'pool.paused': row<{ readonly pool: string; readonly owner: string; readonly until: Milliseconds }>({
    when: 'Disruption of the NodePool is paused.',
    next: 'Wait for the end of the pause, or end it: `kerf resume POOL`.',
    sentence: (blocker) => `disruption of NodePool ${blocker.pool} is paused by ${blocker.owner}`,
    remedy: (blocker) => `wait until ${formatTime(blocker.until)}, or kerf resume ${blocker.pool}`,
    names: 'none',
  }),
  'pod.do-not-disrupt': row<{ readonly pod: ObjectName; readonly until?: Milliseconds }>({
    when: 'A pod on the node has the annotation karpenter.sh/do-not-disrupt.',
    next: 'Remove the annotation from the pod, or wait until its duration is over.',
    sentence: (blocker) => `pod has "karpenter.sh/do-not-disrupt" annotation (Pod=${blocker.pod})`,
    remedy: (blocker) =>
      blocker.until === undefined
        ? `remove annotation karpenter.sh/do-not-disrupt from pod ${blocker.pod}`
        : `wait until ${formatTime(blocker.until)}, or remove annotation karpenter.sh/do-not-disrupt from pod ${blocker.pod}`,
    isWaivable: true,
    names: { pods: ['pod'] },
  }),
  'pdb.blocks': row<{ readonly pod: ObjectName; readonly budget: ObjectName }>({
    when: 'A PodDisruptionBudget allows no eviction of a pod on the node.',
    next: 'Let the budget allow a disruption: more healthy replicas, or a higher maxUnavailable.',
    sentence: (blocker) => `pdb prevents pod evictions (PodDisruptionBudget=[${blocker.budget}])`,
    remedy: (blocker) =>
      `let PodDisruptionBudget ${blocker.budget} allow a disruption: more healthy replicas, or a higher maxUnavailable`,
    isWaivable: true,
    names: { pods: ['pod'], budgets: ['budget'] },
  }),
  'pdb.several': row<{ readonly pod: ObjectName; readonly budgets: readonly ObjectName[] }>({
    when: 'Several PodDisruptionBudgets select the same pod, which the eviction API refuses.',
    next: 'Let one budget select the pod.',
    sentence: (blocker) =>
      `eviction does not support multiple PDBs (PodDisruptionBudget(s)=[${blocker.budgets.join(' ')}])`,
    remedy: (blocker) => `leave pod ${blocker.pod} to one PodDisruptionBudget`,
    isWaivable: true,
    names: { pods: ['pod'], budgets: ['budgets'] },
  }),
}

/** Reasons why one disruption method must not disrupt a candidate (`docs/spec/disruption.md#eligibility`). */
export const eligibilityBlockers = {
  'pool.static': row<{ readonly pool: string }>({
    when: 'The NodePool is static: its number of nodes is fixed.',
    next: 'Nothing.',
    sentence: (blocker) => `NodePool "${blocker.pool}" is static`,
    remedy: () => 'static pools are scaled by spec.replicas',
    names: 'none',
    isOutOfScope: true,
  }),
  'replacement.ceiling': row({
    when: 'A ceiling of the ClusterPolicy leaves too little for the replacement of a node of a static NodePool.',
    next: 'Raise spec.ceilings of the ClusterPolicy or its surge, or remove nodes.',
    sentence: () => 'a replacement would exceed a ceiling of the ClusterPolicy',
    remedy: () => 'raise spec.ceilings or spec.ceilings.surge of the ClusterPolicy, or remove nodes',
    names: 'none',
  }),
  'pool.dynamic': row<{ readonly pool: string }>({
    when: 'The NodePool is not static.',
    next: 'Nothing: another method decides about the node.',
    sentence: (blocker) => `NodePool "${blocker.pool}" is not static`,
    remedy: () => undefined,
    names: 'none',
    isOutOfScope: true,
  }),
  'pool.awake': row<{ readonly pool: string }>({
    when: 'The NodePool is not asleep.',
    next: 'Nothing.',
    sentence: (blocker) => `NodePool "${blocker.pool}" does not sleep`,
    remedy: () => undefined,
    names: 'none',
    isOutOfScope: true,
  }),
  'node.not-drifted': row({
    when: 'The node matches its NodePool and node class.',
    next: 'Nothing.',
    sentence: () => 'node is not drifted',
    remedy: () => undefined,
    names: 'none',
  }),
  'node.not-empty': row<{ readonly pods: number }>({
    when: 'The node has pods that would have to move.',
    next: 'Nothing: consolidation decides about it.',
    sentence: (blocker) => `node has ${blocker.pods} ${blocker.pods === 1 ? 'pod' : 'pods'} that would have to move`,
    remedy: () => 'wait until its pods are gone',
    names: 'none',
  }),
  'node.empty': row({
    when: 'The node is empty, so emptiness decides about it.',
    next: 'Nothing.',
    sentence: () => 'node is empty',
    remedy: () => undefined,
    names: 'none',
  }),
  'node.not-consolidatable': row<{ readonly until?: Milliseconds }>({
    when: 'Pods came to the node or left it more recently than consolidateAfter.',
    next: 'Wait, or lower spec.disruption.consolidateAfter of the NodePool.',
    sentence: () => 'pods came or went too recently for consolidation',
    remedy: (blocker) =>
      blocker.until === undefined ? 'wait for consolidateAfter' : `wait until ${formatTime(blocker.until)}`,
    names: 'none',
    isTransient: () => true,
  }),
  'node.buffer-pods': row<{ readonly node: string }>({
    when: 'The node keeps capacity free for a CapacityBuffer.',
    next: 'Make the buffer smaller if the capacity is not needed.',
    sentence: (blocker) => `Node "${blocker.node}" has buffer pods`,
    remedy: () => 'lower the CapacityBuffer',
    isPublished: true,
    names: 'none',
  }),
  'pool.consolidation-off': row<{ readonly pool: string }>({
    when: 'The NodePool’s consolidateAfter is Never.',
    next: 'Set spec.disruption.consolidateAfter to a duration.',
    sentence: (blocker) => `NodePool "${blocker.pool}" has consolidation disabled`,
    remedy: (blocker) => `set spec.disruption.consolidateAfter of NodePool ${blocker.pool} to a duration`,
    isPublished: true,
    names: 'none',
  }),
  'pool.only-when-empty': row<{ readonly pool: string }>({
    when: 'The NodePool’s consolidationPolicy is WhenEmpty, and the node is not empty.',
    next: 'Use WhenEmptyOrUnderutilized to have nodes with pods consolidated.',
    sentence: (blocker) => `NodePool "${blocker.pool}" has consolidation policy WhenEmpty, but node is not empty`,
    remedy: (blocker) =>
      `set spec.disruption.consolidationPolicy of NodePool ${blocker.pool} to WhenEmptyOrUnderutilized`,
    isPublished: true,
    names: 'none',
  }),
  'type.unknown': row<{ readonly type: string }>({
    when: 'The NodePool does not offer the node’s instance type.',
    next: 'Nothing, or widen the requirements of the NodePool so that they allow the instance type.',
    sentence: (blocker) => `Instance Type "${blocker.type}" not found`,
    remedy: (blocker) => `let the NodePool offer ${blocker.type} again`,
    isPublished: true,
    names: 'none',
  }),
  /** The price of the node, or of all possible replacements, is unknown. */
  'price.unknown': row<{ readonly type: string }>({
    when: 'The price of the node, or of every possible replacement, is unknown. Kerf then removes only empty nodes.',
    next: 'Give the instance type a price: the annotation kerf.sh/hourly-price on its MachineDeployment, or a NodeOverlay.',
    sentence: (blocker) => `the price of Instance Type "${blocker.type}" is unknown, so only empty nodes are removed`,
    remedy: (blocker) =>
      `give ${blocker.type} a price: annotation kerf.sh/hourly-price on its MachineDeployment, or a NodeOverlay`,
    isPublished: true,
    names: 'none',
  }),
  'label.missing': row<{ readonly label: string }>({
    when: 'The Node lacks a label that Kerf needs to find its price.',
    next: 'Put the label back on the Node.',
    sentence: (blocker) => `Node does not have label "${blocker.label}"`,
    remedy: (blocker) => `put label ${blocker.label} back on the node`,
    isPublished: true,
    names: 'none',
  }),
}

/**
 * Reasons why Kerf does not make a move although the node may be disrupted (`docs/spec/disruption.md#budgets`,
 * `docs/spec/disruption.md#consolidation`).
 */
export const moveBlockers = {
  'budget.exhausted': row<ExhaustedBudget>({
    when: 'The NodePool’s disruption budgets allow no further node for this reason now.',
    next: 'Wait for other nodes or for the budget’s schedule, or raise spec.disruption.budgets.',
    sentence: (blocker) =>
      blocker.error !== undefined
        ? `budgets of NodePool "${blocker.pool}" cannot be read: ${blocker.error}`
        : `budget of NodePool "${blocker.pool}" allows ${blocker.allowed} for ${blocker.reason}, and ${blocker.disrupting} are disrupted or not ready`,
    remedy: (blocker) => budgetRemedy(blocker),
    names: 'none',
    // A used-up budget soon allows another disruption, but a budget of zero never does.
    isTransient: ({ allowed }) => allowed > 0,
  }),
  'pools.none': row({
    when: 'No NodePool can launch a replacement.',
    next: 'Look at the Ready condition of the NodePools.',
    sentence: () => 'no NodePool can launch nodes',
    remedy: () => 'look at the Ready condition of the NodePools',
    names: 'none',
  }),
  'pods.unschedulable': row<{
    readonly pods: readonly UnplacedPod[]
  }>({
    when: 'Some pods of the node would be pending without it.',
    next: 'kerf explain pod shows what keeps each of them from other nodes.',
    sentence: (blocker) => `not all pods would schedule, ${podList(blocker.pods)}`,
    remedy: () => 'free capacity for these pods on other nodes, or relax their constraints',
    names: 'reasons',
  }),
  'replacements.too-many': row<{ readonly count: number }>({
    when: 'The pods of the node would need more than one new node.',
    next: 'Nothing: Kerf replaces a node by at most one node.',
    sentence: (blocker) => `Can't remove without creating ${blocker.count} candidates`,
    remedy: () => 'nothing: its pods need more than one other node',
    names: 'none',
  }),
  'replacements.uncertain': row<{ readonly type: string }>({
    when: 'It is not certain that the pods fit on the replacement and on other nodes.',
    next: 'Nothing: Kerf tries again when the cluster has changed.',
    sentence: (blocker) =>
      `Can't be sure that its pods fit on a new ${blocker.type} and in the free capacity of other nodes`,
    remedy: () => 'nothing: kube-scheduler fills the emptiest node first, and would leave a pod pending',
    names: 'none',
  }),
  'node.prepaid': row<{ readonly commitment: string }>({
    when: 'A commitment of the ClusterPolicy covers the node, so its removal would save nothing.',
    next: 'Nothing. When the commitment ends, or if more nodes run than it covers, consolidation looks at the node again.',
    sentence: ({ commitment }) => `Commitment ${commitment} pays for the node whether it runs or not`,
    remedy: () => undefined,
    names: 'none',
  }),
  'price.not-cheaper': row<{ readonly price: UsdPerHour; readonly closest?: UsdPerHour }>({
    when: 'No replacement would be cheaper.',
    next: 'Nothing.',
    sentence: () => "Can't replace with a cheaper node",
    remedy: (blocker) =>
      blocker.closest === undefined
        ? 'a cheaper offering that its pods can use'
        : `an offering below $${blocker.price.toFixed(4)} an hour; the closest costs $${blocker.closest.toFixed(4)}`,
    names: 'none',
  }),
  'min-values.unmet': row<{
    readonly keys: readonly { readonly key: string; readonly count: number }[]
    readonly types: number
  }>({
    when: 'There are fewer cheaper instance types than minValues requires.',
    next: 'Lower minValues of the NodePool, or widen its requirements.',
    sentence: (blocker) =>
      `Filtering by price: minValues requirement is not met for label(s) (label(s)=[${blocker.keys.map(({ key }) => key).join(' ')}])`,
    remedy: (blocker) => `lower minValues of ${blocker.keys.map(({ key, count }) => `${key} to ${count}`).join(', ')}`,
    names: 'none',
  }),
  'spot.disabled': row({
    when: 'A spot node would be replaced by a spot node, and the SpotToSpotConsolidation feature gate is off.',
    next: 'Switch the feature gate on.',
    sentence: () => "SpotToSpotConsolidation is disabled, can't replace a spot node with a spot node",
    remedy: () => 'turn the SpotToSpotConsolidation feature gate on',
    names: 'none',
  }),
  'spot.too-few-types': row<{ readonly types: number; readonly needed: number }>({
    when: 'Too few cheaper instance types are left to replace a spot node with a spot node.',
    next: 'Allow more instance types in the NodePool.',
    sentence: (blocker) =>
      `SpotToSpotConsolidation requires ${blocker.needed} cheaper instance type options than the current candidate to consolidate, got ${blocker.types}`,
    remedy: (blocker) => `allow at least ${blocker.needed} cheaper instance types`,
    names: 'none',
  }),
  /**
   * Earlier moves in these pools were meant to save money. Afterwards, Kerf launched nodes that cost as much as the removed ones, although
   * neither demand nor prices had changed.
   */
  'moves.undone': row<{ readonly pools: readonly string[]; readonly until: Milliseconds }>({
    when: 'Kerf spent the savings of earlier consolidations again, although demand and prices were the same.',
    next: 'Nothing: consolidation tries again later.',
    sentence: (blocker) =>
      `the savings of moves in NodePool(s) [${blocker.pools.join(' ')}] were spent again at the same demand and prices`,
    remedy: (blocker) => `wait until ${formatTime(blocker.until)}; a change of demand or prices ends the wait`,
    names: 'none',
    isTransient: () => true,
  }),
  'score.too-low': row<{ readonly pool: string; readonly score: number; readonly threshold: number }>({
    when: 'The saving is too small for the pods that the move disrupts, by the score of the Balanced policy.',
    next: 'Use WhenEmptyOrUnderutilized to consolidate for any saving.',
    sentence: (blocker) =>
      `saves too little for the pods that it disrupts (score ${blocker.score.toFixed(2)} < threshold ${blocker.threshold.toFixed(2)})`,
    remedy: () => 'a bigger saving, fewer pods, or consolidationPolicy WhenEmptyOrUnderutilized',
    names: 'none',
  }),
}

/** Every blocker by code. */
export const blockerCatalogue = {
  ...candidateBlockers,
  ...eligibilityBlockers,
  ...moveBlockers,
  ...terminationBlockers,
}
