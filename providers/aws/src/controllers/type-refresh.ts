import { type Controller, retryAfter } from '@kerf/runtime'
import type { AwsDeps } from '../aws-deps.ts'

const EVERY = 12 * 3_600_000

/** Reads the instance types and their zones regularly (`providers/aws/docs/spec/aws.md#instance-types`). */
export const typeRefresh = ({ context, regionTypes }: AwsDeps): Controller => ({
  name: 'providers.instancetype',
  sources: [],
  concurrency: 1,
  singleton: true,
  readsOnly: true,
  reconcile: async (_key, signal) => {
    // The instance types were read when the process started.
    if (regionTypes.age < EVERY) return retryAfter(EVERY - regionTypes.age)
    const before = regionTypes.sequence
    await regionTypes.read(signal)
    if (regionTypes.sequence !== before)
      context.log.info('discovered instance types', { count: regionTypes.types.length, zones: regionTypes.zones })
    return retryAfter(EVERY)
  },
})
