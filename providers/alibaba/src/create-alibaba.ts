import { readFile } from 'node:fs/promises'
import type { ProviderContext, ProviderSurroundings, RunningProvider } from '@kerf/provider-contract'
import { runtimeErrors, type Settings, textOfThrown } from '@kerf/runtime'
import { AlibabaProvider } from './alibaba-provider.ts'
import { connectAlibaba } from './api/connect-alibaba.ts'
import { fromCny } from './pricing/currency.ts'
import { type PriceFile, readPriceFile } from './pricing/price-file.ts'
import { type AlibabaSettings, memoryOverhead } from './settings/alibaba-settings.ts'
import { onDemandPricesInCny } from './tables/on-demand-prices.ts'

const filePrices = async (file: string): Promise<PriceFile | undefined> => {
  if (file === '') return undefined
  try {
    return readPriceFile(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    const problems = [`ALIBABA_PRICE_FILE ${file} cannot be used: ${textOfThrown(error)}`]
    throw runtimeErrors.InvalidSetting({ problems }, { cause: error })
  }
}

/**
 * Creates the provider from the settings and the environment.
 *
 * @throws KerfError `InvalidSetting` for missing settings and unreadable files
 */
export const createAlibaba = async (
  settings: Settings & AlibabaSettings,
  context: ProviderContext,
  {
    metrics,
    env,
    version,
    namespace,
    gate,
  }: Pick<ProviderSurroundings, 'metrics' | 'env' | 'version' | 'namespace' | 'gate'>,
): Promise<RunningProvider> => {
  const { clusterID: clusterId, clusterType, alibabaCnyPerUsd: cnyPerUsd } = settings
  const { clock, random } = context
  const { api, region } = await connectAlibaba(settings, { clock, random, env, version, gate })
  const file = await filePrices(settings.alibabaPriceFile)
  const bundled = [...(onDemandPricesInCny(region) ?? [])].map(
    ([type, price]) => [type, fromCny(price, cnyPerUsd)] as const,
  )
  const provider = new AlibabaProvider(context, {
    ...{ api, metrics, region, clusterId, namespace, cnyPerUsd, isManaged: clusterType === 'ACKManaged' },
    vmMemoryOverheadPercent: memoryOverhead(settings),
    firstPrices: new Map([...bundled, ...(file?.prices.onDemand ?? [])]),
    watchesInterruptions: settings.interruption,
  })
  return { provider, start: (signal) => provider.warmUp(signal) }
}
