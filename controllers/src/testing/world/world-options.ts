import type { Milliseconds } from '@kerf/apis'
import type { CloudProvider } from '@kerf/provider-contract'
import type { KwokProvider, KwokSettings } from '@kerf/provider-kwok'
import type { ApiError, Clock, Controller } from '@kerf/runtime'
import type { ApiCall, Interceptor } from '@kerf/sandbox'
import type { ControllerSettings, Deps, FeatureGates, Scheduler } from '../../deps.ts'

/** What happens to a call: an error as the answer, the end of the process, or its end and the start of the next one. */
export type FaultResult = ApiError | 'crash' | 'restart' | undefined

/** Asked before and after each call of Kerf takes effect. A promise delays the call. */
export type Fault = (call: ApiCall, when: 'before' | 'after') => FaultResult | Promise<FaultResult>

export interface WorldOptions {
  /** The same seed gives the same run. Default 1. */
  readonly seed?: number
  readonly settings?: Partial<ControllerSettings>
  /** These gates differ from the ones in `settings`. */
  readonly gates?: Partial<FeatureGates>
  /**
   * The controllers of a process, besides the provider's; `lifecycle()` makes those that bring a NodeClaim to life and to
   * its end. Default: a whole Kerf, which is `world.kerf` then.
   */
  readonly controllers?: (deps: Deps) => readonly Controller[]
  /**
   * What runs beside Kerf. `api`: an API server only; tests mark pods as unschedulable and bind them. `controller-manager`:
   * the workload controllers and the garbage collector too. `whole`: a scheduler and kubelets too. Unless it is `whole`, the
   * KWOK provider plays the kubelets of its nodes. Default `api`.
   */
  readonly cluster?: 'api' | 'controller-manager' | 'whole'
  readonly kwok?: Partial<KwokSettings>
  /** `nodeRegistrationDelay` of the node class `default`. */
  readonly registrationDelay?: string
  /** Makes the controllers' provider from the KWOK provider. */
  readonly provider?: (kwok: KwokProvider) => CloudProvider
  readonly schedule?: Scheduler
  /** What Kerf reports as the version of its build. */
  readonly version?: string
  /** As in `KerfOptions`. */
  readonly pause?: () => Promise<unknown>
  /** As in `KerfOptions`. */
  readonly rehearses?: boolean
  /**
   * The clock of Kerf's machine, made from the world's, which is the API server's. Kerf measures the difference by the
   * answers, whose header `Date` is `headerAhead` of the API server's time. Default: the world's clock itself.
   */
  readonly ownClock?: (clock: Clock) => Clock
  readonly headerAhead?: () => Milliseconds
  /** For the first moment of the world. `world.fault` changes it. */
  readonly fault?: Fault
  /** Between the cluster's own controllers and the API. */
  readonly clusterInterceptor?: Interceptor
}
