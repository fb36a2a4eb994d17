import { readFile } from 'node:fs/promises'
import type { ProviderContext, ProviderSurroundings, RunningProvider } from '@kerf/provider-contract'
import { runtimeErrors, type Settings, textOfThrown } from '@kerf/runtime'
import { connectProxmox } from './config/connect-proxmox.ts'
import { type GuestType, generatedTypes } from './instance-types/guest-type.ts'
import { readTypesFile } from './instance-types/types-file.ts'
import { ProxmoxProvider } from './proxmox-provider.ts'
import type { ProxmoxSettings } from './settings/proxmox-settings.ts'

const typesIn = async (file: string): Promise<readonly GuestType[]> => {
  if (file === '') return generatedTypes
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    const problems = [`INSTANCE_TYPES_FILE ${file} cannot be read: ${textOfThrown(error)}`]
    throw runtimeErrors.InvalidSetting({ problems }, { cause: error })
  }
  const read = readTypesFile(text)
  if ('types' in read) return read.types
  throw runtimeErrors.InvalidSetting({
    problems: read.problems.map((problem) => `INSTANCE_TYPES_FILE ${file}: ${problem}`),
  })
}

/**
 * Creates the provider from the settings and the files that they name. Makes no call.
 *
 * @throws KerfError `InvalidSetting` for missing settings, and for files that cannot be used.
 */
export const createProxmox = async (
  settings: Settings & ProxmoxSettings,
  context: ProviderContext,
  { env, version, gate }: Pick<ProviderSurroundings, 'env' | 'version' | 'gate'>,
): Promise<RunningProvider> => {
  const { clusterName: cluster, cloudConfig, instanceTypesFile, proxmoxVmid: firstId, proxmoxClones } = settings
  if (cluster === '')
    throw runtimeErrors.InvalidSetting({
      problems: [
        'CLUSTER_NAME is not set; set it to the name of the Kubernetes cluster, which Kerf writes into the description of each guest',
      ],
    })
  const { clock, random } = context
  const apis = await connectProxmox(cloudConfig, { clock, random, env, version, gate })
  const types = await typesIn(instanceTypesFile)
  const prefersLinked = proxmoxClones === 'linked'
  return { provider: new ProxmoxProvider(context, { apis, types, cluster, firstId, prefersLinked }) }
}
