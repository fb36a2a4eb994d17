import { at, type Fact, without } from './fact.ts'

/**
 * Cases of the edge-case list whose tests do not carry their number, and those without a test. The others are found by
 * their titles: `edge 37: …` anywhere, `37: …` and `… (edge case 37)` beside the engine.
 */
export const numberedCases: Readonly<Record<number, Fact>> = {
  3: at('a pod that is about to preempt others waits', 'may be provisioned for'),
  6: at('daemon pods never ask for nodes', 'may be provisioned for'),
  8: at(
    'the same pod again does not extend the window; the maximum holds',
    'the same pod again does not extend the window, another one does',
    'the window never stays open longer than the maximum',
  ),
  9: at('a trigger during a pass is kept', 'a trigger during a pass opens the next window when the pass ends'),
  10: without(
    'nothing within a second',
    'Nothing polls: a window is opened by a trigger, so there are no empty passes.',
  ),
  11: at(
    'the heaviest preference may say that a pod avoids managed nodes',
    'only the heaviest preference decides whether a pod avoids us; preferences are never refused',
  ),
  15: at(
    'a pass that finds state incomplete is put off',
    'does not begin while a claim of the last one has no instance',
  ),
  16: at('pods of a StatefulSet that are ending are placed again', 'wants another place when its node goes'),
  17: at(
    'which budgets hold a pod for ever',
    'a pod is held by',
    'several, whatever they say: the eviction API refuses',
  ),
  45: without(
    'the deadline of a decision',
    'There is none: a decision is one call, bounded by its work; the largest of the benchmarks takes less than two seconds.',
  ),
  72: at(
    'the newest pod of a DaemonSet decides what it takes',
    'the newest real pod is remembered, also when the newest goes',
  ),
  77: at(
    'startup taints are hidden before initialization only',
    'ephemeral and startup taints are hidden until the node is initialized, on managed nodes only',
  ),
  78: at(
    'a startup taint is known by key and effect',
    'ephemeral and startup taints are hidden until the node is initialized, on managed nodes only',
  ),
  79: at(
    'unreachable:NoExecute is not ephemeral',
    'ephemeral taints go by key and effect, readiness ones by their prefix',
  ),
  80: at('readiness taints of any effect', 'ephemeral taints go by key and effect, readiness ones by their prefix'),
  81: at(
    'taints of nodes that are not ours always count',
    'ephemeral and startup taints are hidden until the node is initialized, on managed nodes only',
  ),
  82: at(
    'a device that the kubelet reports as none',
    'the claim fills in what the kubelet has not reported, until the node is initialized',
  ),
  83: at(
    'the deletion of a managed Node alone',
    'a managed node’s own deletion does not count, an unmanaged one’s does',
    'either may go first; both gone leaves nothing',
  ),
  103: at('a pod whose node is gone is on no node', 'are with their node, whichever is seen first'),
  113: at(
    'default constraints need a Service or a known owner',
    '7.7: whom the owner counts',
    '7.7: whom services count',
  ),
  118: at(
    'claims that are not bound completely; claims of ephemeral volumes',
    '7.5 Volume usage: what cannot be provisioned gets no node',
    '7.4 Volumes: an unbound claim binds the pod to the zones of its class, an ephemeral one too',
  ),
  124: at('a reservation seen with two counts', '7.9: reservations'),
  126: at('the worst launch price', 'the worst launch price is that of the first capacity type there is'),
  127: at(
    'an override that cannot be had fits nobody',
    '7.5 Other: only offerings that bring a device have it, and only while they can be had',
  ),
  129: at('adjusted prices are never negative', '%d after %s is %d'),
  132: at(
    'overlays in conflict apply nowhere; pools that were not evaluated are skipped',
    'a conflict in one pool rejects the overlay in all',
    'refuses pools that were not evaluated, and answers the same objects while nothing changes',
  ),
  134: at('sizes of buffers', 'the size of a buffer'),
  135: at(
    'virtual pods on nodes that exist nominate nothing',
    'launches nodes for its pieces, then finds room on them; its pods nominate nothing',
  ),
  138: at(
    'a claim deleted before it was seen',
    'a claim that was deleted before anybody saw it is forgotten after fifteen seconds',
  ),
  139: at('a claim that changes its instance', 'a claim that changes its instance leaves nothing behind'),
  140: at(
    'a pod that has ended uses nothing',
    'leave with their end, with deletion, and when the name is bound elsewhere',
  ),
  141: at(
    'a name that is bound elsewhere',
    'leave with their end, with deletion, and when the name is bound elsewhere',
  ),
  157: without(
    'a candidate that was marked after the snapshot',
    'Snapshot and simulation are one moment: nothing can be marked in between. Before a command is carried out it is validated on a new snapshot.',
  ),
  159: at(
    'nobody waits and runs at once; virtual pods have names of their own',
    'that wait are those kube-scheduler gave up on',
    'virtual pods are told apart, and want nothing that would have to be provisioned',
  ),
}
