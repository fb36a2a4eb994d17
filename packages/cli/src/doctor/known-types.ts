import type { KubeObject, NodePool } from '@kerf/apis'
import { UsageError } from '@kerf/provider-kit/command-line'
import { type InstanceTypesChoice, openTypes } from '../cluster/instance-types.ts'
import type { OpenedTypes } from '../cluster/opened-types.ts'
import { type TypesOfPools, typesOfPools } from '../plan/types-of-pools.ts'
import { knownProviders, offlineProviders } from '../providers.ts'
import { vocabularyFor } from '../vocabulary.ts'
import type { AuditInput } from './audit.ts'

const all = knownProviders

const isNodePool = (object: KubeObject): object is NodePool => object.kind === 'NodePool'

/** Returns the provider of the NodePool's node class, if this provider has offline instance types. */
const poolOfflineProvider = (pool: NodePool): string | undefined => {
  const ref: { readonly group?: string; readonly kind?: string } | undefined = pool.spec?.template?.spec?.nodeClassRef
  return all.find(
    ({ name, nodeClasses }) =>
      offlineProviders.includes(name) &&
      nodeClasses.some(({ resource }) => resource.kind.kind === ref?.kind && resource.kind.group === ref?.group),
  )?.name
}

/**
 * Returns the instance types of a source. Returns undefined if the user chose neither the source nor a region, and the source has no types
 * for the cluster's region.
 */
const openedFor = async (
  choice: InstanceTypesChoice,
  objects: readonly KubeObject[],
  isChosen: boolean,
): Promise<OpenedTypes | undefined> => {
  try {
    return await openTypes(choice, objects)
  } catch (error) {
    if (isChosen || choice.region !== undefined || !(error instanceof UsageError)) throw error
    return undefined
  }
}

/**
 * Returns a function that returns the instance types of a NodePool. If the user chose a source, the types come from that source. Otherwise
 * they come from the provider of the NodePool's node class. The function returns undefined if Kerf has no offline types of that provider.
 */
export const knownTypes = async (
  objects: readonly KubeObject[],
  choice: InstanceTypesChoice,
): Promise<Pick<AuditInput, 'typesOf' | 'vocabulary'> & Pick<TypesOfPools, 'arePriced'>> => {
  const isChosen = choice.instanceTypes !== undefined
  const pools = objects.filter(isNodePool)
  const sources = new Map(pools.map((pool) => [pool, choice.instanceTypes ?? poolOfflineProvider(pool)]))
  const bySource = new Map<string, TypesOfPools>()
  for (const source of new Set(sources.values())) {
    if (source === undefined) continue
    const opened = await openedFor({ ...choice, instanceTypes: source }, objects, isChosen)
    if (opened === undefined) continue
    bySource.set(source, typesOfPools(objects, opened))
  }
  return {
    typesOf: (pool) => bySource.get(sources.get(pool) ?? '')?.typesOf(pool),
    arePriced: [...bySource.values()].some(({ arePriced }) => arePriced),
    vocabulary: vocabularyFor(objects, ...[...bySource.values()].flatMap(({ lists }) => lists)),
  }
}
