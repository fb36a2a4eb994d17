export type {
  ControllerResponse,
  DecisionsResponse,
  InstanceTypesResponse,
  VersionResponse,
} from './controller-api/controller-api.ts'
export { coreMetrics } from './core-metrics.ts'
export * from './deps.ts'
export { Disruption } from './disruption/disruption-controller.ts'
export {
  ClusterForecast,
  type DriftForecast,
  type ForecastOptions,
  type ProvisioningForecast,
} from './disruption/explanation/cluster-forecast.ts'
export type { StayingPod } from './disruption/explanation/drain-forecast.ts'
export type { MethodVerdict, NodeExplanation } from './disruption/explanation/explain-node.ts'
export { NodeExplainer } from './disruption/explanation/node-explainer.ts'
export type { TerminationProgress } from './disruption/explanation/termination-progress.ts'
export { Kerf, type KerfDeps, type KerfOptions, requiredKinds } from './kerf.ts'
export { installLegacyKinds } from './legacy/install-legacy-kinds.ts'
export type { LegacyOptions } from './legacy/legacy-deps.ts'
export {
  type ClusterAutoscalerStatus,
  isFresh,
  parseAutoscalerStatus,
  statusConfigMap,
} from './modes/coexistence/cluster-autoscaler-status.ts'
export { isOfGroup, nodeGroupName } from './modes/coexistence/node-group.ts'
export { OtherAutoscalers } from './modes/coexistence/other-autoscalers.ts'
export { DECISIONS_CONFIG_MAP } from './modes/observe/decisions-config-map.ts'
export type { ObservedDecision } from './modes/observe/observations.ts'
export { type OperationName, operationText, poolOperations, readOperation } from './modes/pool-operation.ts'
export { consolidatable } from './nodeclaim/consolidatable.ts'
export { launchedFor } from './nodeclaim/launched-for.ts'
export { evaluateOverlays } from './nodepool/overlay/evaluation.ts'
export { OverlayStore } from './nodepool/overlay/overlay-store.ts'
export { controllerPermissions, permissionOptions } from './permissions.ts'
export { isOwnedByDaemonSet, isProvisionable, isReschedulable } from './pod/pod-predicates.ts'
export {
  type CommitmentSourceSpec,
  commitmentOrigin,
  parseCommitmentDocument,
} from './policy/commitments/commitment-document.ts'
export {
  type PriceBookSpec,
  parsePriceDocument,
  priceBookOrigin,
  priceBookSource,
} from './policy/price-book/price-document.ts'
export { pricesInStatus } from './policy/price-book/stored-prices.ts'
export { type PlannedBuffers, planBuffers } from './provisioning/capacity-buffer/planned-buffers.ts'
export { podTemplateKind } from './provisioning/capacity-buffer/resolve.ts'
export { ClaimCreator, type CreationReason } from './provisioning/claim-creator.ts'
export type { Decision } from './provisioning/decision.ts'
export { DecisionLog } from './provisioning/decision-log.ts'
export { type PlannedExpectedPods, planExpectedPods } from './provisioning/expected-pods/planned-expected-pods.ts'
export { podOwnerKinds } from './provisioning/expected-pods/pod-owners.ts'
export { Provisioner } from './provisioning/provisioner.ts'
export { ceilingAmount, ceilingName } from './state/ceilings/ceiling-text.ts'
export { type PlannedCeilings, plannedCeilings } from './state/ceilings/planned-ceilings.ts'
export { ClusterState } from './state/cluster-state.ts'
export { ClusterSync } from './state/cluster-sync.ts'
export { type CommitmentProblem, commitmentProblems } from './state/commitments/commitment-problems.ts'
export {
  amortisedPrice,
  type CommitmentUse,
  commitmentUse,
  coversNow,
  plannedCommitments,
  type TypesByName,
  unusedAmount,
  usedAmount,
} from './state/commitments/commitment-use.ts'
export { readDiscounts } from './state/commitments/discounts.ts'
export {
  type CommitmentSpec,
  commitmentSpecs,
  overriddenCommitments,
  type PrepaidTerms,
  readPrepaid,
} from './state/commitments/prepaid-terms.ts'
export { daemonSetPod } from './state/daemon-pods.ts'
export { claimJoinKey } from './state/join-key.ts'
export { PodIndex } from './state/pod-index.ts'
export { type AttachedPolicies, attachPolicies } from './state/pool-policies/attached-policies.ts'
export { hardTaints, poolAccess } from './state/pool-policies/pool-access.ts'
export {
  awakeUntil,
  type SleepingPools,
  sleepingPools,
  sleepTexts,
  untilText,
} from './state/pool-policies/pool-sleep.ts'
export { sleepDeadline } from './state/pool-policies/sleep-deadline.ts'
export { Snapshots } from './state/snapshot.ts'
export { StateNode } from './state/state-node.ts'
