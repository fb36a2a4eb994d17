import { testTools } from '../../scripts/test-tools.mjs'
import { type ImportGraph, reached } from './import-graph.ts'

/** What a test calls to have a real control plane, or to start one. */
const USES_CLUSTER = /\b(?:describeOnCluster|describeWithCustomResources|startControlPlane|onControlPlane)\b/

/** Files of the plugin whose TypeScript settings come from its toolchain. Those of its model have settings of their own. */
const usesPluginToolchain = (file: string): boolean => /^headlamp-plugin\/src\/(?!model\/|locales\/)/.test(file)

/**
 * Returns the names of the tools that a test file needs: by its path and the ending of its name, and the control plane by what
 * it or the helpers below test/ call.
 */
export const neededTools = (file: string, graph: ImportGraph, text: (path: string) => string): readonly string[] => {
  const byEnding = testTools.filter(({ ending }) => ending !== undefined && file.endsWith(ending))
  const helpers = [...reached(graph, [file], (path) => !path.startsWith('test/') && path !== file).keys()]
  const usesCluster = helpers.some((path) => !path.startsWith('test/cluster/src/') && USES_CLUSTER.test(text(path)))
  return [
    ...(usesPluginToolchain(file) ? ['plugin'] : []),
    ...(usesCluster || file.startsWith('test/cluster/src/') ? ['cluster'] : []),
    ...byEnding.map(({ name }) => name),
  ]
}
