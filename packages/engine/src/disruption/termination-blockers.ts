import { firstNames, type ObjectName } from './blocker-details.ts'
import { row } from './blocker-row.ts'

/** The reasons why the termination of a deleted node is delayed (`docs/spec/termination.md`), except for pods that must not be evicted. */
export const terminationBlockers = {
  'deadline.unreadable': row<{ readonly problem: string }>({
    when: 'The annotation with the node’s termination time cannot be read.',
    next: 'Correct karpenter.sh/nodeclaim-termination-timestamp on the NodeClaim.',
    sentence: (blocker) => blocker.problem,
    remedy: () => 'correct or remove the annotation',
    names: 'none',
  }),
  'pods.leaving': row<{ readonly pods: readonly ObjectName[] }>({
    when: 'Pods of the node are terminating.',
    next: 'Wait for their grace periods.',
    sentence: (blocker) => `pods are terminating: ${firstNames(blocker.pods)}`,
    remedy: () => undefined,
    names: { pods: ['pods'] },
  }),
  'volumes.attached': row({
    when: 'Volumes are still attached to the node.',
    next: 'Wait until they are detached.',
    sentence: () => 'volumes are still attached to the node',
    remedy: () => 'see its VolumeAttachments: kubectl get volumeattachments',
    names: 'none',
  }),
  'instance.ending': row({
    when: 'The cloud is terminating the instance.',
    next: 'Wait until the instance is gone.',
    sentence: () => 'the instance is terminating',
    remedy: () => undefined,
    names: 'none',
  }),
  'finalizers.foreign': row<{
    readonly kind: 'Node' | 'NodeClaim'
    readonly name: string
    readonly finalizers: readonly string[]
  }>({
    when: 'A finalizer that is not Kerf’s holds the Node or NodeClaim.',
    next: 'Look at the controller that set the finalizer.',
    sentence: (blocker) =>
      `finalizer(s) of other controllers hold ${blocker.kind} ${blocker.name} (finalizer(s)=[${blocker.finalizers.join(' ')}])`,
    remedy: (blocker) => `the controller that set the finalizer must remove it from ${blocker.kind} ${blocker.name}`,
    names: 'none',
  }),
}
