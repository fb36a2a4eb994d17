import { providerErrors } from '@kerf/provider-contract'

/** Returns the minor version, such as 34 for `1.34.2`. @throws KerfError `KubernetesVersionUnknown` for a version that cannot be parsed. */
export const kubernetesMinor = (version: string): number => {
  const minor = /^v?1\.(\d+)(\.|$)/.exec(version)?.[1]
  if (minor === undefined) {
    const problem = `the Kubernetes version ${JSON.stringify(version)} is invalid`
    throw providerErrors.KubernetesVersionUnknown({ problem })
  }
  return Number(minor)
}
