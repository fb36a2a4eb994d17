import { type Controller, retryAfter } from '@kerf/runtime'
import type { AwsDeps } from '../aws-deps.ts'

const EVERY = 300_000
const SUPPORTED = { min: 26, max: 36 } as const

/**
 * Reads the Kubernetes version regularly, because the images depend on it (`providers/aws/docs/spec/aws.md#kubernetes-version`,
 * `providers/aws/docs/spec/aws-controllers.md#other-controllers`).
 */
export const clusterVersion = ({ context, cluster, images }: AwsDeps): Controller => {
  let known: string | undefined
  return {
    name: 'providers.version',
    sources: [],
    concurrency: 1,
    singleton: true,
    readsOnly: true,
    reconcile: async (_key, signal) => {
      const version = await cluster.readVersion(signal)
      if (version !== known) {
        known = version
        images.clear()
        const [major, minor] = version.split('.').map(Number)
        context.log.info('Kubernetes version', { version })
        if (major !== 1 || minor === undefined || minor < SUPPORTED.min || minor > SUPPORTED.max)
          context.log.error('this Kubernetes version is not supported; continuing anyway', {
            version,
            supported: `1.${SUPPORTED.min} to 1.${SUPPORTED.max}`,
          })
      }
      return retryAfter(EVERY)
    },
  }
}
