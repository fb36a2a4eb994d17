import type { Filter, NetworkInterface, Volume } from '@aws-sdk/client-ec2'
import { lazily } from '@kerf/provider-kit'
import { clientConfig, type SdkOptions, sdkMeter } from './sdk-clients.ts'

/**
 * Reads resources that launches may leave behind, except instances, launch templates and instance profiles. The controller never reads
 * them, because EC2 deletes volumes and network interfaces together with their instance. `kerf aws verify` checks that EC2 has done so.
 */
export interface Leftovers {
  describeVolumes(filters: readonly Filter[], signal: AbortSignal): Promise<readonly Volume[]>
  describeNetworkInterfaces(filters: readonly Filter[], signal: AbortSignal): Promise<readonly NetworkInterface[]>
}

const PAGE_SIZE = 500

/** Returns a reader that uses the SDK with the caller's credentials. */
export const sdkLeftovers = (options: SdkOptions): Leftovers => {
  const meter = sdkMeter(options)
  const sdk = lazily(() => import('./clients/ec2.ts'))
  const client = lazily(async () => meter(new (await sdk()).EC2Client(clientConfig(options)), 'EC2'))
  const paging = async () => ({ client: await client(), pageSize: PAGE_SIZE })
  return {
    describeVolumes: async (filters, abortSignal) => {
      const all: Volume[] = []
      const pages = (await sdk()).paginateDescribeVolumes(await paging(), { Filters: [...filters] }, { abortSignal })
      for await (const { Volumes = [] } of pages) all.push(...Volumes)
      return all
    },
    describeNetworkInterfaces: async (filters, abortSignal) => {
      const all: NetworkInterface[] = []
      const { paginateDescribeNetworkInterfaces } = await sdk()
      const pages = paginateDescribeNetworkInterfaces(await paging(), { Filters: [...filters] }, { abortSignal })
      for await (const { NetworkInterfaces = [] } of pages) all.push(...NetworkInterfaces)
      return all
    },
  }
}
