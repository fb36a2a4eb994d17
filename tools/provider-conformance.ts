import type { ProviderConformance } from '@kerf/provider-contract/conformance'

/** Returns the conformance export of a provider package. Shipped programs never load it. */
export const loadConformance = async (provider: string): Promise<ProviderConformance> => {
  const { conformance } = (await import(`@kerf/provider-${provider}/testing`)) as {
    readonly conformance?: ProviderConformance
  }
  if (conformance === undefined) throw new Error(`@kerf/provider-${provider}/testing does not export conformance`)
  return conformance
}
