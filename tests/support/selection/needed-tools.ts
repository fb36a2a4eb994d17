import { posix } from 'node:path'
import { testTools } from '../../../tools/test-tools.mjs'
import { type ImportGraph, reached } from './import-graph.ts'

/** The functions with which a test borrows or starts a real control plane. */
const USES_CLUSTER = /\b(?:describeOnCluster|describeWithCustomResources|startControlPlane|onControlPlane)\b/

/** The function with which a test finds kubectl. Only some of its tests need kubectl. */
const USES_KUBECTL = /\bfindKubectl\b/

/** The function with which a test renders the plain manifests. */
const USES_HELM = /\bmanifestsFor\b/

/** Matches test helpers. If a helper starts a control plane, the tests that use it need one. */
const IS_HELPER = /^tests\/(?!simulation\/|benchmarks\/)|^providers\/[^/]+\/tests?\//

/**
 * Reports whether the TypeScript settings of the file come from the plugin's toolchain. The files of the plugin's model have their own
 * settings.
 */
const usesPluginToolchain = (file: string): boolean =>
  /^packages\/dashboard\/plugin\/src\/(?!model\/|locales\/)/.test(file)

/**
 * Returns the names of the tools that a test file needs. Most follow from its path and the suffix of its name. The control plane, kubectl
 * and Helm follow from function calls in the file and in its helpers below `tests/`.
 */
export const neededTools = (file: string, graph: ImportGraph, text: (path: string) => string): readonly string[] => {
  const words = posix.basename(file).split('.').slice(1, -2)
  const byEnding = testTools.filter(({ ending }) => words.some((word) => ending === `.${word}.test.ts`))
  const helpers = [...reached(graph, [file], (path) => !IS_HELPER.test(path) && path !== file).keys()]
    // Files in this folder contain the names of these functions without calling them.
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
