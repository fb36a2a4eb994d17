import { readFile } from 'node:fs/promises'
import { readField, readTextField } from '@kerf/provider-kit'
import { runtimeErrors } from '@kerf/runtime'
import type { AzureSettings } from '../settings/azure-settings.ts'

/** The endpoints of an Azure cloud. */
export interface CloudEndpoints {
  readonly resourceManager: string
  /** The authority that issues tokens. */
  readonly activeDirectory: string
  /** The audience of tokens. */
  readonly audience: string
  /** Whether a retail price API returns prices for this cloud. This is true only for the public cloud. */
  readonly hasRetailPrices: boolean
  /** Whether an Azure VM extension bills nodes as part of AKS. This is false for clouds that the user describes in a file. */
  readonly hasBillingExtension: boolean
  /** True if Microsoft's public directory does not list the cloud. Such a cloud may also be unable to reach the directory. */
  readonly isPrivate: boolean
}

const known = (resourceManager: string, activeDirectory: string, hasRetailPrices: boolean): CloudEndpoints => ({
  ...{ resourceManager, activeDirectory, audience: resourceManager, hasRetailPrices },
  ...{ hasBillingExtension: true, isPrivate: false },
})

const clouds: Readonly<Record<Exclude<AzureSettings['armCloud'], ''>, CloudEndpoints>> = {
  AzurePublicCloud: known('https://management.azure.com', 'https://login.microsoftonline.com', true),
  AzureUSGovernmentCloud: known('https://management.usgovcloudapi.net', 'https://login.microsoftonline.us', false),
  AzureChinaCloud: known('https://management.chinacloudapi.cn', 'https://login.chinacloudapi.cn', false),
}

const fromFile = async (file: string): Promise<CloudEndpoints> => {
  let document: unknown
  try {
    document = JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    const problems = [
      `AZURE_ENVIRONMENT_FILEPATH ${file} is not valid JSON; it must contain the endpoints of the cloud`,
    ]
    throw runtimeErrors.InvalidSetting({ problems }, { cause: error })
  }
  const field = (name: string): string => {
    const value = readTextField(document, name)
    if (value === undefined)
      throw runtimeErrors.InvalidSetting({
        problems: [`AZURE_ENVIRONMENT_FILEPATH ${file} has no ${name}, which Azure cloud files require`],
      })
    return value.replace(/\/$/, '')
  }
  const audience = readField(document, 'tokenAudience')
  return {
    resourceManager: field('resourceManagerEndpoint'),
    activeDirectory: field('activeDirectoryEndpoint'),
    audience:
      typeof audience === 'string' && audience !== ''
        ? audience.replace(/\/$/, '')
        : field('serviceManagementEndpoint'),
    hasRetailPrices: false,
    hasBillingExtension: false,
    isPrivate: true,
  }
}

/**
 * Returns the endpoints of the cloud that the settings select.
 *
 * @throws Error if the file cannot be read or lacks an endpoint.
 */
export const cloudEndpoints = async ({
  armCloud,
  azureEnvironmentFile,
  azureEndpointURL,
}: Pick<AzureSettings, 'armCloud' | 'azureEnvironmentFile' | 'azureEndpointURL'>): Promise<CloudEndpoints> => {
  const cloud =
    azureEnvironmentFile === ''
      ? clouds[armCloud === '' ? 'AzurePublicCloud' : armCloud]
      : await fromFile(azureEnvironmentFile)
  return azureEndpointURL === '' ? cloud : { ...cloud, resourceManager: azureEndpointURL, hasRetailPrices: false }
}
