import { readFile } from 'node:fs/promises'
import { fieldOf, textFieldOf } from '@kerf/provider-kit'
import type { AzureSettings } from '../settings/azure-settings.ts'

/** Where an Azure cloud answers. */
export interface CloudEndpoints {
  readonly resourceManager: string
  /** Whom tokens are asked of. */
  readonly activeDirectory: string
  /** Whom tokens are for. */
  readonly audience: string
  /** Only the public cloud has a price API that knows its prices. */
  readonly hasRetailPrices: boolean
  /** Nodes are billed as AKS's by an extension of their VM. Clouds that a file describes have none. */
  readonly hasBillingExtension: boolean
  /** Microsoft's public directory knows nothing of it, and may not be reachable from it. */
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
    throw new Error(`AZURE_ENVIRONMENT_FILEPATH ${file} cannot be read as JSON; write the cloud's endpoints to it`, {
      cause: error,
    })
  }
  const field = (name: string): string => {
    const value = textFieldOf(document, name)
    if (value === undefined)
      throw new Error(`AZURE_ENVIRONMENT_FILEPATH ${file} has no ${name}; Azure's cloud files name it`)
    return value.replace(/\/$/, '')
  }
  const audience = fieldOf(document, 'tokenAudience')
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
 * The endpoints of the cloud that the settings name.
 *
 * @throws Error for a file that cannot be read, or lacks an endpoint.
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
