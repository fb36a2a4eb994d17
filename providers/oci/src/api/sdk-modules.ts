import { lazily } from '@kerf/provider-kit'

/** Modules of the SDK. Each is loaded on first use, so that users of other providers never load it. */
export const sdkModules = {
  common: lazily(() => import('./clients/common.ts')),
  core: lazily(() => import('./clients/core.ts')),
  identity: lazily(() => import('./clients/identity.ts')),
  workRequests: lazily(() => import('./clients/work-requests.ts')),
} as const

/**
 * Returns the configuration of clients, without the SDK's circuit breaker. It would leave two timers running until its client is closed,
 * and the kit's client already limits retries.
 */
export const clientConfiguration = lazily(async () => {
  const { CircuitBreaker } = await sdkModules.common()
  return { circuitBreaker: new CircuitBreaker({ disableClientCircuitBreaker: true }) }
})

/** Loads all modules. In a simulation, the first calls of a process would otherwise take longer than later ones. */
export const loadSdk = async (): Promise<void> => {
  await Promise.all([clientConfiguration(), ...Object.values(sdkModules).map((load) => load())])
}
