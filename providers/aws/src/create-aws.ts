import type { ProviderContext, ProviderSurroundings, RunningProvider } from '@kerf/provider-contract'
import type { Settings } from '@kerf/runtime'
import { awsNetwork } from './api/network.ts'
import { findRegion } from './api/region.ts'
import { sdkApi } from './api/sdk-api.ts'
import { AwsProvider } from './aws-provider.ts'
import { awsErrors } from './failures/aws-errors.ts'
import { readPriceFile } from './pricing/price-file.ts'
import type { AwsSettings } from './settings/aws-settings.ts'

/**
 * Creates the provider from the settings and the environment.
 *
 * @throws Error if the cluster name or region is missing, or if the price file cannot be used.
 */
export const createAws = async (
  settings: Settings & AwsSettings,
  context: ProviderContext,
  { metrics, connection, env, version, namespace, gate }: ProviderSurroundings,
): Promise<RunningProvider> => {
  if (settings.clusterName === '') throw awsErrors.NoClusterName({ setting: 'CLUSTER_NAME' })
  const priceFile = await readPriceFile(settings.awsPriceFile)
  const region = await findRegion(settings.awsRegion, env)
  const { clock } = context
  const { awsEndpointUrl: endpoint, awsMaxAttempts: maxAttempts } = settings
  // The SDK reads the environment itself, which may also contain endpoints for individual services.
  const isOwn = endpoint !== '' && endpoint !== env['AWS_ENDPOINT_URL']
  const network = awsNetwork(env)
  const api = sdkApi({ region, maxAttempts, version, clock, metrics, gate, network, ...(isOwn ? { endpoint } : {}) })
  const { ca } = connection.tls
  const provider = new AwsProvider(context, {
    api,
    metrics,
    settings,
    region,
    namespace,
    reservedCapacity: settings.featureGates.ReservedCapacity,
    nodeOverlay: settings.featureGates.NodeOverlay,
    minValuesPolicy: settings.minValuesPolicy,
    ...(ca === undefined ? {} : { caBundle: Buffer.from(ca).toString('base64') }),
    ...(priceFile === undefined ? {} : { priceFile }),
  })
  return {
    provider,
    start: (signal) => provider.warmUp(signal),
    ready: { aws: () => provider.access() },
  }
}
