/** The second number of a version of Kubernetes, as 34 of `1.34.2`. @throws Error for a version that cannot be read. */
export const kubernetesMinor = (version: string): number => {
  const minor = /^v?1\.(\d+)(\.|$)/.exec(version)?.[1]
  if (minor === undefined) throw new Error(`the version of Kubernetes ${JSON.stringify(version)} cannot be read`)
  return Number(minor)
}
