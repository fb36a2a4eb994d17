import { expect, test } from 'vitest'
import { providerTools } from '../../../tools/test-tools.mjs'
import type { ImportGraph } from './import-graph.ts'
import { neededTools } from './needed-tools.ts'

const texts: Readonly<Record<string, string>> = {
  'tests/integration/story/a.test.ts': "describeOnCluster('x', () => {})",
  'tests/integration/story/b.test.ts': "import './helper.ts'",
  'tests/integration/story/helper.ts': 'await startControlPlane({ rbac: true })',
  'tests/integration/story/c.test.ts': "import { runUp } from '@kerf/cli'",
  'tests/integration/story/d.test.ts': "test.skipIf(findKubectl() === undefined)('x', () => {})",
  'tests/integration/story/f.promtool.test.ts': "const manifests = manifestsFor('acme')",
  'tests/support/selection/e.test.ts': "const text = 'describeOnCluster, findKubectl'",
  'packages/cli/src/up.ts': 'await startControlPlane({})',
}
const graph: ImportGraph = new Map([
  ['tests/integration/story/b.test.ts', new Set(['tests/integration/story/helper.ts'])],
  ['tests/integration/story/c.test.ts', new Set(['packages/cli/src/up.ts'])],
])

test.each<readonly [file: string, tools: readonly string[]]>([
  ['tests/integration/story/a.test.ts', ['cluster']],
  ['tests/integration/story/b.test.ts', ['cluster']],
  ['tests/integration/story/c.test.ts', []],
  ['tests/integration/story/d.test.ts', ['kubectl']],
  ['tests/support/selection/e.test.ts', []],
  // A provider's folder may have the same name as a tool. Its unit tests still need no tool.
  ...providerTools.map(({ name }) => [`providers/${name}/src/discovery.test.ts`, []] as const),
  ...providerTools.map(
    ({ name }) => [`providers/${name}/tests/image.registry.${name}.test.ts`, ['registry', name]] as const,
  ),
  ['tests/integration/install/charts.helm.test.ts', ['helm']],
  ['tests/integration/story/f.promtool.test.ts', ['helm', 'promtool']],
  ['packages/dashboard/plugin/src/pages/a.test.ts', ['plugin']],
  ['packages/dashboard/plugin/src/model/graph.test.ts', []],
])('%s needs %j', (file, tools) => {
  expect(neededTools(file, graph, (path) => texts[path] ?? '')).toEqual(tools)
})
