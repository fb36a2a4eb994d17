import { InvariantError } from '@kerf/apis'
import type { LegacyTemplates } from '@kerf/apis/legacy'
import type { InstanceType } from '@kerf/engine'
import {
  type FurtherKind,
  type KnownProvider,
  type NodeClassDescriptor,
  type ProviderDescriptor,
  providerKinds,
} from '@kerf/provider-contract'
import * as listed from './provider-list.ts'

/** The default provider of `kerf up`, `plan`, `explain` and `simulate`. */
export const defaultProvider = listed.kwok.name

type ListedProvider = (typeof listed)[keyof typeof listed]

/** Every provider in `provider-list.ts`: the default, then the others by name. */
export const providers: readonly ListedProvider[] = [
  listed.kwok,
  ...Object.values(listed).filter(({ name }) => name !== defaultProvider),
]

const all: readonly ProviderDescriptor[] = providers

export const providerNames: readonly string[] = all.map(({ name }) => name)

/**
 * Returns the provider with this name.
 * @throws InvariantError for a name that is not in the list
 */
export const providerNamed = (name: string): ProviderDescriptor => {
  const provider = all.find((each) => each.name === name)
  if (provider === undefined)
    throw new InvariantError(`unknown provider ${name}; known providers: ${providerNames.join(', ')}`)
  return provider
}

/**
 * The providers in `providers`, and further clouds for which Kerf has node classes and instance types but cannot launch nodes.
 * Plans, simulations, reports and rehearsals use them.
 */
export const knownProviders: readonly KnownProvider[] = all

/** The node classes of every known provider. */
export const nodeClassDescriptors: readonly NodeClassDescriptor[] = knownProviders.flatMap(
  ({ nodeClasses }) => nodeClasses,
)

/** The kinds of every known provider: its node classes, and the kinds to which they refer. */
export const kindDescriptors: readonly FurtherKind[] = knownProviders.flatMap(providerKinds)

const legacy = all.find((each) => each.legacy !== undefined)?.legacy

/** The name of the provider-specific kind of Karpenter's old API, which only one provider had. */
export const legacyKind: string = legacy?.kind ?? ''

/**
 * Returns the functions that convert the provider-specific kind of Karpenter's old API.
 * @throws InvariantError if no provider has such a kind
 */
export const legacyTemplates = async (): Promise<LegacyTemplates> => {
  if (legacy === undefined) throw new InvariantError('no provider has a kind of the old API')
  return legacy.load()
}

/** Returns a nodeClassRef to the node class with this name. Its kind is the first node class kind of the provider. */
export const nodeClassRefTo = ({ nodeClasses: [{ resource }] }: KnownProvider, name: string) => ({
  group: resource.kind.group,
  kind: resource.kind.kind,
  name,
})

/** The names of the providers that have offline instance types. */
export const offlineProviders: readonly string[] = knownProviders.flatMap(({ name, instanceTypes }) =>
  instanceTypes === undefined ? [] : [name],
)

/**
 * Returns the known provider with this name.
 * @throws InvariantError for a name that is not in `knownProviders`
 */
export const knownProviderNamed = (name: string): KnownProvider => {
  const provider = knownProviders.find((each) => each.name === name)
  if (provider === undefined)
    throw new InvariantError(
      `unknown provider ${name}; known providers: ${knownProviders.map((each) => each.name).join(', ')}`,
    )
  return provider
}

/** Returns the offline instance types of a provider, or undefined for a name that is not in `offlineProviders`. */
export const offlineInstanceTypes = async (name: string): Promise<readonly InstanceType[] | undefined> =>
  offlineProviders.includes(name) ? await knownProviderNamed(name).instanceTypes?.load() : undefined
