import { providers } from '../../cli/src/providers.ts'

/** The generated manifests that name the image: one of each provider. */
export const imageManifests = (): readonly string[] => providers.map(({ name }) => `manifests/${name}/karpenter.yaml`)
