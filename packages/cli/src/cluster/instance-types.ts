import type { KubeObject } from '@kerf/apis'
import { CliError, UsageError } from '@kerf/provider-kit/command-line'
import { Option } from 'commander'
import { defaultProvider, knownProviderNamed, offlineInstanceTypes, offlineProviders } from '../providers.ts'
import type { ClusterChoice } from './connect.ts'
import type { OpenedTypes } from './opened-types.ts'
import { openRegion } from './remembered-regions.ts'
import { askController, isRunningController } from './running-controller.ts'
import { controllerTypes, readTypesFile } from './types-file.ts'

/** The choice of the instance types that Kerf assumes it can launch. */
export interface InstanceTypesChoice {
  /** Where the instance types come from: the name of a provider with offline instance types, a running controller, or a file. */
  readonly instanceTypes?: string
  /** The region, for a provider whose instance types differ by region. */
  readonly region?: string
}

/** The cluster in which the controller runs. The default is the cluster of the current kubectl context. */
interface ControllerCluster {
  readonly kubeconfig?: string
  readonly context?: string
}

const described = (): string =>
  offlineProviders
    .map((name) => {
      const description = knownProviderNamed(name).instanceTypes?.description ?? ''
      return `${name}, ${description}${name === defaultProvider ? ' (default)' : ''}`
    })
    .join('; ')

/** Returns the names of the providers whose instance types differ by region, for the help text. */
const regionalProviders = (): string =>
  offlineProviders.filter((name) => knownProviderNamed(name).instanceTypes?.regions !== undefined).join(' and ')

/** Returns the commands that write the instance types of a region to a file, for the help text. */
const fileCommands = (): string =>
  offlineProviders.flatMap((name) => knownProviderNamed(name).instanceTypes?.regions?.fileCommand ?? []).join(', ')

/** The `--instance-types` flag, which is the same in every command. */
export const instanceTypesOption = (): Option =>
  new Option(
    '--instance-types <source>',
    `the instance types to launch: ${described()}; controller, the types of the Kerf that runs in the cluster (controller:NAMESPACE/SERVICE:PORT, or the URL of its metrics port); or a file: output of ${fileCommands()} or of Kerf's /kerf/v1/instance-types, or the format of Karpenter's KWOK provider`,
  )

/** The `--region` flag, which is the same in every command. */
export const regionOption = (): Option =>
  new Option(
    '--region <region>',
    `for --instance-types ${regionalProviders()}: the region of the types, zones and prices (default: the region that the objects name)`,
  )

/** Returns the region, and a note that says where the region comes from. */
const regionFor = (
  provider: string,
  objects: readonly KubeObject[],
  chosen: string | undefined,
): { readonly region: string; readonly note: string } => {
  const regions = knownProviderNamed(provider).instanceTypes?.regions
  if (regions === undefined) throw new UsageError(`--region is for providers with regions, and ${provider} has none`)
  const { fileCommand } = regions
  const remedy =
    fileCommand === undefined
      ? ''
      : `write the instance types of ${provider} to a file, with ${fileCommand} --region REGION, and name that with --instance-types, or `
  const unknown = (region: string): string =>
    `the instance types of ${region} do not come with Kerf; ${remedy}choose one of ${regions.names.join(', ')}`
  if (chosen !== undefined) {
    if (!regions.names.includes(chosen)) throw new UsageError(`--region ${chosen}: ${unknown(chosen)}`)
    return { region: chosen, note: `region ${chosen} (--region)` }
  }
  const found = regions.of(objects)
  if (found === undefined)
    return { region: regions.usual, note: `using region ${regions.usual} (no region found; set --region)` }
  const { region, saidBy, others } = found
  if (!regions.names.includes(region)) throw new UsageError(`${saidBy} is in ${region}: ${unknown(region)}`)
  const besides = others.length === 0 ? '' : `; other objects name ${others.join(', ')}; choose with --region`
  return { region, note: `region ${region}, from ${saidBy}${besides}` }
}

const openController = async (
  source: string,
  { region, kubeconfig, context }: InstanceTypesChoice & ControllerCluster,
  env: ClusterChoice['env'],
): Promise<OpenedTypes> => {
  if (region !== undefined)
    throw new UsageError(
      '--region applies to the instance types of a provider; a running Kerf has those of its own region',
    )
  const answer = await askController(source, { env, kubeconfig, context })
  const found = controllerTypes(answer, source)
  if (found === undefined)
    throw new CliError(`${source} is not an endpoint of Kerf: it has no instance types at /kerf/v1/instance-types`)
  return { source, ...found }
}

const openFile = async (file: string, { region }: InstanceTypesChoice): Promise<OpenedTypes> => {
  const found = await readTypesFile(file)
  if (region !== undefined && region !== found.offer?.region.region)
    throw new UsageError(
      found.offer === undefined
        ? `--region applies to the instance types of a provider; those of ${file} are used unchanged`
        : `--region ${region}: ${file} has the instance types of ${found.offer.region.region}`,
    )
  return { source: file, ...found }
}

/**
 * Returns the chosen instance types for a cluster with these objects. If instance types differ by region, the objects determine the region.
 * @throws UsageError for contradicting flags and for an unknown region; CliError if the controller cannot be reached;
 * InstanceTypeFileError for a file that cannot be used
 */
export const openTypes = async (
  choice: InstanceTypesChoice & ControllerCluster,
  objects: readonly KubeObject[] = [],
  env: ClusterChoice['env'] = process.env,
): Promise<OpenedTypes> => {
  const source = choice.instanceTypes ?? defaultProvider
  if (isRunningController(source)) return await openController(source, choice, env)
  if (!offlineProviders.includes(source)) return await openFile(source, choice)
  const regions = knownProviderNamed(source).instanceTypes?.regions
  if (regions === undefined) {
    if (choice.region !== undefined) regionFor(source, objects, choice.region)
    return { source, types: (await offlineInstanceTypes(source)) ?? [] }
  }
  const { region, note } = regionFor(source, objects, choice.region)
  const offer = await openRegion(source, regions, region)
  return {
    source,
    types: offer.types(),
    offer: { provider: source, region: offer },
    regionNote: note,
    priceNote: offer.priceNote,
  }
}
