import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { StartedProgram } from '@kerf/control-plane'
import { afterAll, describe, expect, test } from 'vitest'
import { bareEnvironment, startKerf } from './start-kerf.ts'

const repository = fileURLToPath(new URL('../../../', import.meta.url))
// The path contains a space, as on many desktops.
const directory = mkdtempSync(join(tmpdir(), 'kerf up '))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const start = (...args: readonly string[]): StartedProgram =>
  startKerf(['up', ...args], { cwd: directory, env: { ...bareEnvironment(), HOME: directory } })

const file = (name: string, text: string): string => {
  const path = join(directory, name)
  writeFileSync(path, text)
  return path
}

describe('kerf up settles and reports the result as JSON', () => {
  test('the quickstart: ten pods with requests, on nodes that fit them', async () => {
    const { code, stdout, stderr } = await start('--headless', '--until-settled', '-o', 'json', '--speed', '10').ended
    expect({ code, problems: stderr.split('\n').filter((line) => line.startsWith('kerf:')) }).toEqual({
      code: 0,
      problems: [],
    })
    const result = JSON.parse(stdout)
    expect(result).toMatchObject({ settled: true, pods: { running: 10, pending: 0 } })
    expect(Object.keys(result)).toEqual(['settled', 'seconds', 'pods', 'nodes', 'nodeClaims', 'hourlyCost'])
    expect(result.nodeClaims).toBe(result.nodes.length)
    expect(result.nodes.reduce((sum: number, node: { pods: number }) => sum + node.pods, 0)).toBe(10)
    for (const node of result.nodes) {
      expect(node).toEqual({
        name: expect.stringMatching(/^kwok-general-/),
        nodePool: 'general',
        instanceType: expect.stringMatching(/-linux$/),
        zone: expect.stringMatching(/^test-zone-[a-d]$/),
        capacityType: expect.stringMatching(/^(spot|on-demand)$/),
        hourlyPrice: expect.any(Number),
        pods: expect.any(Number),
      })
      // Each pod requests half a CPU, and the node reserves 100m.
      const cpus = Number(/-(\d+)x-/.exec(node.instanceType)?.[1])
      expect(node.pods * 0.5).toBeLessThanOrEqual(cpus - 0.1)
    }
    const cost = result.nodes.reduce((sum: number, node: { hourlyPrice: number }) => sum + node.hourlyPrice, 0)
    expect(result.hourlyCost).toBeCloseTo(cost, 9)
  })

  test('ten nginx pods without requests and without a NodePool', async () => {
    const nginx = join(repository, 'examples/older-guides/nginx.yaml')
    const { code, stdout, stderr } = await start(
      '--headless',
      '--until-settled',
      '-o',
      'json',
      '--speed',
      '10',
      '-f',
      nginx,
    ).ended
    expect(code).toBe(0)
    expect(stderr).toContain('the manifests contain no NodePool')
    expect(JSON.parse(stdout)).toMatchObject({ settled: true, pods: { running: 10, pending: 0 }, nodeClaims: 1 })
  })

  test('the same seed gives the same nodes', async () => {
    const once = async (): Promise<unknown> =>
      JSON.parse(
        (await start('--headless', '--until-settled', '-o', 'json', '--speed', '10', '--seed', '7').ended).stdout,
      ).nodes
    expect(await once()).toEqual(await once())
  })

  test('names a pod that no node can run with the reason, and the cluster settles without it', async () => {
    const pod = file(
      'impossible.yaml',
      'apiVersion: v1\nkind: Pod\nmetadata: {name: huge, namespace: default}\nspec: {containers: [{name: a, image: a, resources: {requests: {cpu: "9000"}}}]}\n',
    )
    const { code, stdout, stderr } = await start(
      '--headless',
      '--until-settled',
      '-o',
      'json',
      '--speed',
      '10',
      '-f',
      pod,
    ).ended
    expect(code).toBe(3)
    expect(JSON.parse(stdout)).toMatchObject({
      settled: true,
      pods: { running: 0, pending: 1 },
      nodes: [],
      hourlyCost: 0,
    })
    expect(stderr).toContain('default/huge is unschedulable: ')
  })

  test('with overlays, nodes have the prices of the overlays', async () => {
    const overlay = file(
      'overlay.yaml',
      `apiVersion: karpenter.sh/v1alpha1
kind: NodeOverlay
metadata: {name: flat}
spec: {requirements: [], price: "0.25"}
---
apiVersion: v1
kind: Pod
metadata: {name: one, namespace: default}
spec: {containers: [{name: a, image: a, resources: {requests: {cpu: "1"}}}]}
`,
    )
    const args = ['--headless', '--until-settled', '-o', 'json', '--speed', '10', '-f', overlay]
    const { stdout } = await start(...args, '--feature-gates', 'NodeOverlay=true').ended
    expect(JSON.parse(stdout)).toMatchObject({ settled: true, nodes: [{ hourlyPrice: 0.25 }], hourlyCost: 0.25 })
  })

  test('a static pool gets its nodes only with the feature gate; without it, a line says that the pool has no effect', async () => {
    const pool = file(
      'static.yaml',
      `apiVersion: karpenter.kwok.sh/v1alpha1
kind: KWOKNodeClass
metadata: {name: default}
---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: fixed}
spec:
  replicas: 2
  template: {spec: {requirements: [], nodeClassRef: {group: karpenter.kwok.sh, kind: KWOKNodeClass, name: default}}}
`,
    )
    const args = ['--headless', '--until-settled', '-o', 'json', '--speed', '10', '-f', pool]
    const without = await start(...args).ended
    expect(without.stderr).toContain('NodePool fixed (a static pool) has no effect without --feature-gates StaticCap')
    expect(JSON.parse(without.stdout)).toMatchObject({ settled: true, nodes: [] })
    const gated = await start(...args, '--feature-gates', 'StaticCapacity=true').ended
    expect(gated.stderr).not.toContain('has no effect')
    expect(JSON.parse(gated.stdout).nodes).toMatchObject([{ nodePool: 'fixed' }, { nodePool: 'fixed' }])
  })
})

describe('manifests of another cluster', () => {
  const settled = ['--headless', '--until-settled', '-o', 'json', '--speed', '10']

  test('objects that another cluster’s controllers created are ignored, and so are fields that its server wrote', async () => {
    const dump = file(
      'dump.yaml',
      `apiVersion: v1
kind: Node
metadata: {name: old, uid: a, resourceVersion: "7"}
spec: {}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: default, uid: b, resourceVersion: "9", generation: 3}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: nginx}]}
status: {replicas: 1, readyReplicas: 1}
`,
    )
    const { code, stdout, stderr } = await start(...settled, '-f', dump).ended
    expect(code).toBe(0)
    expect(stderr).toContain('1 object is ignored: this cluster creates its own Nodes, NodeClaims and owned pods')
    expect(JSON.parse(stdout)).toMatchObject({ pods: { running: 1 }, nodeClaims: 1 })
  })
})

test('a cluster that is about to consolidate has not settled', async () => {
  // After the job has completed and consolidateAfter has passed, a smaller node is enough for the remaining pods.
  const up = start(
    '--headless',
    '--until-settled',
    '-o',
    'json',
    '--speed',
    '10',
    '-f',
    file(
      'shrinks.yaml',
      `apiVersion: apps/v1
kind: Deployment
metadata: {name: small, namespace: default}
spec:
  selector: {matchLabels: {app: small}}
  template:
    metadata: {labels: {app: small}}
    spec: {nodeSelector: {karpenter.sh/capacity-type: on-demand}, containers: [{name: a, image: a, resources: {requests: {cpu: 500m}}}]}
---
apiVersion: batch/v1
kind: Job
metadata: {name: large, namespace: default}
spec: {template: {spec: {nodeSelector: {karpenter.sh/capacity-type: on-demand}, restartPolicy: Never, containers: [{name: a, image: a, resources: {requests: {cpu: "12"}}}]}}}
`,
    ),
  )
  const { code, stdout } = await up.ended
  expect(code).toBe(0)
  const { nodes, seconds } = JSON.parse(stdout)
  expect(nodes).toMatchObject([{ instanceType: expect.stringMatching(/^c-1x-/), pods: 1 }])
  // Kerf waits for the consolidateAfter of the quickstart's NodePool.
  expect(seconds).toBeGreaterThan(30)
})

test('Ctrl-C ends it cleanly and removes the kubeconfig', async () => {
  const up = start('--headless')
  const kubeconfig = await up.printed(/export KUBECONFIG=(\S+)/)
  expect(existsSync(kubeconfig)).toBe(true)
  await up.printed(/10 running/)
  up.child.kill('SIGINT')
  const { code, stderr } = await up.ended
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(existsSync(kubeconfig)).toBe(false)
})

describe('wrong use prints one line and exits with code 2, a failure with code 1', () => {
  const refused = async (
    ...args: readonly string[]
  ): Promise<{ readonly code: number | null; readonly line: string }> => {
    const { code, stderr } = await start('--headless', '--until-settled', ...args).ended
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
    return { code, line: stderr.trimEnd() }
  }

  test.each([
    ['an unknown flag', ['--bogus'], "kerf: unknown option '--bogus'; see: kerf up --help"],
    ['an invalid port', ['--port', '99999'], 'The port must be a whole number from 0 to 65535'],
    [
      'a missing file',
      ['-f', 'missing.yaml'],
      'kerf: missing.yaml: no such file or directory; give a manifest file or a directory with manifests',
    ],
    ['a missing catalogue', ['--instance-types', 'missing.json'], 'missing.json: cannot be read'],
    ['--speed without the sandbox', ['--cluster', 'local', '--speed', '5'], '--speed changes the sandbox’s clock'],
    [
      'a missing kubeconfig',
      ['--cluster', 'kubeconfig', '--kubeconfig', 'missing'],
      'cannot read kubeconfig missing: no such file',
    ],
  ])('%s', async (_name, args, message) => {
    const { code, line } = await refused(...args)
    expect(code).toBe(2)
    expect(line.replace("'s clock", '’s clock')).toContain(message)
  })

  test('a file that is not valid YAML: the line names file, line and column', async () => {
    const { code, line } = await refused('-f', file('broken.yaml', 'apiVersion: v1\nkind: [Pod\n'))
    expect(code).toBe(2)
    expect(line).toMatch(/broken\.yaml:\d+:\d+: not valid YAML: /)
  })

  test('a manifest that the API would refuse: the line names file, object and field', async () => {
    const bad = file(
      'refused.yaml',
      'apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: bad}\nspec: {template: {spec: {requirements: [{key: a, operator: Near}], nodeClassRef: {group: karpenter.kwok.sh, kind: KWOKNodeClass, name: default}}}}\n',
    )
    const { code, line } = await refused('-f', bad)
    expect(code).toBe(2)
    expect(line).toContain(
      'refused.yaml:1: NodePool bad: spec.template.spec.requirements[0].operator: Unsupported value: "Near"',
    )
  })

  test('a kind that the cluster does not have', async () => {
    const { code, line } = await refused(
      '-f',
      file('kind.yaml', 'apiVersion: batch/v2\nkind: Job\nmetadata: {name: w}\n'),
    )
    expect(code).toBe(2)
    expect(line).toContain('the cluster has no kind Job in batch/v2')
  })

  test('a catalogue with a mistake: the line names index and field', async () => {
    const { code, line } = await refused('--instance-types', file('types.json', '[{"name":"x","offerings":[]}]'))
    expect(code).toBe(2)
    expect(line).toContain('types.json, [0].resources: expected an object')
  })

  test('a port that is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = address !== null && typeof address === 'object' ? address.port : 0
    try {
      const { code, line } = await refused('--port', String(port))
      expect(code).toBe(1)
      expect(line).toContain(`port ${port}`)
    } finally {
      server.close()
    }
  })
})
