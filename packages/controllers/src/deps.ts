import type {
  Milliseconds,
  NodeGroupLabel,
  Pod,
  SelectorRequirement,
  TopologySpreadConstraint,
  UsdPerHour,
} from '@kerf/apis'
import type { ClusterSnapshot, Plan, ScheduleOptions, Steps } from '@kerf/engine'
import type { CloudProvider } from '@kerf/provider-contract'
import {
  type Clock,
  type InformerFactory,
  type KubeClient,
  type Logger,
  linearConcurrency,
  type Metrics,
  type Random,
} from '@kerf/runtime'
import type { CoreEventRecorder } from './core-event.ts'

/** The feature gates that change what controllers do (`docs/spec/settings.md#feature-gates`), under their upstream names. */
export interface FeatureGates {
  readonly NodeRepair: boolean
  readonly ReservedCapacity: boolean
  readonly SpotToSpotConsolidation: boolean
  readonly NodeOverlay: boolean
  readonly StaticCapacity: boolean
  readonly CapacityBuffer: boolean
}

/**
 * The settings that controllers read (`docs/spec/settings.md#core-settings`). The full settings of the runtime satisfy this
 * interface. Tests override fields of `defaultControllerSettings`.
 */
export interface ControllerSettings {
  readonly batchMaxDuration: Milliseconds
  readonly batchIdleDuration: Milliseconds
  /** Whether plans include pods that ReplicaSets, Jobs and other owners have not created yet. */
  readonly planExpectedPods: 'off' | 'on'
  readonly preferencePolicy: 'Respect' | 'Ignore'
  readonly minValuesPolicy: 'Strict' | 'BestEffort'
  /**
   * The computing time, in milliseconds, that the search for a cheaper plan may use for up to 1,000 pods. If it is 0, Kerf uses the first
   * plan without a search.
   */
  readonly planBudget: Milliseconds
  /** A cost that every node adds to the price of its instance, for example the fee of an agent. */
  readonly nodeOverheadCost: UsdPerHour
  /** How much more a plan may cost if it has fewer nodes, as a fraction. */
  readonly fewerNodesCostShare: number
  readonly ignoreDraRequests: boolean
  /** The CPU request of the controller in millicores. It determines how many keys each controller reconciles in parallel. */
  readonly cpuRequests: number
  readonly featureGates: FeatureGates
  readonly disableClusterStateObservability: boolean
  /** Whether Kerf also serves Provisioners and the older node templates of providers. */
  readonly legacyApis: boolean
  /** Spread constraints for pods that declare none: `podTopologySpread.defaultConstraints` in the file that `--scheduler-config` sets. */
  readonly defaultSpreadConstraints: readonly Omit<TopologySpreadConstraint, 'labelSelector'>[]
  /** Observe mode: Kerf records its decisions but does not execute them. */
  readonly observe: boolean
  /** Whether Kerf may plan pods of a disrupted node onto the nodes of other autoscalers. */
  readonly foreignNodes: 'count' | 'ignore'
  /** Selects the pods that another autoscaler serves. Empty if Kerf serves all pods. */
  readonly ignorePodsSelector: readonly SelectorRequirement[]
}

/** The default settings of upstream. */
export const defaultControllerSettings: ControllerSettings = {
  batchMaxDuration: 10_000,
  batchIdleDuration: 1_000,
  planExpectedPods: 'off',
  preferencePolicy: 'Respect',
  minValuesPolicy: 'Strict',
  planBudget: 200,
  nodeOverheadCost: 0,
  fewerNodesCostShare: 0.005,
  ignoreDraRequests: true,
  cpuRequests: 1_000,
  featureGates: {
    NodeRepair: false,
    ReservedCapacity: true,
    SpotToSpotConsolidation: false,
    NodeOverlay: false,
    StaticCapacity: false,
    CapacityBuffer: false,
  },
  disableClusterStateObservability: false,
  legacyApis: false,
  defaultSpreadConstraints: [],
  observe: false,
  foreignNodes: 'count',
  ignorePodsSelector: [],
}

/** Plans pods in steps. Production passes `scheduleInSteps` of `@kerf/engine`. */
export type Scheduler = (snapshot: ClusterSnapshot, pods: readonly Pod[], options: ScheduleOptions) => Steps<Plan>

/** All dependencies of a controller. A controller must not use globals, the system clock or any other source of randomness. */
export interface Deps {
  readonly client: KubeClient
  readonly informers: InformerFactory
  readonly provider: CloudProvider
  readonly clock: Clock
  readonly random: Random
  readonly metrics: Metrics
  readonly events: CoreEventRecorder
  readonly log: Logger
  readonly settings: ControllerSettings
  /** The labels whose values name the cloud's node group of a node. The default contains only labels that are not specific to a cloud. */
  readonly nodeGroupLabels?: readonly NodeGroupLabel[]
}

/**
 * Returns how many keys a controller reconciles in parallel: from `min` with one core to `max` with sixty cores
 * (`docs/spec/pending-pods.md#constants`).
 */
export const concurrency = (settings: ControllerSettings, min: number, max: number): number =>
  linearConcurrency(min, max, settings.cpuRequests)
