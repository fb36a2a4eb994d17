import { kinds } from '@kerf/apis'
import type { ProviderContext, ProviderSurroundings, RunningProvider } from '@kerf/provider-contract'
import { runtimeErrors, type Settings } from '@kerf/runtime'
import { connectOci } from './api/connect-oci.ts'
import type { ClusterJoin } from './bootstrap/cluster-join.ts'
import { OciProvider } from './oci-provider.ts'
import { connectPriceList } from './prices/connect-price-list.ts'
import { ShapePrices } from './prices/shape-prices.ts'
import { compartments, launchTimeouts, ociAccess, typeSettings } from './settings/oci-options.ts'
import type { OciSettings } from './settings/oci-settings.ts'

const HOUR = 3_600_000

/** Returns the data that nodes need to reach the API server. */
const clusterJoin = (settings: OciSettings, connection: ProviderSurroundings['connection']): ClusterJoin => {
  const endpoint = settings.apiserverEndpoint || settings.clusterEndpoint
  if (endpoint === '')
    throw runtimeErrors.InvalidSetting({
      problems: [
        'CLUSTER_ENDPOINT or APISERVER_ENDPOINT: the address of the API server is required, so that nodes can join',
      ],
    })
  const { ca } = connection.tls
  const own = ca === undefined ? '' : Buffer.from(ca).toString('base64')
  return {
    endpoint,
    caBundle: settings.clusterCABundle || own,
    dns: settings.clusterDNS,
    bootstrapToken: settings.clusterBootstrapToken,
    isVcnNative: settings.ociVCNIPNative,
  }
}

/** Returns the cluster's name in the tags of its instances. If no setting specifies it, this is the uid of the namespace `kube-system`. */
const clusterName = async ({ clusterName: name }: OciSettings, { client }: ProviderContext): Promise<string> =>
  name || ((await client.get(kinds.Namespace, { name: 'kube-system' })).metadata.uid ?? '')

/**
 * Creates the provider from the settings and the environment.
 *
 * @throws KerfError `InvalidSetting` for missing settings and unreadable files; `NoOciCredentials` if the region must come from the
 * credentials, and there are none
 */
export const createOci = async (
  settings: Settings & OciSettings,
  context: ProviderContext,
  { env, version, gate, connection }: Pick<ProviderSurroundings, 'env' | 'version' | 'gate' | 'connection'>,
): Promise<RunningProvider> => {
  const join = clusterJoin(settings, connection)
  const places = compartments(settings)
  const { clock, random, log } = context
  const { api, region } = await connectOci(await ociAccess(settings), { clock, random, log, env, version, gate })
  const provider = new OciProvider(context, {
    ...{ api, region, compartments: places, join, types: typeSettings(settings) },
    launchTimeouts: launchTimeouts(settings),
    repairPolicies: settings.repairPolicies,
    ownership: { clusterName: await clusterName(settings, context), tagNamespace: settings.tagNamespace },
    prices: new ShapePrices({ clock, read: connectPriceList(settings, { clock, random, env, version }) }),
    pricesEvery: settings.priceSyncPeriod * HOUR,
  })
  return { provider }
}
