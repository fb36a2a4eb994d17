import { readFile } from 'node:fs/promises'
import type { ProviderContext, ProviderSurroundings, RunningProvider } from '@kerf/provider-contract'
import { runtimeErrors, type Settings, textOfThrown } from '@kerf/runtime'
import { connectProxmox } from './config/connect-proxmox.ts'
import { type GuestType, generatedTypes } from './instance-types/guest-type.ts'
import { readTypesFile } from './instance-types/types-file.ts'
import { ProxmoxProvider } from './proxmox-provider.ts'
import { type HypervisorSettingsLookup, readNodeSettings, usualHypervisors } from './settings/node-settings.ts'
import type { ProxmoxSettings } from './settings/proxmox-settings.ts'

/** Returns the content of a file from the settings. @throws KerfError `InvalidSetting` if it cannot be read */
const textIn = async (setting: string, file: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const problems = [`${setting} ${file} cannot be read: ${textOfThrown(error)}`]
    throw runtimeErrors.InvalidSetting({ problems }, { cause: error })
  }
}

const invalid = (setting: string, file: string, problems: readonly string[]): Error =>
  runtimeErrors.InvalidSetting({ problems: problems.map((problem) => `${setting} ${file}: ${problem}`) })

const typesIn = async (file: string): Promise<readonly GuestType[]> => {
  if (file === '') return generatedTypes
  const read = readTypesFile(await textIn('INSTANCE_TYPES_FILE', file))
  if ('types' in read) return read.types
  throw invalid('INSTANCE_TYPES_FILE', file, read.problems)
}

const hypervisorsIn = async (file: string): Promise<HypervisorSettingsLookup> => {
  if (file === '') return usualHypervisors
  const read = readNodeSettings(await textIn('NODE_SETTING_FILE', file))
  if ('hypervisors' in read) return read.hypervisors
  throw invalid('NODE_SETTING_FILE', file, read.problems)
}

/**
 * Creates the provider from the settings and the files to which they refer. Makes no API call.
 *
 * @throws KerfError `InvalidSetting` for missing settings and unusable files
 */
export const createProxmox = async (
  settings: Settings & ProxmoxSettings,
  context: ProviderContext,
  { env, version, gate }: Pick<ProviderSurroundings, 'env' | 'version' | 'gate'>,
): Promise<RunningProvider> => {
  const { clusterName: cluster, cloudConfig, instanceTypesFile, proxmoxVmid: firstId, proxmoxClones } = settings
  const { nodeSettingFile, nodePolicy: policy, proxmoxCloudInit: allowsCloudInit } = settings
  if (cluster === '')
    throw runtimeErrors.InvalidSetting({
      problems: [
        'CLUSTER_NAME is not set; set it to the name of the Kubernetes cluster, which Kerf writes into the description of each guest',
      ],
    })
  const { clock, random } = context
  const mustBeRoot = policy === 'static'
  const apis = await connectProxmox(cloudConfig, { clock, random, env, version, gate, mustBeRoot })
  const types = await typesIn(instanceTypesFile)
  const hypervisors = await hypervisorsIn(nodeSettingFile)
  const prefersLinked = proxmoxClones === 'linked'
  return {
    provider: new ProxmoxProvider(context, {
      ...{ apis, types, cluster, firstId, prefersLinked, allowsCloudInit, hypervisors, policy },
    }),
  }
}
