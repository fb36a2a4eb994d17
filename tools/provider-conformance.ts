import type { ProviderConformance } from '@kerf/provider-contract/conformance'

/** Returns what a provider package exports for tests. Shipped programs never load these exports. */
export const loadConformance = async (provider: string): Promise<ProviderConformance> => {
  const { conformance } = (await import(`@kerf/provider-${provider}/testing`)) as {
    readonly conformance?: ProviderConformance
  }
  if (conformance === undefined) throw new Error(`@kerf/provider-${provider}/testing does not export conformance`)
  return conformance
}
