import { expect, test } from 'vitest'
import type { ImportGraph } from './import-graph.ts'
import { neededTools } from './needed-tools.ts'

const texts: Readonly<Record<string, string>> = {
  'test/story/a.test.ts': "describeOnCluster('x', () => {})",
  'test/story/b.test.ts': "import './helper.ts'",
  'test/story/helper.ts': 'await startControlPlane({ rbac: true })',
  'test/story/c.test.ts': "import { runUp } from '@kerf/cli'",
  'test/story/d.test.ts': "test.skipIf(findKubectl() === undefined)('x', () => {})",
  'test/selection/e.test.ts': "const text = 'describeOnCluster, findKubectl'",
  'cli/src/up.ts': 'await startControlPlane({})',
}
const graph: ImportGraph = new Map([
  ['test/story/b.test.ts', new Set(['test/story/helper.ts'])],
  ['test/story/c.test.ts', new Set(['cli/src/up.ts'])],
])

test.each([
  ['test/story/a.test.ts', ['cluster']],
  ['test/story/b.test.ts', ['cluster']],
  ['test/story/c.test.ts', []],
  ['test/story/d.test.ts', ['kubectl']],
  ['test/selection/e.test.ts', []],
  // The folder of this provider has the name of a tool, but its unit tests need no tool.
  ['providers/cluster-api/src/discovery.test.ts', []],
  ['test/guides/image.registry.aws.test.ts', ['aws', 'registry']],
  ['test/install/charts.helm.test.ts', ['helm']],
  ['headlamp-plugin/src/pages/providers.test.ts', ['plugin']],
  ['headlamp-plugin/src/model/graph.test.ts', []],
])('%s needs %j', (file, tools) => {
  expect(neededTools(file, graph, (path) => texts[path] ?? '')).toEqual(tools)
})
