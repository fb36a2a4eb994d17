import type { ProviderContext, ProviderSurroundings, RunningProvider } from '@kerf/provider-contract'
import { connectBizfly } from './api/connect-bizfly.ts'
import { BizflyProvider } from './bizfly-provider.ts'
import type { BizflySettings } from './bizfly-settings.ts'

/**
 * Creates the provider from the settings and the environment.
 *
 * @throws KerfError `InvalidSetting` for missing settings
 */
export const createBizfly = async (
  settings: BizflySettings,
  context: ProviderContext,
  { env, version, gate }: Pick<ProviderSurroundings, 'env' | 'version' | 'gate'>,
): Promise<RunningProvider> => {
  const { clock, random } = context
  const { api, clusterToken } = connectBizfly(settings, { clock, random, env, version, gate })
  const { bizflyCloudRegion: region, bkeClusterID: clusterId, bkeKubernetesVersion: kubernetesVersion } = settings
  const join = {
    ...{ clusterId, clusterToken },
    ...{ joinEndpoint: settings.bkeJoinEndpoint, logEndpoint: settings.bkeLogEndpoint },
  }
  return { provider: new BizflyProvider(context, { api, region, join, kubernetesVersion }) }
}
