import type { Milliseconds } from '@kerf/apis'
import type { CloudProvider } from '@kerf/provider-contract'
import type { KwokProvider, KwokSettings } from '@kerf/provider-kwok'
import type { ApiError, Clock, Controller } from '@kerf/runtime'
import type { ApiCall, Interceptor } from '@kerf/sandbox'
import type { ControllerSettings, Deps, FeatureGates, Scheduler } from '../../deps.ts'
import type { LegacyOptions } from '../../legacy/legacy-deps.ts'

/** The fault of a call: an error as response, a crash of the process, or a crash and a restart. */
export type FaultResult = ApiError | 'crash' | 'restart' | undefined

/** Called before and after each call of Kerf takes effect. A promise delays the call. */
export type Fault = (call: ApiCall, when: 'before' | 'after') => FaultResult | Promise<FaultResult>

export interface HarnessOptions {
  /** Runs with the same seed are identical. Default 1. */
  readonly seed?: number
  readonly settings?: Partial<ControllerSettings>
  /** Serves the legacy API. */
  readonly legacy?: LegacyOptions
  /** Feature gates that override those in `settings`. */
  readonly gates?: Partial<FeatureGates>
  /**
   * The controllers of a process, in addition to those of the provider. `lifecycle()` creates those of the NodeClaim
   * lifecycle. Default: a complete Kerf, which is then `harness.kerf`.
   */
  readonly controllers?: (deps: Deps) => readonly Controller[]
  /**
   * What runs in addition to Kerf. `api`: only an API server; tests mark pods as unschedulable and bind them.
   * `controller-manager`: also the workload controllers and the garbage collector. `whole`: also a scheduler and kubelets.
   * With the first two, the KWOK provider simulates the kubelets of its nodes. Default `api`.
   */
  readonly cluster?: 'api' | 'controller-manager' | 'whole'
  readonly kwok?: Partial<KwokSettings>
  /** `nodeRegistrationDelay` of the node class `default`. */
  readonly registrationDelay?: string
  /** Creates the provider of the controllers from the KWOK provider. */
  readonly provider?: (kwok: KwokProvider) => CloudProvider
  readonly schedule?: Scheduler
  /** The version that Kerf reports for its build. */
  readonly version?: string
  /** See `KerfOptions`. */
  readonly pause?: () => Promise<unknown>
  /** See `KerfOptions`. */
  readonly rehearses?: boolean
  /**
   * Creates the clock of Kerf's machine from that of the harness, which the API server uses. Kerf measures the difference from
   * responses, whose header `Date` is `headerAhead` of the time of the API server. Default: the clock of the harness.
   */
  readonly ownClock?: (clock: Clock) => Clock
  readonly headerAhead?: () => Milliseconds
  /** The initial fault function. `harness.fault` replaces it. */
  readonly fault?: Fault
  /** Intercepts calls between the cluster's own controllers and the API. */
  readonly clusterInterceptor?: Interceptor
}
