import { type AwsApi, awsPriceMemory, networkOf, sdkApi } from '@kerf/provider-aws'
import type { PriceTable } from '@kerf/provider-kit'
import { type Clock, SystemClock, silentMetrics } from '@kerf/runtime'
import { type ClusterChoice, connect } from '../cluster/connect.ts'

/** The sources of `kerf aws prices`. */
export interface PriceReaders {
  readonly clock: Clock
  /**
   * Returns the latest prices of the region that the cluster's controller got from AWS, or undefined if it has none.
   * @throws Error if no cluster can be reached
   */
  remembered(region: string, namespace: string): Promise<PriceTable | undefined>
  /** Returns AWS clients with the credentials of the user. */
  api(region: string): Pick<AwsApi, 'ec2' | 'pricing'>
}

const TIMEOUT = 10_000
const ATTEMPTS = 3

/** Returns readers for the chosen cluster, and for AWS through its SDK. */
export const priceReaders = (cluster: ClusterChoice, version: string): PriceReaders => {
  const clock = new SystemClock()
  return {
    clock,
    remembered: async (region, namespace) => {
      const { client } = connect(cluster)
      try {
        return await awsPriceMemory(client, { namespace, region }).load(AbortSignal.timeout(TIMEOUT))
      } finally {
        await client.close()
      }
    },
    api: (region) =>
      sdkApi({
        region,
        maxAttempts: ATTEMPTS,
        version,
        clock,
        metrics: silentMetrics,
        network: networkOf(cluster.env),
      }),
  }
}
