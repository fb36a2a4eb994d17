import type { InstanceType } from '@kerf/engine'
import { loadInstanceTypes } from '@kerf/provider-kwok'
import { Option } from 'commander'
import { UsageError } from '../cli-error.ts'
import { defaultProvider, offlineInstanceTypes, offlineProviders, providerNamed } from '../providers.ts'

/** Which instance types there are to launch. */
export interface InstanceTypesChoice {
  /** The name of a provider with offline instance types, or a file in the layout of Karpenter's KWOK provider. */
  readonly instanceTypes?: string
  /** The older flag, which takes names only. */
  readonly catalogue?: string
}

const described = (): string =>
  offlineProviders
    .map((name) => {
      const description = providerNamed(name).instanceTypes?.description ?? ''
      return `${name}, ${description}${name === defaultProvider ? ' (default)' : ''}`
    })
    .join('; ')

/** `--instance-types`, the same everywhere. */
export const instanceTypesOption = (): Option =>
  new Option(
    '--instance-types <source>',
    `the instance types to launch: ${described()}; or a file in the format of Karpenter's KWOK provider`,
  )

/** What `--instance-types` was called before it took names. */
export const oldInstanceTypesOption = (): Option =>
  new Option('--catalogue <name>', 'the older name of --instance-types').choices(offlineProviders)

/**
 * What the choice names: a provider, or a file.
 *
 * @throws UsageError when both flags are given.
 */
export const sourceOf = ({ instanceTypes, catalogue }: InstanceTypesChoice): string => {
  if (instanceTypes !== undefined && catalogue !== undefined)
    throw new UsageError(
      '--catalogue and --instance-types both say which instance types there are; leave one of the two out',
    )
  return instanceTypes ?? catalogue ?? defaultProvider
}

/** What a person should know about the prices of the choice. Undefined for invented prices. */
export const priceNote = (choice: InstanceTypesChoice): string | undefined => {
  const source = sourceOf(choice)
  return offlineProviders.includes(source) ? providerNamed(source).instanceTypes?.priceNote : undefined
}

/**
 * The instance types of the choice. `readFile` reads a file with instance types.
 *
 * @throws UsageError when both flags are given; InstanceTypeFileError for a file that cannot be used.
 */
export const openInstanceTypes = async (
  choice: InstanceTypesChoice,
  readFile: (file: string) => Promise<readonly InstanceType[]> = loadInstanceTypes,
): Promise<readonly InstanceType[]> => {
  const source = sourceOf(choice)
  return (await offlineInstanceTypes(source)) ?? (await readFile(source))
}
