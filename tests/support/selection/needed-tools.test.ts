import { expect, test } from 'vitest'
import type { ImportGraph } from './import-graph.ts'
import { neededTools } from './needed-tools.ts'

const texts: Readonly<Record<string, string>> = {
  'tests/integration/story/a.test.ts': "describeOnCluster('x', () => {})",
  'tests/integration/story/b.test.ts': "import './helper.ts'",
  'tests/integration/story/helper.ts': 'await startControlPlane({ rbac: true })',
  'tests/integration/story/c.test.ts': "import { runUp } from '@kerf/cli'",
  'tests/integration/story/d.test.ts': "test.skipIf(findKubectl() === undefined)('x', () => {})",
  'tests/integration/aws/f.aws.test.ts': "const manifests = manifestsFor('aws')",
  'tests/support/selection/e.test.ts': "const text = 'describeOnCluster, findKubectl'",
  'packages/cli/src/up.ts': 'await startControlPlane({})',
}
const graph: ImportGraph = new Map([
  ['tests/integration/story/b.test.ts', new Set(['tests/integration/story/helper.ts'])],
  ['tests/integration/story/c.test.ts', new Set(['packages/cli/src/up.ts'])],
])

test.each([
  ['tests/integration/story/a.test.ts', ['cluster']],
  ['tests/integration/story/b.test.ts', ['cluster']],
  ['tests/integration/story/c.test.ts', []],
  ['tests/integration/story/d.test.ts', ['kubectl']],
  ['tests/support/selection/e.test.ts', []],
  // The folder of this provider has the name of a tool, but its unit tests need no tool.
  ['providers/cluster-api/src/discovery.test.ts', []],
  ['providers/aws/tests/guides/image.registry.aws.test.ts', ['aws', 'registry']],
  ['tests/integration/install/charts.helm.test.ts', ['helm']],
  ['tests/integration/aws/f.aws.test.ts', ['helm', 'aws']],
  ['packages/dashboard/plugin/src/pages/a.test.ts', ['plugin']],
  ['packages/dashboard/plugin/src/model/graph.test.ts', []],
])('%s needs %j', (file, tools) => {
  expect(neededTools(file, graph, (path) => texts[path] ?? '')).toEqual(tools)
})
