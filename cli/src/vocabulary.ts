import { type KubeObject, type LabelAlias, LabelVocabulary, type NodePool } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import type { KnownProvider } from '@kerf/provider-contract'
import { wellKnownLabelsOf } from '@kerf/provider-kwok'
import { knownProviders } from './providers.ts'

/** The other names that all providers have for labels: the driver of a volume may run wherever its cloud is. */
export const labelAliases: readonly LabelAlias[] = knownProviders.flatMap(({ labels }) => labels.aliases)

const isNodePool = (object: KubeObject): object is NodePool => object.kind === 'NodePool'

/** The providers that the node classes of the NodePools belong to. */
export const providersOfPools = (objects: readonly KubeObject[]): readonly KnownProvider[] => {
  const refs = objects.filter(isNodePool).flatMap((pool) => pool.spec?.template?.spec?.nodeClassRef ?? [])
  return knownProviders.filter(({ nodeClasses }) =>
    refs.some(({ group, kind }) =>
      nodeClasses.some(({ resource }) => resource.kind.group === group && resource.kind.kind === kind),
    ),
  )
}

/**
 * What labels mean in a cluster of these objects whose NodePools may launch the types of these lists: what the providers of its
 * NodePools add, the labels that the types have, and the aliases of every provider.
 */
export const vocabularyFor = (
  objects: readonly KubeObject[],
  ...lists: readonly (readonly InstanceType[])[]
): LabelVocabulary => {
  const added = providersOfPools(objects).map(({ labels }) => labels)
  return new LabelVocabulary({
    wellKnown: [...new Set([...wellKnownLabelsOf(...lists), ...added.flatMap(({ wellKnown }) => wellKnown)])],
    restrictedDomains: added.flatMap(({ restrictedDomains }) => restrictedDomains),
    unrestricted: added.flatMap(({ unrestricted }) => unrestricted),
    aliases: labelAliases,
    knownValues: added.flatMap(({ knownValues }) => knownValues),
    wellKnownResources: added.flatMap(({ wellKnownResources }) => wellKnownResources),
  })
}
