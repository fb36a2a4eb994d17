import { type KubeObject, type LabelAlias, LabelVocabulary, type NodePool, type UntoldLabel } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import type { KnownProvider } from '@kerf/provider-contract'
import { wellKnownLabelsOf } from '@kerf/provider-kwok'
import { knownProviders } from './providers.ts'

/** The other names that all providers have for labels: the driver of a volume may run wherever its cloud is. */
export const labelAliases: readonly LabelAlias[] = knownProviders.flatMap(({ labels }) => labels.aliases)

const isNodePool = (object: KubeObject): object is NodePool => object.kind === 'NodePool'

/** The providers that the node classes of the NodePools belong to. */
const providersOfPools = (objects: readonly KubeObject[]): readonly KnownProvider[] => {
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
  const inUse = providersOfPools(objects)
  const added = inUse.map(({ labels }) => labels)
  const ofTypes = wellKnownLabelsOf(...lists)
  const isTold = ({ label }: UntoldLabel): boolean =>
    ofTypes.includes(label) ||
    objects.some(({ kind, metadata }) => kind === 'Node' && Object.hasOwn(metadata.labels ?? {}, label))
  const vocabulary = {
    wellKnown: [...new Set([...ofTypes, ...added.flatMap(({ wellKnown }) => wellKnown)])],
    restrictedDomains: added.flatMap(({ restrictedDomains }) => restrictedDomains),
    unrestricted: added.flatMap(({ unrestricted }) => unrestricted),
    aliases: labelAliases,
    knownValues: added.flatMap(({ knownValues }) => knownValues),
    wellKnownResources: added.flatMap(({ wellKnownResources }) => wellKnownResources),
  }
  const untold = inUse.flatMap(({ instanceTypes }) => instanceTypes?.untold ?? []).filter((each) => !isTold(each))
  return new LabelVocabulary(vocabulary, untold)
}

/** What was not checked of the objects because nobody knows the values of a label, as parts of a sentence. */
export const untoldLabels = ({ untold }: LabelVocabulary, objects: readonly KubeObject[]): readonly string[] =>
  untold
    .filter(({ label }) => objects.some((object) => JSON.stringify(object).includes(JSON.stringify(label))))
    .map(
      ({ label, sameDomainsAs }) =>
        `which ${label} is which ${sameDomainsAs} (a requirement on it is not checked, and domains over it count as those of ${sameDomainsAs})`,
    )
