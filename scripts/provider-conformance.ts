import type { ProviderConformance } from '@kerf/provider-contract/conformance'

/** What the package of a provider exports for its tests. Programs that ship never load it. */
export const conformanceOf = async (provider: string): Promise<ProviderConformance> => {
  const { conformance } = (await import(`@kerf/provider-${provider}/testing`)) as {
    readonly conformance?: ProviderConformance
  }
  if (conformance === undefined) throw new Error(`@kerf/provider-${provider}/testing does not export conformance`)
  return conformance
}
