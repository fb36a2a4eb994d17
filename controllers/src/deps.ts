import type { Milliseconds, Pod, SelectorRequirement, TopologySpreadConstraint, UsdPerHour } from '@kerf/apis'
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

/**
 * The feature gates that change what controllers do (`docs/spec/settings.md#feature-gates`), under their upstream
 * names.
 */
export interface FeatureGates {
  readonly NodeRepair: boolean
  readonly ReservedCapacity: boolean
  readonly SpotToSpotConsolidation: boolean
  readonly NodeOverlay: boolean
  readonly StaticCapacity: boolean
  readonly CapacityBuffer: boolean
}

/**
 * The settings that controllers read (`docs/spec/settings.md#core-settings`). The runtime's full settings satisfy it;
 * tests pass
 * `defaultControllerSettings` with what they change.
 */
export interface ControllerSettings {
  readonly batchMaxDuration: Milliseconds
  readonly batchIdleDuration: Milliseconds
  readonly preferencePolicy: 'Respect' | 'Ignore'
  readonly minValuesPolicy: 'Strict' | 'BestEffort'
  /** Milliseconds' worth of work for making a plan of up to 1,000 pods cheaper; 0 takes the first plan. */
  readonly planBudget: Milliseconds
  /** What every node costs beside its instance. */
  readonly nodeOverheadCost: UsdPerHour
  readonly ignoreDraRequests: boolean
  /** Millicores; scales how many keys controllers work on at once. */
  readonly cpuRequests: number
  readonly featureGates: FeatureGates
  readonly disableClusterStateObservability: boolean
  /** Whether Provisioners and AWSNodeTemplates are served besides. */
  readonly legacyApis: boolean
  /** For pods that declare no spread of their own: `--scheduler-config`'s `podTopologySpread.defaultConstraints`. */
  readonly defaultSpreadConstraints: readonly Omit<TopologySpreadConstraint, 'labelSelector'>[]
  /** Decide and record, and do nothing. */
  readonly observe: boolean
  /** Whether nodes of other autoscalers' node groups are free room for the pods of nodes that Kerf disrupts. */
  readonly foreignNodes: 'count' | 'ignore'
  /** Labels of pods that another autoscaler serves; empty for none. */
  readonly ignorePodsSelector: readonly SelectorRequirement[]
}

/** Upstream's defaults. */
export const defaultControllerSettings: ControllerSettings = {
  batchMaxDuration: 10_000,
  batchIdleDuration: 1_000,
  preferencePolicy: 'Respect',
  minValuesPolicy: 'Strict',
  planBudget: 200,
  nodeOverheadCost: 0,
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

/** The engine's decision, step by step, as an argument: production passes `scheduleInSteps` of `@kerf/engine`. */
export type Scheduler = (snapshot: ClusterSnapshot, pods: readonly Pod[], options: ScheduleOptions) => Steps<Plan>

/** Everything a controller may touch. Nothing else reaches the outside: no globals, no ambient clock, no ambient chance. */
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
}

/**
 * How many keys a controller works on at once: from `min` at one core to `max` at sixty
 * (`docs/spec/pending-pods.md#constants`).
 */
export const concurrency = (settings: ControllerSettings, min: number, max: number): number =>
  linearConcurrency(min, max, settings.cpuRequests)
