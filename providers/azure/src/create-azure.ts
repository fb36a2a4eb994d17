import { readFile } from 'node:fs/promises'
import type { ProviderContext, ProviderSurroundings, RunningProvider } from '@kerf/provider-contract'
import { type PriceTable, parsePriceTable } from '@kerf/provider-kit'
import { runtimeErrors, type Settings, textOfThrown } from '@kerf/runtime'
import { completedSettings, connectAzure } from './api/connect-azure.ts'
import { AzureProvider } from './azure-provider.ts'
import type { AzureSettings } from './settings/azure-settings.ts'
import { settingProblems } from './settings/setting-problems.ts'

const readPriceFile = async (file: string): Promise<PriceTable | undefined> => {
  if (file === '') return undefined
  try {
    return parsePriceTable(await readFile(file, 'utf8'))
  } catch (error) {
    const problems = [`AZURE_PRICE_FILE ${file} cannot be used: ${textOfThrown(error)}`]
    throw runtimeErrors.InvalidSetting({ problems }, { cause: error })
  }
}

/**
 * Creates the provider from the settings and the environment.
 *
 * @throws Error with all problems of the settings, and for files that cannot be read.
 */
export const createAzure = async (
  given: Settings & AzureSettings,
  context: ProviderContext,
  { metrics, connection, env, version, namespace, gate }: ProviderSurroundings,
): Promise<RunningProvider> => {
  const settings = completedSettings(given, env)
  const problems = settingProblems(settings)
  if (problems.length > 0) throw runtimeErrors.InvalidSetting({ problems })
  const { clock, random, log } = context
  const [{ api, cloud, plain }, priceFile] = await Promise.all([
    connectAzure(settings, { clock, random, log, env, version, gate }),
    readPriceFile(settings.azurePriceFile),
  ])
  const { ca } = connection.tls
  const provider = new AzureProvider(context, {
    ...{ api, metrics, settings, namespace, hasBilling: cloud.hasBillingExtension },
    caBundle: ca === undefined ? '' : Buffer.from(ca).toString('base64'),
    ...(priceFile === undefined ? {} : { priceFile }),
    ...(cloud.hasRetailPrices ? { priceHttp: plain } : {}),
  })
  return {
    provider,
    start: (signal) => provider.warmUp(signal),
    ready: { azure: () => provider.access() },
  }
}
