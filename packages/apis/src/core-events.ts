/** A reason of the Kubernetes Events that Kerf publishes. */
export interface EventDefinition {
  readonly type: 'Normal' | 'Warning' | 'Normal or Warning'
  /** The kinds of the objects that the Event may be about. */
  readonly about: readonly string[]
  /** When the Event is published: one sentence for the reference page. */
  readonly when: string
}

const node = ['Node', 'NodeClaim'] as const

/**
 * The Events that the controllers publish, by reason (`docs/spec/events.md#core-events`). The dashboard recognises Kerf's Events by
 * this list, and `docs/reference/events.md` is generated from it.
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
    when: 'The clocks of this machine and of the API servers differ so much that Kerf launches no nodes and does not expire or time out nodes.',
  },
  ConsolidationApproved: {
    type: 'Normal',
    about: [...node, 'NodePool'],
    when: 'A consolidation passed the Balanced policy of the NodePool.',
  },
  ConsolidationCandidate: {
    type: 'Normal',
    about: node,
    when: 'The node is part of a consolidation that would save money.',
  },
  ConsolidationRejected: {
    type: 'Normal',
    about: node,
    when: 'The consolidation was not carried out; the message has the reason.',
  },
  Disrupted: {
    type: 'Normal',
    about: ['Pod'],
    when: 'The pod is deleted before its grace period allows, because the node has to terminate by its deadline.',
  },
  DisruptionBlocked: {
    type: 'Normal or Warning',
    about: [...node, 'NodePool'],
    when: 'Something blocks disruption of the node, or a budget of the NodePool allows none. Type Warning: the budgets cannot be parsed.',
  },
  DisruptionLaunching: {
    type: 'Normal',
    about: ['NodeClaim'],
    when: 'The replacement of a disrupted node is launched.',
  },
  DisruptionTerminating: { type: 'Normal', about: node, when: 'The node is disrupted; the message has the reason.' },
  DisruptionWaitingReadiness: {
    type: 'Normal',
    about: ['NodeClaim'],
    when: 'A disruption waits until the replacement is initialized.',
  },
  DoNotDisruptGracePeriodElapsed: {
    type: 'Normal',
    about: ['Pod'],
    when: 'The duration in the do-not-disrupt annotation of the pod has elapsed.',
  },
  DoNotDisruptUntil: {
    type: 'Normal',
    about: ['Pod'],
    when: 'The pod’s do-not-disrupt annotation protects its node until a time.',
  },
  Evicted: {
    type: 'Normal',
    about: ['Pod'],
    when: 'The pod was evicted from a draining node; the message has the reason.',
  },
  ExpectedPodsMissing: {
    type: 'Normal',
    about: ['ReplicaSet', 'ReplicationController', 'StatefulSet', 'Job'],
    when: 'Kerf planned for pods that the owner did not create within a minute. Their capacity is free again. Only with `PLAN_EXPECTED_PODS=on`.',
  },
  FailedConsistencyCheck: {
    type: 'Warning',
    about: ['NodeClaim'],
    when: 'The node differs from its NodeClaim.',
  },
  FailedDraining: {
    type: 'Warning',
    about: ['Node'],
    when: 'Pods remain on a draining node; the message has the reason.',
  },
  FailedScheduling: {
    type: 'Warning',
    about: ['Pod'],
    when: 'No node can be launched for the pod; the message has the reason of each NodePool.',
  },
  FailedTermination: { type: 'Warning', about: node, when: 'The provider refused to terminate the instance.' },
  Finalized: {
    type: 'Normal',
    about: ['NodeClaim', 'NodePool', 'Node', 'node class'],
    when: 'A finalizer was removed from the object.',
  },
  InsufficientCapacityError: {
    type: 'Warning',
    about: ['NodeClaim'],
    when: 'The provider had no capacity for the NodeClaim, which is deleted; its pods are scheduled again.',
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
    when: 'No instance type meets the requirements of the NodePool.',
  },
  NodeClassResolutionError: {
    type: 'Warning',
    about: ['NodePool', 'NodeClaim'],
    when: 'The node class of the object cannot be used.',
  },
  NodeRepairBlocked: {
    type: 'Warning',
    about: ['Node', 'NodeClaim', 'NodePool'],
    when: 'Too many nodes are unhealthy, so none of them is replaced.',
  },
  Nominated: { type: 'Normal', about: ['Pod'], when: 'The pod is expected on a NodeClaim or Node.' },
  TerminationGracePeriodExpiring: {
    type: 'Warning',
    about: node,
    when: 'The termination grace period of the node ends: all its pods are deleted by the time in the message.',
  },
  Unconsolidatable: {
    type: 'Normal',
    about: node,
    when: 'The node cannot be consolidated; the message has the reason.',
  },
  UnregisteredTaintMissing: {
    type: 'Warning',
    about: ['NodeClaim'],
    when: 'The node joined the cluster without the taint karpenter.sh/unregistered.',
  },
  ObjectSetAside: {
    type: 'Warning',
    about: ['any object that Kerf reads'],
    when: 'Kerf cannot read the object and ignores it; the message has the error.',
  },
  OperationEnded: {
    type: 'Normal',
    about: ['NodePool'],
    when: 'A pause, a cordon or a requested consolidation ended.',
  },
  OperationStarted: {
    type: 'Normal',
    about: ['NodePool'],
    when: 'A pause, a cordon or a consolidation was requested; the message says by whom, why, and until when.',
  },
  UnusedNodeClaimDeleted: {
    type: 'Normal',
    about: ['NodeClaim'],
    when: 'Kerf deleted the NodeClaim because it was launched for pods that their owners did not create. Only with `PLAN_EXPECTED_PODS=on`.',
  },
  WouldDisrupt: {
    type: 'Normal',
    about: ['NodeClaim'],
    when: 'In observe mode: the node would be disrupted; the message has the reason.',
  },
  WouldLaunch: {
    type: 'Normal',
    about: ['NodePool'],
    when: 'In observe mode: a node would be launched, with its instance type and price.',
  },
} as const satisfies Readonly<Record<string, EventDefinition>>

/** A reason in this catalogue. */
export type CoreEventReason = keyof typeof coreEvents

declare const conditionReason: unique symbol
/** The reason of an Event about a status condition: the condition's type, or the reason in the condition. */
export type ConditionEventReason = string & { readonly [conditionReason]: true }

/** Converts a condition's type or reason to the type of Event reasons. */
export const conditionEventReason = (typeOrReason: string): ConditionEventReason => typeOrReason as ConditionEventReason

/** Every message of an Event about a changed status condition starts with this text. */
export const CONDITION_EVENT_PREFIX = 'Status condition transitioned'
