import type { ReasonDefinition } from '../reasons/reason-definition.ts'
import type { Blocker } from './blocker.ts'

/** The reasons why nodes are not disrupted, or why their termination takes time. */
export const blockerCatalogue: Readonly<Record<Blocker['code'], ReasonDefinition>> = {
  'budget.exhausted': {
    when: 'The NodePool’s disruption budgets allow no further node for this reason now.',
    next: 'Wait for other nodes or for the budget’s schedule, or raise spec.disruption.budgets.',
  },
  'claim.no-node': { when: 'The NodeClaim has no Node yet.', next: 'Wait until the node has joined the cluster.' },
  'command.queued': { when: 'The node is being disrupted already.', next: 'Nothing.' },
  'deadline.unreadable': {
    when: 'The annotation with the node’s termination time cannot be read.',
    next: 'Correct karpenter.sh/nodeclaim-termination-timestamp on the NodeClaim.',
  },
  'finalizers.foreign': {
    when: 'A finalizer that is not Kerf’s holds the Node or NodeClaim.',
    next: 'Look at the controller that set the finalizer.',
  },
  'instance.ending': { when: 'The cloud is terminating the instance.', next: 'Wait until the instance is gone.' },
  'label.missing': {
    when: 'The Node lacks a label that its price is found by.',
    next: 'Put the label back on the Node.',
  },
  'min-values.unmet': {
    when: 'The cheaper instance types are fewer than minValues asks for.',
    next: 'Lower minValues of the NodePool, or widen its requirements.',
  },
  'moves.undone': {
    when: 'What earlier consolidations saved was spent again at the same demand and prices.',
    next: 'Nothing: consolidation tries again later.',
  },
  'node.buffer-pods': {
    when: 'The node keeps capacity free for a CapacityBuffer.',
    next: 'Make the buffer smaller if the capacity is not needed.',
  },
  'node.deleting': { when: 'The node is terminating.', next: 'Nothing.' },
  'node.do-not-disrupt': {
    when: 'The Node has the annotation karpenter.sh/do-not-disrupt.',
    next: 'Remove the annotation from the Node.',
  },
  'node.empty': { when: 'The node is empty, so emptiness decides about it.', next: 'Nothing.' },
  'node.no-pool-label': {
    when: 'The Node lacks the label karpenter.sh/nodepool.',
    next: 'Put the label back on the Node.',
  },
  'node.nominated': {
    when: 'A pending pod is expected on the node.',
    next: 'Wait until the pod is bound.',
  },
  'node.not-consolidatable': {
    when: 'Pods came to the node or left it more recently than consolidateAfter.',
    next: 'Wait, or lower spec.disruption.consolidateAfter of the NodePool.',
  },
  'node.not-drifted': { when: 'The node is as its NodePool and node class ask for.', next: 'Nothing.' },
  'node.not-empty': {
    when: 'The node has pods that would have to move.',
    next: 'Nothing: consolidation decides about it.',
  },
  'node.uninitialized': {
    when: 'The node is not initialized.',
    next: 'Look at the condition Initialized of its NodeClaim.',
  },
  'node.unreadable': {
    when: 'The node, its NodeClaim, or a pod on it cannot be read. The log of Kerf names the object and the error.',
    next: 'Correct the object that the log names, or report the error as a bug.',
  },
  'node.unmanaged': {
    when: 'Kerf did not launch the node.',
    next: 'Nothing: Kerf disrupts only nodes that it launched.',
  },
  'pdb.blocks': {
    when: 'A PodDisruptionBudget allows no eviction of a pod on the node.',
    next: 'Let the budget allow a disruption: more healthy replicas, or a higher maxUnavailable.',
  },
  'pdb.several': {
    when: 'Several PodDisruptionBudgets select the same pod, which the eviction API refuses.',
    next: 'Let one budget select the pod.',
  },
  'pod.do-not-disrupt': {
    when: 'A pod on the node has the annotation karpenter.sh/do-not-disrupt.',
    next: 'Remove the annotation from the pod, or wait until its duration is over.',
  },
  'pods.leaving': { when: 'Pods of the node are terminating.', next: 'Wait for their grace periods.' },
  'pods.unschedulable': {
    when: 'Some pods of the node would be pending without it.',
    next: 'kerf explain pod shows what keeps each of them from other nodes.',
  },
  'pool.consolidation-off': {
    when: 'The NodePool’s consolidateAfter is Never.',
    next: 'Set spec.disruption.consolidateAfter to a duration.',
  },
  'pool.dynamic': { when: 'The NodePool is not static.', next: 'Nothing: another method decides about the node.' },
  'pool.not-found': {
    when: 'The NodePool of the node is not there, or offers no instance types.',
    next: 'Create the NodePool, or see that its node class offers instance types.',
  },
  'pool.paused': {
    when: 'Somebody has paused disruption of the NodePool for a while.',
    next: 'Wait for the end of the pause, or end it: `kerf resume POOL`.',
  },
  'pool.only-when-empty': {
    when: 'The NodePool’s consolidationPolicy is WhenEmpty, and the node is not empty.',
    next: 'Use WhenEmptyOrUnderutilized to have nodes with pods consolidated.',
  },
  'pool.static': { when: 'The NodePool is static: its number of nodes is fixed.', next: 'Nothing.' },
  'pools.none': {
    when: 'No NodePool can launch a replacement.',
    next: 'Look at the condition Ready of the NodePools.',
  },
  'price.not-cheaper': { when: 'No replacement would be cheaper.', next: 'Nothing: the node is worth its price.' },
  'price.unknown': {
    when: 'Nobody knows the price of the node, or of what could replace it: only empty nodes are removed then.',
    next: 'Give the instance type a price: the annotation kerf.sh/hourly-price on its MachineDeployment, or a NodeOverlay.',
  },
  'replacements.too-many': {
    when: 'The pods of the node would need more than one new node.',
    next: 'Nothing: one node is replaced by at most one.',
  },
  'replacements.uncertain': {
    when: 'It is not certain that the pods fit on the replacement and on other nodes.',
    next: 'Nothing: it is tried again when the cluster has changed.',
  },
  'score.too-low': {
    when: 'The policy Balanced finds that the saving is too small for the pods that it disrupts.',
    next: 'Use WhenEmptyOrUnderutilized to consolidate for any saving.',
  },
  'spot.disabled': {
    when: 'A spot node would be replaced by a spot node, and the feature gate SpotToSpotConsolidation is off.',
    next: 'Switch the feature gate on.',
  },
  'spot.too-few-types': {
    when: 'Too few cheaper instance types are left to replace a spot node by a spot node.',
    next: 'Allow more instance types in the NodePool.',
  },
  'type.unknown': {
    when: 'The node’s instance type is not among those that the NodePool is offered.',
    next: 'Nothing, or widen the requirements of the NodePool.',
  },
  'volumes.attached': { when: 'Volumes are still attached to the node.', next: 'Wait until they are detached.' },
}
