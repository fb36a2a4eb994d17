import { type Definition, serveSharedControlPlane } from '@kerf/control-plane'

/** Loads Kerf's custom resource definitions when the first test file needs a cluster that has them. */
const customResources = async (): Promise<readonly Definition[]> => {
  const { allCrdFiles } = await import('../../../packages/cli/src/crds/crd-files.ts')
  return allCrdFiles().map(({ manifest }) => manifest as unknown as Definition)
}

/** Vitest calls this function before the first test file, and calls the returned function after the last test file. */
export default async (): Promise<() => Promise<void>> => {
  const shared = await serveSharedControlPlane(customResources)
  process.env['KERF_TEST_CONTROL_PLANE'] = shared.path
  process.env['KERF_TEST_CONTROL_PLANE_WITH_CUSTOM_RESOURCES'] = shared.pathWithCustomResources
  return () => shared.close()
}
