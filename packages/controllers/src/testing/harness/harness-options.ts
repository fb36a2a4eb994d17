import type { Milliseconds } from '@kerf/apis'
import type { CloudProvider } from '@kerf/provider-contract'
import type { KwokProvider, KwokSettings } from '@kerf/provider-kwok'
import type { ApiError, Clock, Controller } from '@kerf/runtime'
import type { ApiCall, Interceptor } from '@kerf/sandbox'
import type { ControllerSettings, Deps, FeatureGates, Scheduler } from '../../deps.ts'
import type { LegacyOptions } from '../../legacy/legacy-deps.ts'

/** How a fault affects a call: the call gets an error as its response, the process crashes, or the process crashes and restarts. */
export type FaultResult = ApiError | 'crash' | 'restart' | undefined

/** Called twice for each call of Kerf: before and after the call takes effect. If a promise is returned, the call waits for it. */
export type Fault = (call: ApiCall, when: 'before' | 'after') => FaultResult | Promise<FaultResult>

export interface HarnessOptions {
  /** The seed of the random source. Runs with the same seed are identical. Default 1. */
  readonly seed?: number
  readonly settings?: Partial<ControllerSettings>
  /** Makes Kerf serve the legacy API. */
  readonly legacy?: LegacyOptions
  /** Feature gates that override the gates in `settings`. */
  readonly gates?: Partial<FeatureGates>
  /**
   * Returns the controllers of a process. The controllers of the provider always run in addition. `lifecycle()` returns a function for the
   * controllers of the NodeClaim lifecycle. If absent, a complete Kerf runs and is available as `harness.kerf`.
   */
  readonly controllers?: (deps: Deps) => readonly Controller[]
  /**
   * The programs that run in addition to Kerf. `api`: only an API server; the test marks pods as unschedulable and binds them.
   * `controller-manager`: also the workload controllers and the garbage collector. `whole`: also a scheduler and kubelets. Except with
   * `whole`, the KWOK provider simulates the kubelets of its nodes. Default `api`.
   */
  readonly cluster?: 'api' | 'controller-manager' | 'whole'
  readonly kwok?: Partial<KwokSettings>
  /** `nodeRegistrationDelay` of the KWOKNodeClass `default`. */
  readonly registrationDelay?: string
  /** Wraps the KWOK provider. Returns the provider that the controllers use. */
  readonly provider?: (kwok: KwokProvider) => CloudProvider
  readonly schedule?: Scheduler
  /** The build version that Kerf reports. */
  readonly version?: string
  /** Reads a file of the process. Absent: the process reads no files. */
  readonly readFile?: (path: string) => Promise<string>
  /** See `KerfDeps`. */
  readonly pause?: () => Promise<unknown>
  /** See `KerfDeps`. */
  readonly rehearses?: boolean
  /**
   * Returns the clock of Kerf's machine. The parameter is the clock of the harness, which the API server uses. Kerf measures the difference
   * between the two clocks from the header `Date` of responses, which is `headerAhead` ahead of the API server's time. If absent, Kerf uses
   * the clock of the harness.
   */
  readonly ownClock?: (clock: Clock) => Clock
  readonly headerAhead?: () => Milliseconds
  /** The initial fault function. An assignment to `harness.fault` replaces it. */
  readonly fault?: Fault
  /** Intercepts API calls of the cluster's controllers. */
  readonly clusterInterceptor?: Interceptor
}
