import type { InstanceType } from '@kerf/engine'
import { loadCatalogue } from '@kerf/provider-kwok'
import { Option } from 'commander'
import { UsageError } from '../cli-error.ts'
import { offlineInstanceTypes, offlineProviders, providerNamed } from '../providers.ts'

/** Which machines there are to launch: those of a catalogue that comes with Kerf, or of a file. */
export interface CatalogueChoice {
  /** The name of a provider. */
  readonly catalogue?: string
  /** A file in the layout of Karpenter's KWOK provider. */
  readonly instanceTypes?: string
}

/** `--catalogue`, the same everywhere. */
export const catalogueOption = (): Option =>
  new Option(
    '--catalogue <name>',
    "machines that come with Kerf: kwok, the 144 types of Karpenter's KWOK provider (default), or aws, EC2's types in us-east-1 with on-demand prices as published and estimated spot prices",
  ).choices(offlineProviders)

/** What a person should know of the prices of the choice; nothing for those that are nobody's. */
export const priceNote = ({ catalogue }: CatalogueChoice): string | undefined =>
  catalogue === undefined ? undefined : providerNamed(catalogue).instanceTypes?.priceNote

/**
 * The machines of the choice. `readFile` reads a catalogue file.
 *
 * @throws UsageError when both a name and a file are given; CatalogueError for a file that cannot be used.
 */
export const openCatalogue = async (
  { catalogue, instanceTypes }: CatalogueChoice,
  readFile: (file: string) => Promise<readonly InstanceType[]> = loadCatalogue,
): Promise<readonly InstanceType[]> => {
  if (instanceTypes === undefined) return await offlineInstanceTypes(catalogue ?? 'kwok')
  if (catalogue !== undefined)
    throw new UsageError('--catalogue and --instance-types both say which machines there are; leave one of the two out')
  return await readFile(instanceTypes)
}
