import type { NamedCluster, VerbTools } from '@kerf/provider-contract'
import type { PriceTable } from '@kerf/provider-kit'
import { type Clock, silentMetrics } from '@kerf/runtime'
import type { AwsApi } from '../api/aws-api.ts'
import { awsNetwork } from '../api/network.ts'
import { sdkApi } from '../api/sdk-api.ts'
import { awsPriceMemory } from '../pricing/price-memory.ts'

/** The sources of `kerf aws prices`. */
export interface PriceReaders {
  readonly clock: Clock
  /**
   * Returns the latest prices of the region that the controller in the cluster has read from AWS, or undefined if there are none.
   * @throws Error if no cluster can be reached
   */
  remembered(region: string, namespace: string): Promise<PriceTable | undefined>
  /** Returns AWS clients with the credentials of the user. */
  api(region: string): Pick<AwsApi, 'ec2' | 'pricing'>
}

const TIMEOUT = 10_000
const ATTEMPTS = 3

/** Returns price readers for the chosen cluster and, through the SDK, for AWS. */
export const priceReaders = async (cluster: NamedCluster, tools: VerbTools): Promise<PriceReaders> => {
  const { clock } = await tools.system()
  return {
    clock,
    remembered: async (region, namespace) => {
      const { client, close } = await tools.connect(cluster)
      try {
        return await awsPriceMemory(client, { namespace, region }).load(AbortSignal.timeout(TIMEOUT))
      } finally {
        await close()
      }
    },
    api: (region) =>
      sdkApi({
        region,
        maxAttempts: ATTEMPTS,
        version: tools.version,
        clock,
        metrics: silentMetrics,
        network: awsNetwork(tools.streams.env),
      }),
  }
}
