import type { InstanceType } from '@kerf/engine'
import { aws } from '@kerf/provider-aws/descriptor'
import { azure } from '@kerf/provider-azure/descriptor'
import { clusterApi } from '@kerf/provider-cluster-api/descriptor'
import type { KnownProvider, ProviderDescriptor } from '@kerf/provider-contract'
import { kwok } from '@kerf/provider-kwok/descriptor'

/** Every provider that Kerf runs with. This is the line that a new one takes (`docs/providers.md`). */
export const providers = [kwok, aws, clusterApi, azure] as const satisfies readonly ProviderDescriptor[]

const all: readonly ProviderDescriptor[] = providers

/** The provider of `kerf up`, `plan`, `explain` and `simulate` when none is named. */
export const defaultProvider = kwok.name

export const providerNames: readonly string[] = all.map(({ name }) => name)

/** @throws Error for a name that is not in the list. */
export const providerNamed = (name: string): ProviderDescriptor => {
  const provider = all.find((each) => each.name === name)
  if (provider === undefined) throw new Error(`there is no provider ${name}; known are ${providerNames.join(', ')}`)
  return provider
}

/**
 * Those, and providers that Kerf knows the node classes and instance types of but does not launch with yet: for plans, simulations,
 * reports and rehearsals.
 */
export const knownProviders: readonly KnownProvider[] = all

/** The providers that have offline instance types, by name. */
export const offlineProviders: readonly string[] = knownProviders.flatMap(({ name, instanceTypes }) =>
  instanceTypes === undefined ? [] : [name],
)

/** @throws Error for a name that no provider has that Kerf knows. */
export const knownProviderNamed = (name: string): KnownProvider => {
  const provider = knownProviders.find((each) => each.name === name)
  if (provider === undefined)
    throw new Error(`there is no provider ${name}; known are ${knownProviders.map((each) => each.name).join(', ')}`)
  return provider
}

/** The offline instance types of a provider; nothing for a name that is not in `offlineProviders`. */
export const offlineInstanceTypes = async (name: string): Promise<readonly InstanceType[] | undefined> =>
  offlineProviders.includes(name) ? await knownProviderNamed(name).instanceTypes?.load() : undefined
