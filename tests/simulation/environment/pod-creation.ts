import { ApiError, type Clock, sleep } from '@kerf/runtime'
import type { Interceptor } from '@kerf/sandbox'
import type { ExpectedPods } from '../runs/expected-pods.ts'

/**
 * Returns an interceptor that delays the creation of pods by the cluster's controllers. For some time it also refuses them with 403
 * Forbidden, like the admission plugin ResourceQuota (Kubernetes documentation, "Resource Quotas").
 */
export const podCreation = ({ podDelay, refusal }: ExpectedPods, clock: Clock): Interceptor => ({
  before: async ({ verb, kind }) => {
    if (verb !== 'create' || kind?.kind !== 'Pod') return
    if (podDelay > 0) await sleep(clock, podDelay)
    const now = clock.monotonic()
    if (refusal !== undefined && now >= refusal.from && now < refusal.until)
      throw new ApiError({ code: 403, reason: 'Forbidden', message: 'pods is forbidden: exceeded quota: pods' })
  },
})
