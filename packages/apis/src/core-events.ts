/** One reason of the Kubernetes Events that Kerf publishes. */
export interface EventDefinition {
  readonly type: 'Normal' | 'Warning' | 'Normal or Warning'
  /** The kinds of the objects that the event is about. */
  readonly about: readonly string[]
  /** When it is published: one sentence for the reference page. */
  readonly when: string
}

const node = ['Node', 'NodeClaim'] as const

/**
 * The Events that the controllers publish, by reason (`docs/spec/events.md#core-events`). The dashboard recognises Kerf's events
 * with this list, and `docs/reference/events.md` is generated from it.
 */
export const coreEvents = {
  AwaitingVolumeDetachment: {
    type: 'Normal',
    about: ['Node'],
    when: 'The node is drained, and some of its volumes are still attached.',
  },
  ClocksDiffer: {
    type: 'Warning',
    about: ['NodePool'],
    when: 'The clocks of this machine and of the API server, or of API servers, are so far apart that nothing is launched and nothing ended by time.',
  },
  ConsolidationApproved: {
    type: 'Normal',
    about: [...node, 'NodePool'],
    when: 'A pool with the policy Balanced weighed a consolidation and allows it.',
  },
  ConsolidationCandidate: {
    type: 'Normal',
    about: node,
    when: 'The node is part of a consolidation that would save money.',
  },
  ConsolidationRejected: {
    type: 'Normal',
    about: node,
    when: 'The consolidation was not carried out, with the reason.',
  },
  Disrupted: {
    type: 'Normal',
    about: ['Pod'],
    when: 'The pod is deleted before its grace period allows, because the node has to terminate by its deadline.',
  },
  DisruptionBlocked: {
    type: 'Normal or Warning',
    about: [...node, 'NodePool'],
    when: 'Something keeps the node from being disrupted, or a budget of the NodePool allows no disruption. A warning: the budgets cannot be read.',
  },
  DisruptionLaunching: {
    type: 'Normal',
    about: ['NodeClaim'],
    when: 'The replacement of a disrupted node is launched.',
  },
  DisruptionTerminating: { type: 'Normal', about: node, when: 'The node is disrupted, with the reason.' },
  DisruptionWaitingReadiness: {
    type: 'Normal',
    about: ['NodeClaim'],
    when: 'A disruption waits until the replacement is initialized.',
  },
  DoNotDisruptGracePeriodElapsed: {
    type: 'Normal',
    about: ['Pod'],
    when: 'The duration in the pod’s do-not-disrupt annotation is over.',
  },
  DoNotDisruptUntil: {
    type: 'Normal',
    about: ['Pod'],
    when: 'The pod’s do-not-disrupt annotation protects its node until a time.',
  },
  Evicted: { type: 'Normal', about: ['Pod'], when: 'The pod was evicted from a node that drains, with the reason.' },
  ExpectedPodsMissing: {
    type: 'Normal',
    about: ['ReplicaSet', 'ReplicationController', 'StatefulSet', 'Job'],
    when: 'Kerf planned for pods that the owner did not create within a minute. Their capacity is free again. Only with `PLAN_EXPECTED_PODS=on`.',
  },
  FailedConsistencyCheck: {
    type: 'Warning',
    about: ['NodeClaim'],
    when: 'The node differs from what its NodeClaim asked for.',
  },
  FailedDraining: {
    type: 'Warning',
    about: ['Node'],
    when: 'Pods remain on a node that drains, with what they wait for.',
  },
  FailedScheduling: {
    type: 'Warning',
    about: ['Pod'],
    when: 'No node can be launched for the pod, with the reason of each NodePool.',
  },
  FailedTermination: { type: 'Warning', about: node, when: 'The provider refused to terminate the instance.' },
  Finalized: {
    type: 'Normal',
    about: ['NodeClaim', 'NodePool', 'Node', 'node class'],
    when: 'A finalizer was taken off the object.',
  },
  InsufficientCapacityError: {
    type: 'Warning',
    about: ['NodeClaim'],
    when: 'The provider had no capacity for the NodeClaim, which is deleted; its pods are planned again.',
  },
  InvalidDoNotDisruptAnnotation: {
    type: 'Warning',
    about: ['Pod'],
    when: 'The pod’s do-not-disrupt annotation is neither "true" nor a duration and is ignored.',
  },
  LeaderElection: { type: 'Normal', about: ['Lease'], when: 'A replica became leader, or stopped leading.' },
  NoCompatibleInstanceTypes: {
    type: 'Warning',
    about: ['NodePool'],
    when: 'The requirements of the NodePool leave no instance type.',
  },
  NodeClassResolutionError: {
    type: 'Warning',
    about: ['NodePool', 'NodeClaim'],
    when: 'The node class that the object names cannot be used.',
  },
  NodeRepairBlocked: {
    type: 'Warning',
    about: ['Node', 'NodeClaim', 'NodePool'],
    when: 'So many nodes are unhealthy that none of them is replaced.',
  },
  Nominated: { type: 'Normal', about: ['Pod'], when: 'The pod is expected on a NodeClaim or Node.' },
  TerminationGracePeriodExpiring: {
    type: 'Warning',
    about: node,
    when: 'All pods of the node are deleted by a time, because its termination grace period ends.',
  },
  Unconsolidatable: { type: 'Normal', about: node, when: 'The node cannot be consolidated, with the reason.' },
  UnregisteredTaintMissing: {
    type: 'Warning',
    about: ['NodeClaim'],
    when: 'The node joined the cluster without the taint karpenter.sh/unregistered.',
  },
  ObjectSetAside: {
    type: 'Warning',
    about: ['any object that Kerf reads'],
    when: 'Kerf cannot read the object and goes on without it, with the error.',
  },
  OperationEnded: {
    type: 'Normal',
    about: ['NodePool'],
    when: 'A pause, a cordon or consolidation now has come to its end.',
  },
  OperationStarted: {
    type: 'Normal',
    about: ['NodePool'],
    when: 'Somebody asked for a pause, a cordon or consolidation now: by whom, why, and until when.',
  },
  WouldDisrupt: {
    type: 'Normal',
    about: ['NodeClaim'],
    when: 'In observe mode: the node would be disrupted, with the reason.',
  },
  WouldLaunch: {
    type: 'Normal',
    about: ['NodePool'],
    when: 'In observe mode: a node would be launched, with its instance type and price.',
  },
} as const satisfies Readonly<Record<string, EventDefinition>>

/** A reason from the catalogue. */
export type CoreEventReason = keyof typeof coreEvents

declare const conditionReason: unique symbol
/** The reason of an Event about a status condition: the condition's type, or the reason in the condition. */
export type ConditionEventReason = string & { readonly [conditionReason]: true }

/** Returns a condition's type or reason as the reason of an Event. */
export const conditionEventReason = (typeOrReason: string): ConditionEventReason => typeOrReason as ConditionEventReason

/** The first words of the message of an Event about a changed status condition. */
export const CONDITION_EVENT_PREFIX = 'Status condition transitioned'
