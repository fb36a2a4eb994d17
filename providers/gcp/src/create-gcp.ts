import { readFile } from 'node:fs/promises'
import type { ProviderContext, ProviderSurroundings, RunningProvider } from '@kerf/provider-contract'
import { type PriceTable, parsePriceTable } from '@kerf/provider-kit'
import { runtimeErrors, type Settings, textOfThrown } from '@kerf/runtime'
import { connectGcp } from './api/connect-gcp.ts'
import { GcpProvider } from './gcp-provider.ts'
import { GcpPrices } from './prices/gcp-prices.ts'
import { type GcpSettings, memoryOverhead, regionOfLocation, settingProblems } from './settings/gcp-settings.ts'

const readPriceFile = async (file: string): Promise<PriceTable | undefined> => {
  if (file === '') return undefined
  try {
    return parsePriceTable(await readFile(file, 'utf8'))
  } catch (error) {
    const problems = [`GCP_PRICE_FILE ${file} cannot be used: ${textOfThrown(error)}`]
    throw runtimeErrors.InvalidSetting({ problems }, { cause: error })
  }
}

/**
 * Creates the provider from the settings and the environment.
 *
 * @throws KerfError `InvalidSetting` for missing settings and unreadable files
 */
export const createGcp = async (
  settings: Settings & GcpSettings,
  context: ProviderContext,
  { metrics, env, version, gate }: Pick<ProviderSurroundings, 'metrics' | 'env' | 'version' | 'gate'>,
): Promise<RunningProvider> => {
  const problems = settingProblems(settings)
  if (problems.length > 0) throw runtimeErrors.InvalidSetting({ problems })
  const { clock, random } = context
  const { api, billing, plain } = connectGcp(settings, { clock, random, env, version, gate })
  const region = regionOfLocation(settings.clusterLocation)
  const provider = new GcpProvider(context, {
    ...{ api, plain, metrics, region, project: settings.projectID },
    ...{ clusterName: settings.clusterName, location: settings.clusterLocation },
    memoryOverhead: memoryOverhead(settings),
    prices: new GcpPrices({
      ...{ clock, region, file: await readPriceFile(settings.gcpPriceFile) },
      catalog: settings.gcpCurrentPrices ? billing : undefined,
    }),
    serviceAccount: settings.defaultNodepoolServiceAccount,
    sourcePool: settings.defaultNodepoolTemplateName,
    watchesInterruptions: settings.interruption,
  })
  return { provider }
}
