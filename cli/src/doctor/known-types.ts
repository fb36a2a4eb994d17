import type { KubeObject, NodePool } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import type { ProviderDescriptor } from '@kerf/provider-contract'
import { wellKnownLabelsOf } from '@kerf/provider-kwok'
import { type InstanceTypesChoice, openInstanceTypes, sourceOf } from '../cluster/instance-types.ts'
import { readInstanceTypes } from '../plan/load-snapshot.ts'
import { typesOfPools } from '../plan/types-of-pools.ts'
import { offlineProviders, providers } from '../providers.ts'
import type { AuditInput } from './audit.ts'

const all: readonly ProviderDescriptor[] = providers

const isNodePool = (object: KubeObject): object is NodePool => object.kind === 'NodePool'

/** The provider whose node class the pool names, when it has instance types offline. */
const offlineProviderOf = (pool: NodePool): string | undefined => {
  const ref: { readonly group?: string; readonly kind?: string } | undefined = pool.spec?.template?.spec?.nodeClassRef
  return all.find(
    ({ name, nodeClasses }) =>
      offlineProviders.includes(name) &&
      nodeClasses.some(({ resource }) => resource.kind.kind === ref?.kind && resource.kind.group === ref?.group),
  )?.name
}

/**
 * The instance types of each NodePool: those of the choice, when something was chosen, else those of the provider that its node
 * class is of. Unknown for a provider without offline instance types.
 */
export const knownTypes = async (
  objects: readonly KubeObject[],
  choice: InstanceTypesChoice,
): Promise<Pick<AuditInput, 'typesOf' | 'wellKnownLabels'>> => {
  const isChosen = choice.instanceTypes !== undefined || choice.catalogue !== undefined
  const pools = objects.filter(isNodePool)
  const sources = new Map(pools.map((pool) => [pool, isChosen ? sourceOf(choice) : offlineProviderOf(pool)]))
  const bySource = new Map<
    string,
    { readonly typesOf: (pool: NodePool) => readonly InstanceType[]; readonly types: readonly InstanceType[] }
  >()
  for (const source of new Set(sources.values())) {
    if (source === undefined) continue
    const types = await openInstanceTypes({ instanceTypes: source }, readInstanceTypes)
    const { typesOf } = await typesOfPools(objects, { instanceTypes: source }, types)
    bySource.set(source, { typesOf, types })
  }
  return {
    typesOf: (pool) => bySource.get(sources.get(pool) ?? '')?.typesOf(pool),
    wellKnownLabels: wellKnownLabelsOf(...[...bySource.values()].map(({ types }) => types)),
  }
}
