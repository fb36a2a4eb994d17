import type { CloudProvider, ProviderContext } from '@kerf/provider-contract'
import type { Connection, HealthChecks, Metrics } from '@kerf/runtime'
import type { RunSettings } from './run-settings.ts'
import { systemNamespaceOf } from './system-namespace.ts'

/** What a provider may need of the process besides what every provider gets. */
export interface ProviderSurroundings {
  readonly metrics: Metrics
  readonly connection: Connection
  readonly env: Readonly<Record<string, string | undefined>>
  readonly version: string
}

/** A provider as the process runs it. */
export interface RunningProvider {
  readonly provider: CloudProvider
  /** Reads what the first plan needs; never throws for what may come right later. */
  readonly start?: (signal: AbortSignal) => Promise<void>
  /** What must hold besides for the process to be ready. */
  readonly ready?: HealthChecks
}

const awsProvider = async (
  settings: RunSettings,
  context: ProviderContext,
  { metrics, connection, env, version }: ProviderSurroundings,
): Promise<RunningProvider> => {
  const { AwsProvider, awsErrors, findRegion, networkOf, readPriceFile, sdkApi } = await import('@kerf/provider-aws')
  if (settings.clusterName === '') throw awsErrors.NoClusterName({ setting: 'CLUSTER_NAME' })
  const priceFile = await readPriceFile(settings.awsPriceFile)
  const region = await findRegion(settings.awsRegion, env)
  const { clock } = context
  const { awsEndpointUrl: endpoint, awsMaxAttempts: maxAttempts } = settings
  // The SDK reads the environment itself, and there may be other addresses for single services in it.
  const isOwn = endpoint !== '' && endpoint !== env['AWS_ENDPOINT_URL']
  const network = networkOf(env)
  const api = sdkApi({ region, maxAttempts, version, clock, metrics, network, ...(isOwn ? { endpoint } : {}) })
  const { ca } = connection.tls
  const provider = new AwsProvider(context, {
    api,
    metrics,
    settings,
    region,
    namespace: systemNamespaceOf(settings, connection),
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

/** The provider that the settings name. Throws for files that cannot be read and for settings that are missing. */
export const createProvider = async (
  settings: RunSettings,
  context: ProviderContext,
  surroundings: ProviderSurroundings,
): Promise<RunningProvider> => {
  switch (settings.provider) {
    case 'kwok': {
      const { KwokProvider } = await import('@kerf/provider-kwok')
      const { openCatalogue } = await import('../cluster/machine-catalogue.ts')
      const { catalogue, instanceTypesFilePath, simulateKubelet, nodeReadyDelay, instanceTerminationDelay } = settings
      const provider = new KwokProvider(context, {
        catalogue: await openCatalogue(
          instanceTypesFilePath === '' ? { catalogue } : { instanceTypes: instanceTypesFilePath },
        ),
        settings: { simulateKubelet, nodeReadyDelay, instanceTerminationDelay },
      })
      return { provider }
    }
    case 'aws':
      return await awsProvider(settings, context, surroundings)
  }
}
