import { posix } from 'node:path'
import { testTools } from '../../../tools/test-tools.mjs'
import { type ImportGraph, reached } from './import-graph.ts'

/** The functions that a test calls to borrow or start a real control plane. */
const USES_CLUSTER = /\b(?:describeOnCluster|describeWithCustomResources|startControlPlane|onControlPlane)\b/

/** The function that a test calls to find kubectl, for some of its tests. */
const USES_KUBECTL = /\bfindKubectl\b/

/** The function that a test calls to render the plain manifests. */
const USES_HELM = /\bmanifestsFor\b/

/** Helpers of tests, in which a call that starts a control plane counts as the test's own. */
const IS_HELPER = /^tests\/(?!simulation\/|benchmarks\/)|^providers\/[^/]+\/tests?\//

/** The plugin's files whose TypeScript settings come from its toolchain. The files of its model have separate settings. */
const usesPluginToolchain = (file: string): boolean =>
  /^packages\/dashboard\/plugin\/src\/(?!model\/|locales\/)/.test(file)

/**
 * Returns the names of the tools that a test file needs. They follow from its path and the suffix of its name. The control plane,
 * kubectl and Helm follow from the calls of the file and of its helpers below `tests/`.
 */
export const neededTools = (file: string, graph: ImportGraph, text: (path: string) => string): readonly string[] => {
  const words = posix.basename(file).split('.').slice(1, -2)
  const byEnding = testTools.filter(({ ending }) => words.some((word) => ending === `.${word}.test.ts`))
  const helpers = [...reached(graph, [file], (path) => !IS_HELPER.test(path) && path !== file).keys()]
    // The files of this folder name the functions and do not call them.
    .filter((path) => !path.startsWith('tests/support/selection/'))
  const usesCluster = helpers.some(
    (path) => !path.startsWith('tests/support/control-plane/src/') && USES_CLUSTER.test(text(path)),
  )
  const usesKubectl = helpers.some((path) => USES_KUBECTL.test(text(path)))
  const usesHelm = !file.endsWith('.helm.test.ts') && helpers.some((path) => USES_HELM.test(text(path)))
  return [
    ...(usesPluginToolchain(file) ? ['plugin'] : []),
    ...(usesCluster || file.startsWith('tests/support/control-plane/src/') ? ['cluster'] : []),
    ...(usesKubectl ? ['kubectl'] : []),
    ...(usesHelm ? ['helm'] : []),
    ...byEnding.map(({ name }) => name),
  ]
}
