import type { Milliseconds } from '@kerf/apis'
import type { CloudProvider } from '@kerf/provider-contract'
import type { KwokProvider, KwokSettings } from '@kerf/provider-kwok'
import type { ApiError, Clock, Controller } from '@kerf/runtime'
import type { ApiCall, Interceptor } from '@kerf/sandbox'
import type { ControllerSettings, Deps, FeatureGates, Scheduler } from '../../deps.ts'
import type { LegacyOptions } from '../../legacy/legacy-deps.ts'

/** The effect of a fault on a call: an error as the response, a crash of the process, or a crash and a restart. */
export type FaultResult = ApiError | 'crash' | 'restart' | undefined

/** Called before and after each call of Kerf takes effect. A promise delays the call. */
export type Fault = (call: ApiCall, when: 'before' | 'after') => FaultResult | Promise<FaultResult>

export interface HarnessOptions {
  /** The seed of the random numbers. Two runs with the same seed are identical. Default 1. */
  readonly seed?: number
  readonly settings?: Partial<ControllerSettings>
  /** Makes Kerf serve the legacy API. */
  readonly legacy?: LegacyOptions
  /** Feature gates that override the gates in `settings`. */
  readonly gates?: Partial<FeatureGates>
  /**
   * Returns the controllers of a process, which run in addition to those of the provider. `lifecycle()` returns such a function for
   * the NodeClaim lifecycle. By default a complete Kerf runs, and is available as `harness.kerf`.
   */
  readonly controllers?: (deps: Deps) => readonly Controller[]
  /**
   * The programs that run in addition to Kerf. `api`: only an API server; the test marks pods as unschedulable and binds them.
   * `controller-manager`: also the workload controllers and the garbage collector. `whole`: also a scheduler and kubelets. Without
   * `whole`, the KWOK provider simulates the kubelets of its nodes. Default `api`.
   */
  readonly cluster?: 'api' | 'controller-manager' | 'whole'
  readonly kwok?: Partial<KwokSettings>
  /** `nodeRegistrationDelay` of the KWOKNodeClass `default`. */
  readonly registrationDelay?: string
  /** Returns the provider that the controllers use, made from the KWOK provider. */
  readonly provider?: (kwok: KwokProvider) => CloudProvider
  readonly schedule?: Scheduler
  /** The version that Kerf reports for its build. */
  readonly version?: string
  /** See `KerfOptions`. */
  readonly pause?: () => Promise<unknown>
  /** See `KerfOptions`. */
  readonly rehearses?: boolean
  /**
   * Returns the clock of Kerf's machine, made from the clock of the harness, which the API server uses. Kerf measures the
   * difference between both from responses. Their header `Date` is `headerAhead` of the API server's time. By default both use the
   * clock of the harness.
   */
  readonly ownClock?: (clock: Clock) => Clock
  readonly headerAhead?: () => Milliseconds
  /** The initial fault function. `harness.fault` replaces it. */
  readonly fault?: Fault
  /** Intercepts API calls of the cluster's own controllers. */
  readonly clusterInterceptor?: Interceptor
}
