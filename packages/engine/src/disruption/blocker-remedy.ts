import type { Milliseconds } from '@kerf/apis'
import type { Blocker } from './blocker.ts'
import { type BlockerOf, type ByBlockerCode, byBlockerCode } from './by-blocker-code.ts'

const at = (time: Milliseconds): string => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z')

const budgetRemedy = ({ pool, allowed, budgets, opensAt, error }: BlockerOf<'budget.exhausted'>): string => {
  const places = budgets.map((index) => `spec.disruption.budgets[${index}]`)
  const place = `${places.length === 0 ? 'spec.disruption.budgets' : places.join(' and ')} of NodePool ${pool}`
  if (error !== undefined) return `correct ${place}`
  const remedies = [
    ...(allowed > 0 ? ['wait for the others'] : []),
    ...(opensAt === undefined ? [] : [`wait until ${at(opensAt)}`]),
    `raise ${place}`,
  ]
  return remedies.join(', or ')
}

const remedies: ByBlockerCode<string | undefined> = {
  'command.queued': () => undefined,
  'claim.no-node': () => undefined,
  'node.deleting': () => undefined,
  'node.empty': () => undefined,
  'node.not-drifted': () => undefined,
  'pool.dynamic': () => undefined,
  'node.unmanaged': ({ group }) =>
    group === undefined
      ? 'Kerf only disrupts nodes that it launched'
      : `Kerf only disrupts nodes that it launched; what scales node group ${group} removes this one`,
  'node.unreadable': () => 'look in the log of Kerf for the object and the error',
  'node.uninitialized': () => 'look at condition Initialized of its NodeClaim',
  'node.nominated': (blocker) =>
    blocker.pod === undefined
      ? `wait until ${at(blocker.until)}`
      : `wait until pod ${blocker.pod} is bound, or its nomination is given back`,
  'node.do-not-disrupt': () => 'remove annotation karpenter.sh/do-not-disrupt from the node',
  'node.no-pool-label': () => 'put label karpenter.sh/nodepool back on the node',
  'pool.paused': (blocker) => `wait until ${at(blocker.until)}, or kerf resume ${blocker.pool}`,
  'pool.not-found': (blocker) => `create NodePool ${blocker.pool}, or see that its NodeClass offers instance types`,
  'pod.do-not-disrupt': (blocker) =>
    blocker.until === undefined
      ? `remove annotation karpenter.sh/do-not-disrupt from pod ${blocker.pod}`
      : `wait until ${at(blocker.until)}, or remove annotation karpenter.sh/do-not-disrupt from pod ${blocker.pod}`,
  'pdb.blocks': (blocker) =>
    `let PodDisruptionBudget ${blocker.budget} allow a disruption: more healthy replicas, or a higher maxUnavailable`,
  'pdb.several': (blocker) => `leave pod ${blocker.pod} to one PodDisruptionBudget`,
  'pool.static': () => 'static pools are scaled by spec.replicas',
  'node.not-empty': () => 'wait until its pods are gone',
  'node.not-consolidatable': (blocker) =>
    blocker.until === undefined ? 'wait for consolidateAfter' : `wait until ${at(blocker.until)}`,
  'node.buffer-pods': () => 'lower the CapacityBuffer',
  'pool.consolidation-off': (blocker) =>
    `set spec.disruption.consolidateAfter of NodePool ${blocker.pool} to a duration`,
  'pool.only-when-empty': (blocker) =>
    `set spec.disruption.consolidationPolicy of NodePool ${blocker.pool} to WhenEmptyOrUnderutilized`,
  'type.unknown': (blocker) => `have the NodePool offer ${blocker.type} again`,
  'price.unknown': (blocker) =>
    `give ${blocker.type} a price: annotation kerf.sh/hourly-price on its MachineDeployment, or a NodeOverlay`,
  'label.missing': (blocker) => `put label ${blocker.label} back on the node`,
  'budget.exhausted': (blocker) => budgetRemedy(blocker),
  'pools.none': () => 'see that a NodePool is Ready',
  'pods.unschedulable': () => 'free capacity for these pods on other nodes, or loosen what they require',
  'replacements.too-many': () => 'nothing: its pods need more than one other node',
  'replacements.uncertain': () =>
    'nothing: kube-scheduler fills the emptiest node first, and would leave a pod pending',
  'price.not-cheaper': (blocker) =>
    blocker.closest === undefined
      ? 'a cheaper offering that its pods can use'
      : `an offering below $${blocker.price.toFixed(4)} an hour; the closest costs $${blocker.closest.toFixed(4)}`,
  'min-values.unmet': (blocker) =>
    `lower minValues of ${blocker.keys.map(({ key, count }) => `${key} to ${count}`).join(', ')}`,
  'spot.disabled': () => 'turn feature gate SpotToSpotConsolidation on',
  'spot.too-few-types': (blocker) => `allow at least ${blocker.needed} cheaper instance types`,
  'moves.undone': (blocker) => `wait until ${at(blocker.until)}; a change of demand or prices ends the wait`,
  'score.too-low': () => 'a bigger saving, fewer pods, or consolidationPolicy WhenEmptyOrUnderutilized',
  'deadline.unreadable': () => 'correct or remove the annotation',
  'pods.leaving': () => undefined,
  'instance.ending': () => undefined,
  'volumes.attached': () => 'see its VolumeAttachments: kubectl get volumeattachments',
  'finalizers.foreign': (blocker) => `whoever set the finalizer has to take it off ${blocker.kind} ${blocker.name}`,
}

/** Returns advice on how to remove the blocker; `undefined` if no action is needed, because it ends by itself or Kerf removes it. */
export const remedyOf = (blocker: Blocker): string | undefined => byBlockerCode(remedies, blocker)
